import { expect, test } from 'vitest';
import { bytesOfMessage, drainMs, nodeFigures, roomMs } from './figures.ts';
import { listedNodes } from './queries.ts';

const gauge = (full_name: string, value: number) => ({
  full_name,
  name: '',
  type: 'gauge' as const,
  metric: { value },
});
const summary = (metrics: ReturnType<typeof gauge>[]) => ({ total: metrics.length, metrics });

test('figures are read by node; one that does not answer is missing', () => {
  const figures = nodeFigures({
    a: summary([gauge('org.graylog2.throughput.input.1-sec-rate', 7)]),
    b: null,
  });
  expect([...figures.keys()]).toEqual(['a']);
  expect(figures.get('a')).toMatchObject({ receivedPerSecond: 7, waiting: 0 });
});

test('the room of a journal follows from its rest, the size of messages and their rate', () => {
  const figures = {
    receivedPerSecond: 0,
    storedPerSecond: 0,
    waiting: 0,
    memory: 0,
    journalShare: 0.5,
    journalLimit: 2_000_000,
    journalPerSecond: 100,
  };
  expect(roomMs(figures, 1000)).toBe(10_000);
  expect(roomMs({ ...figures, journalPerSecond: 0 }, 1000)).toBeUndefined();
  expect(roomMs(figures, undefined)).toBeUndefined();
});

test('what waits is said as the time it takes to store it', () => {
  expect(drainMs({ waiting: 1200, storedPerSecond: 1000 })).toBe(1200);
  expect(drainMs({ waiting: 0, storedPerSecond: 0 })).toBe(0);
  expect(drainMs({ waiting: 3, storedPerSecond: 0 })).toBeUndefined();
});

test('the size of a message is that of all partitions together', () => {
  const journal = 'millrace.component.journal.journal.partition';
  const metrics = [
    gauge(`${journal}-0.received.bytes`, 300),
    gauge(`${journal}-0.received.events`, 2),
    gauge(`${journal}-1.received.bytes`, 100),
    gauge(`${journal}-1.received.events`, 2),
    gauge(`${journal}-1.sent.bytes`, 999),
  ];
  expect(bytesOfMessage(summary(metrics))).toBe(100);
  expect(bytesOfMessage(summary([]))).toBeUndefined();
});

test('a node that does not answer is listed with what the database knows of it', () => {
  const registered = {
    cluster_id: 'c',
    node_id: 'b-long-id',
    type: 'server' as const,
    is_master: false,
    is_leader: false,
    transport_address: '',
    last_seen: '2026-01-01T00:00:00.000Z',
    short_node_id: 'b',
    clock_offset_ms: 3,
    hostname: 'second',
  };
  expect(listedNodes({ 'b-long-id': null }, [registered])).toEqual([
    {
      id: 'b-long-id',
      shortId: 'b',
      hostname: 'second',
      isLeader: false,
      lastSeen: '2026-01-01T00:00:00.000Z',
      overview: undefined,
    },
  ]);
});
