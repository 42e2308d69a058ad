import { expect, test } from 'vitest';
import { startKafkaBroker } from '#testing/kafka-broker.ts';
import { anIdentified, anOutput, outputProblems } from '#testing/output-fixture.ts';
import { RefusedError } from '../output.ts';

const signal = new AbortController().signal;
const MESSAGE_TOO_LARGE = 10;
const NOT_ENOUGH_REPLICAS = 19;

test.each(['none', 'gzip', 'zstd'])(
  'messages are records with key and time; compression %s',
  async (compression) => {
    const broker = await startKafkaBroker('logs');
    const { output, send } = anOutput('kafka', {
      brokers: [broker.address],
      topic: 'logs',
      key: 'source',
      compression,
    });
    await output.connect?.(signal);
    await send(anIdentified(1, { count: 7 }), anIdentified(2, { source: 'web-2' }));
    const found = broker.records.toSorted((a, b) => a.value.localeCompare(b.value));
    expect(found.map(({ key, timestamp }) => ({ key, timestamp }))).toEqual([
      { key: 'web-1', timestamp: Date.UTC(2026, 0, 1) },
      { key: 'web-2', timestamp: Date.UTC(2026, 0, 1) },
    ]);
    expect(JSON.parse(found[0]?.value ?? '')).toMatchObject({ message: 'message 1', count: 7 });
    await output.close(AbortSignal.timeout(5000));
  },
);

test('without a key all messages arrive', async () => {
  const broker = await startKafkaBroker('logs');
  const { output, send } = anOutput('kafka', { brokers: [broker.address], topic: 'logs' });
  await output.connect?.(signal);
  await send(...Array.from({ length: 100 }, (_, number) => anIdentified(number)));
  expect(broker.records).toHaveLength(100);
  expect(broker.records.every(({ key }) => key === undefined)).toBe(true);
  await output.close(AbortSignal.timeout(5000));
});

test('a message that is too large is refused, other failures are tried again', async () => {
  const broker = await startKafkaBroker('logs');
  const { output, send } = anOutput('kafka', { brokers: [broker.address], topic: 'logs' });
  await output.connect?.(signal);
  broker.failWith(MESSAGE_TOO_LARGE);
  await expect(send(anIdentified(1))).rejects.toBeInstanceOf(RefusedError);
  broker.failWith(NOT_ENOUGH_REPLICAS);
  const error = await send(anIdentified(1)).catch((reason: unknown) => reason);
  expect(error).not.toBeInstanceOf(RefusedError);
  expect(error).toMatchObject({ message: expect.stringContaining('did not take') });
  broker.failWith(0);
  await send(anIdentified(1));
  expect(broker.records).toHaveLength(1);
  await output.close(AbortSignal.timeout(5000));
});

test('nothing is waited for when it is already stopping', async () => {
  const broker = await startKafkaBroker('logs');
  const { output } = anOutput('kafka', { brokers: [broker.address], topic: 'logs' });
  await expect(output.connect?.(AbortSignal.abort())).rejects.toThrow('cannot connect to Kafka');
  await output.close(AbortSignal.timeout(5000));
});

test('a missing topic and a closed port are named', async () => {
  const broker = await startKafkaBroker('logs');
  const other = anOutput('kafka', { brokers: [broker.address], topic: 'missing' });
  await expect(other.output.connect?.(signal)).rejects.toThrow(
    'cannot connect to Kafka: Unknown topic missing.',
  );
  const away = anOutput('kafka', { brokers: ['127.0.0.1:1'], topic: 'logs' });
  await expect(away.output.connect?.(signal)).rejects.toThrow(/cannot connect to Kafka.*127\.0\.0\.1:1/);
  for (const { output } of [other, away]) await output.close(AbortSignal.timeout(5000));
});

test('configurations are checked', () => {
  const configuration = { brokers: ['kafka:9092'], topic: 'logs' };
  expect(outputProblems('kafka', configuration)).toEqual([]);
  expect(outputProblems('kafka', { ...configuration, sasl_mechanism: 'PLAIN' })).toEqual([
    'username is missing',
    'password is missing',
  ]);
  expect(outputProblems('kafka', { ...configuration, topic: 'a b' })).toHaveLength(1);
  expect(outputProblems('kafka', { ...configuration, brokers: [] })).toHaveLength(1);
});
