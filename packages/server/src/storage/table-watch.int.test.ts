import { expect, test } from 'vitest';
import { useTestClickHouse } from '#testing/clickhouse.ts';
import { eventually } from '#testing/eventually.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { testMessage, testMessageId } from '#testing/messages.ts';
import { insertMessages, mergeParts, storeMessages } from '#testing/stored-messages.ts';
import { createTableWatch } from './table-watch.ts';

const server = useTestClickHouse();
const MANY = Array.from({ length: 4001 }, (_, at) => testMessage({ id: testMessageId(at) }));

test('tables with many messages in new parts, as of the last look', async () => {
  const { clickhouse, database } = server();
  await storeMessages(server(), 'many', MANY, 2);
  await storeMessages(server(), 'few', MANY.slice(0, 100), 2);
  await storeMessages(server(), 'merged', MANY, 2);
  await mergeParts(server(), 'merged');
  const clock = new ManualClock();
  const watch = createTableWatch({ clickhouse: () => clickhouse, clock }, { database });

  expect(['many', 'few', 'merged'].map(watch.mayHaveManyNew)).toEqual([true, true, true]);
  await eventually(() =>
    expect(['many', 'few', 'merged'].map(watch.mayHaveManyNew)).toEqual([true, false, false]),
  );

  await mergeParts(server(), 'many');
  await insertMessages(server(), 'merged', MANY);
  expect(['many', 'few', 'merged'].map(watch.mayHaveManyNew)).toEqual([true, false, false]);
  clock.advance(1001);
  await eventually(() =>
    expect(['many', 'few', 'merged'].map(watch.mayHaveManyNew)).toEqual([false, false, true]),
  );

  clock.advance(5001);
  expect(watch.mayHaveManyNew('many')).toBe(true);
  await eventually(() => expect(watch.mayHaveManyNew('many')).toBe(false));
});

test('tables with many messages in all, also while nobody has looked for long', async () => {
  const { clickhouse, database } = server();
  await storeMessages(server(), 'small', MANY, 1);
  await storeMessages(server(), 'large', MANY, 1);
  await clickhouse.commandOnEach('INSERT INTO large (timestamp) SELECT now64(3) FROM numbers(100001)');
  const clock = new ManualClock();
  const watch = createTableWatch({ clickhouse: () => clickhouse, clock }, { database });
  expect(['small', 'large'].map(watch.mayBeLarge)).toEqual([true, true]);
  await eventually(() => expect(['small', 'large'].map(watch.mayBeLarge)).toEqual([false, true]));
  clock.advance(3_600_000);
  expect(['small', 'large'].map(watch.mayBeLarge)).toEqual([false, true]);
});

test('while the engine is away every table may have them, and nothing is rejected', async () => {
  const clock = new ManualClock();
  let isAway = true;
  const watch = createTableWatch(
    {
      clock,
      clickhouse() {
        if (isAway) throw new Error('away');
        return server().clickhouse;
      },
    },
    { database: server().database },
  );
  expect([watch.mayHaveManyNew('any'), watch.mayBeLarge('any')]).toEqual([true, true]);
  isAway = false;
  await eventually(() => expect(watch.mayHaveManyNew('any')).toBe(false));
});
