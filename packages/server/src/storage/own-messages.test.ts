import { expect, test } from 'vitest';
import { testMessage, testMessageId, testTarget } from '#testing/messages.ts';
import { SimulatedClickHouse } from '#testing/simulated-clickhouse.ts';
import { OTHER_SET, testSnapshot } from '#testing/writer-fixture.ts';
import { createOwnMessages } from './own-messages.ts';

const TWO = [1, 2].map((number) => ({
  message: testMessage({ id: testMessageId(number, 1000), receivedAt: 1000, message: `event ${number}` }),
  target: testTarget([OTHER_SET]),
}));

function create() {
  const clickhouse = new SimulatedClickHouse([`table_${OTHER_SET}`]);
  const own = createOwnMessages(
    {
      directory: { snapshot: () => testSnapshot(1) },
      database: { clickhouse: () => clickhouse },
      fieldsSeen: async () => {},
    },
    { database: 'test' },
  );
  const store = (messages = TWO) => own.store(OTHER_SET, 'node-1', messages);
  const texts = () => clickhouse.rows.map(({ text }) => text.split('\x1f')[0]);
  return { clickhouse, store, texts };
}

test('messages are stored once, however often that is asked for', async () => {
  const { store, texts } = create();
  await store(TWO.slice(0, 1));
  await store();
  await store();
  expect(texts()).toEqual(['event 1', 'event 2']);
});

test.each(['unreachable', 'lost-answer', 'partial', 'phantom'] as const)(
  'after an insert that ended with "%s", the next attempt stores exactly what is missing',
  async (fault) => {
    const { clickhouse, store, texts } = create();
    clickhouse.fault = () => (clickhouse.inserts === 1 ? fault : undefined);
    await expect(store()).rejects.toThrow('simulated');
    await store();
    expect(texts().sort()).toEqual(['event 1', 'event 2']);
  },
);
