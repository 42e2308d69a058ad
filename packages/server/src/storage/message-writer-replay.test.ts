import { describe, expect, test } from 'vitest';
import { messageIdText, parseMessageId, type RoutedBatch } from '#core/index.ts';
import { eventually } from '#testing/eventually.ts';
import { appendSettled, openTestJournal } from '#testing/journal-fixture.ts';
import { testMessage } from '#testing/messages.ts';
import { type InsertFault, SimulatedClickHouse } from '#testing/simulated-clickhouse.ts';
import { SimulatedDisk } from '#testing/simulated-disk.ts';
import {
  createTestWriter,
  DEFAULT_SET,
  FAILURE_SET,
  pump,
  routeByText,
  routedBatch,
  testSnapshot,
} from '#testing/writer-fixture.ts';

const [DEFAULT_TABLE, FAILURE_TABLE] = [`table_${DEFAULT_SET}`, `table_${FAILURE_SET}`];
const TABLES = [DEFAULT_TABLE, FAILURE_TABLE];

/** Message texts in a table, sorted: the first line of the text column. */
function textsIn(clickhouse: SimulatedClickHouse, table = DEFAULT_TABLE): string[] {
  const rows = clickhouse.rows.filter((row) => row.table === table);
  return rows.map((row) => row.text.split('\x1f')[0] ?? '').sort();
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `a-${index}`);

describe('records that do not give one message each', () => {
  /** Each record gives two messages, of which the second has the id of a clone. */
  function cloned(batch: RoutedBatch): RoutedBatch {
    const copies = batch.messages.map((message) => {
      const parts = parseMessageId(message.id);
      if (parts === undefined) throw new Error(`${message.id} is not an id`);
      const id = messageIdText({ ...parts, partition: parts.partition + 1 });
      return testMessage({ id, message: `${message.message}-clone`, receivedAt: message.receivedAt });
    });
    return {
      ...batch,
      messages: batch.messages.flatMap((message, index) => [message, copies[index] ?? message]),
      targets: batch.targets.flatMap((target) => [target, target]),
    };
  }

  test('records without messages are committed', async () => {
    const journal = await openTestJournal();
    const clickhouse = new SimulatedClickHouse(TABLES);
    const writer = createTestWriter(journal.reader, () => clickhouse);
    writer.useIndexSets(testSnapshot(1));
    await appendSettled(journal, numbered(5));
    const records = journal.reader.read();
    if (records === undefined) throw new Error('nothing to read');
    await writer.write({ ...routedBatch([records], routeByText), messages: [], targets: [] });
    await eventually(() => expect(journal.stats().uncommittedRecords).toBe(0));
    expect(clickhouse.rows).toEqual([]);
    await writer.stop();
    await journal.close();
  });

  test('clones are told apart, when a block is halved and when it is replayed', async () => {
    const journal = await openTestJournal();
    const clickhouse = new SimulatedClickHouse(TABLES);
    const writer = createTestWriter(journal.reader, () => clickhouse);
    writer.useIndexSets(testSnapshot(1));
    const texts = [...numbered(3), 'poison-1'];
    await appendSettled(journal, texts);
    const records = journal.reader.read();
    if (records === undefined) throw new Error('nothing to read');
    const batch = cloned(routedBatch([records], routeByText));
    await writer.write(batch);
    await eventually(() => expect(journal.stats().uncommittedRecords).toBe(0));
    const expected = numbered(3).flatMap((text) => [text, `${text}-clone`]);
    expect(textsIn(clickhouse)).toEqual(expected);
    expect(textsIn(clickhouse, FAILURE_TABLE)).toHaveLength(2);

    const fresh = new SimulatedClickHouse(TABLES);
    const committed: string[] = [];
    const reader = { beginBatch: async () => {}, commitBatch: (token: string) => committed.push(token) };
    const second = createTestWriter(reader, () => fresh);
    second.useIndexSets(testSnapshot(1));
    const token = `${'t'.repeat(22)};1`;
    // The originals are stored already, the clones are not.
    const originals = batch.messages.filter(({ message }) => !message.endsWith('-clone'));
    await second.replay(
      { ...batch, messages: originals.slice(0, 3), targets: batch.targets.slice(0, 3) },
      token,
    );
    await second.replay(
      { ...batch, messages: batch.messages.slice(0, 6), targets: batch.targets.slice(0, 6) },
      token,
    );
    expect(textsIn(fresh)).toEqual(expected);
    expect(committed).toEqual([token, token]);
    await Promise.all([writer.stop(), second.stop()]);
    await journal.close();
  });
});

test('a part of a block whose token the engine knew without its rows is stored when it is replayed', async () => {
  const disk = new SimulatedDisk();
  const clickhouse = new SimulatedClickHouse(TABLES);
  const texts = [...numbered(3), 'poison-1'];
  const first = await openTestJournal({ disk });
  const writer = createTestWriter(first.reader, () => clickhouse, { stopGraceMs: 1 });
  writer.useIndexSets(testSnapshot(1));
  await appendSettled(first, texts);
  // The block is refused as a whole; its first half is a phantom; then the node is killed.
  const faults: (InsertFault | undefined)[] = [undefined, 'phantom'];
  clickhouse.fault = () => (faults.length > 0 ? faults.shift() : 'unreachable');
  const records = first.reader.read();
  if (records === undefined) throw new Error('nothing to read');
  await writer.write(routedBatch([records], routeByText));
  await eventually(() => expect(writer.trouble).toBe('simulated: not reachable'));
  disk.cutPower();
  await writer.stop();
  clickhouse.fault = () => undefined;

  const second = await openTestJournal({ disk });
  const later = createTestWriter(second.reader, () => clickhouse);
  later.useIndexSets(testSnapshot(1));
  const done = pump(second.reader, later, routeByText);
  await eventually(() => expect(second.stats().uncommittedRecords).toBe(0));
  expect(textsIn(clickhouse)).toEqual(numbered(3));
  await later.stop();
  await second.close();
  await done;
});
