import { afterEach, expect, test } from 'vitest';
import { eventually } from '#testing/eventually.ts';
import { appendSettled, openTestJournal } from '#testing/journal-fixture.ts';
import { testTarget } from '#testing/messages.ts';
import { SimulatedClickHouse } from '#testing/simulated-clickhouse.ts';
import {
  createTestWriter,
  DEFAULT_SET,
  FAILURE_SET,
  OTHER_SET,
  pump,
  testSnapshot,
} from '#testing/writer-fixture.ts';

const THIRD_SET = '00000000000000000000000b';
const ALL_SETS = [DEFAULT_SET, OTHER_SET, THIRD_SET, FAILURE_SET];
const SETS_BY_LETTER: Readonly<Record<string, string>> = { d: DEFAULT_SET, o: OTHER_SET, t: THIRD_SET };

const tableOf = (indexSetId: string) => `table_${indexSetId}`;

let end: (() => Promise<void>) | undefined;
afterEach(() => end?.());

/** A writer of messages whose texts begin with the letters of their index sets. */
async function start() {
  const clickhouse = new SimulatedClickHouse(ALL_SETS.map(tableOf));
  const journal = await openTestJournal();
  const writer = createTestWriter(journal.reader, () => clickhouse);
  writer.useIndexSets(testSnapshot(1, {}, ALL_SETS));
  const done = pump(journal.reader, writer, (text) =>
    testTarget([...text].flatMap((letter) => SETS_BY_LETTER[letter] ?? [])),
  );
  end = async () => {
    await writer.stop();
    await journal.close();
    await done;
  };
  return {
    clickhouse,
    writer,
    append: (...texts: string[]) => appendSettled(journal, texts),
    /** Table and text of every row. */
    async stored() {
      await eventually(() => expect(journal.stats().uncommittedRecords).toBe(0));
      return clickhouse.rows.map(({ table, text }) => `${table} ${text.split('\x1f')[0]}`).sort();
    },
    /** Deletes index sets, and from then on their tables. */
    deleteSets(...ids: string[]) {
      const left = ALL_SETS.filter((id) => !ids.includes(id));
      writer.useIndexSets(testSnapshot(2, {}, left));
      for (const id of ids) clickhouse.tables.delete(tableOf(id));
    },
  };
}

test('messages of a deleted index set go to the default one, once', async () => {
  const { clickhouse, append, stored, deleteSets } = await start();
  clickhouse.isHeld = true;
  await append('o-1', 'do-2');
  await eventually(() => expect(clickhouse.inserts).toBeGreaterThan(0));
  deleteSets(OTHER_SET);
  clickhouse.release();
  await stored();
  await append('o-3', 'do-4');
  expect(await stored()).toEqual(
    ['o-1', 'do-2', 'o-3', 'do-4'].map((text) => `${tableOf(DEFAULT_SET)} ${text}`).sort(),
  );
});

test('those that have another index set stay there alone, be they on their way or not', async () => {
  const { clickhouse, append, stored, deleteSets } = await start();
  clickhouse.isHeld = true;
  await append('ot-1');
  await eventually(() => expect(clickhouse.inserts).toBe(2));
  deleteSets(OTHER_SET);
  clickhouse.release();
  await stored();
  await append('ot-2');
  expect(await stored()).toEqual([`${tableOf(THIRD_SET)} ot-1`, `${tableOf(THIRD_SET)} ot-2`]);
});

test('when all of its index sets are deleted at once, a message is in the default one once', async () => {
  const { clickhouse, append, stored, deleteSets } = await start();
  clickhouse.isHeld = true;
  await append('ot-1', 'o-2', 't-3');
  await eventually(() => expect(clickhouse.inserts).toBe(2));
  deleteSets(OTHER_SET, THIRD_SET);
  clickhouse.release();
  expect(await stored()).toEqual(['o-2', 'ot-1', 't-3'].map((text) => `${tableOf(DEFAULT_SET)} ${text}`));
});

test('a default index set that is deleted while messages move to it passes them on', async () => {
  const { clickhouse, writer, append, stored } = await start();
  clickhouse.isHeld = true;
  await append('o-1');
  await eventually(() => expect(clickhouse.inserts).toBe(1));
  writer.useIndexSets(testSnapshot(2, {}, [DEFAULT_SET, THIRD_SET, FAILURE_SET]));
  clickhouse.tables.delete(tableOf(OTHER_SET));
  // The move finds no table either: from then on another index set is the default.
  clickhouse.tables.delete(tableOf(DEFAULT_SET));
  const thirdIsDefault = { ...testSnapshot(3, {}, [THIRD_SET, FAILURE_SET]), defaultIndexSetId: THIRD_SET };
  clickhouse.release();
  await eventually(() => expect(clickhouse.inserts).toBeGreaterThan(2));
  writer.useIndexSets(thirdIsDefault);
  expect(await stored()).toEqual([`${tableOf(THIRD_SET)} o-1`]);
});

test('the default index set is the one that is the default now', async () => {
  const { writer, append, stored } = await start();
  const left = testSnapshot(2, {}, [THIRD_SET, FAILURE_SET]);
  writer.useIndexSets({ ...left, defaultIndexSetId: THIRD_SET });
  await append('o-1', 'd-2');
  expect(await stored()).toEqual([`${tableOf(THIRD_SET)} d-2`, `${tableOf(THIRD_SET)} o-1`]);
});
