import { expect, test } from 'vitest';
import { useTestClickHouse } from '#testing/clickhouse.ts';
import { eventually } from '#testing/eventually.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { testMessage, testMessageId } from '#testing/messages.ts';
import { insertMessages, mergeParts, storeMessages } from '#testing/stored-messages.ts';
import { createNewPartsWatch } from './new-parts-watch.ts';

const server = useTestClickHouse();
const MANY = Array.from({ length: 4001 }, (_, at) => testMessage({ id: testMessageId(at) }));

test('tables with many messages in new parts, as of the last look', async () => {
  const { clickhouse, database } = server();
  await storeMessages(server(), 'many', MANY, 2);
  await storeMessages(server(), 'few', MANY.slice(0, 100), 2);
  await storeMessages(server(), 'merged', MANY, 2);
  await mergeParts(server(), 'merged');
  const clock = new ManualClock();
  const watch = createNewPartsWatch({ clickhouse: () => clickhouse, clock }, { database });

  expect(['many', 'few', 'merged'].map(watch.mayHaveMany)).toEqual([true, true, true]);
  await eventually(() =>
    expect(['many', 'few', 'merged'].map(watch.mayHaveMany)).toEqual([true, false, false]),
  );

  await mergeParts(server(), 'many');
  await insertMessages(server(), 'merged', MANY);
  expect(['many', 'few', 'merged'].map(watch.mayHaveMany)).toEqual([true, false, false]);
  clock.advance(1001);
  await eventually(() =>
    expect(['many', 'few', 'merged'].map(watch.mayHaveMany)).toEqual([false, false, true]),
  );

  clock.advance(5001);
  expect(watch.mayHaveMany('many')).toBe(true);
  await eventually(() => expect(watch.mayHaveMany('many')).toBe(false));
});

test('while the engine is away every table may have them, and nothing is rejected', async () => {
  const clock = new ManualClock();
  let isAway = true;
  const watch = createNewPartsWatch(
    {
      clock,
      clickhouse() {
        if (isAway) throw new Error('away');
        return server().clickhouse;
      },
    },
    { database: server().database },
  );
  expect(watch.mayHaveMany('any')).toBe(true);
  isAway = false;
  await eventually(() => expect(watch.mayHaveMany('any')).toBe(false));
});
