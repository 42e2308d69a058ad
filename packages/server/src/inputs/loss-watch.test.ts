import { expect, test } from 'vitest';
import { createMetrics } from '#telemetry/index.ts';
import { createLossWatch, droppedFieldCounter, lossesOf } from './loss-watch.ts';

const PREFIX = 'millrace.component.input.gelf-tcp.1';
const MEMORY =
  'unfinished messages used up their memory, so those that held most for longest were given up ' +
  '(dropped.memory_limit.events); look for senders that do not end their messages or send very slowly';

test('a loss is shown for a minute after it last happened, and blank messages are not a loss', () => {
  const metrics = createMetrics();
  const counter = (name: string) => metrics.counter(`${PREFIX}.${name}`, { help: '' });
  counter('dropped.memory_limit.events').increment(5);
  const watch = createLossWatch(metrics, PREFIX);
  counter('dropped.empty.events').increment();
  expect(watch.check(0)).toEqual({ text: undefined, reasons: [] });
  counter('dropped.memory_limit.events').increment();
  const lost = { text: `messages were lost or refused: ${MEMORY}`, reasons: ['dropped.memory_limit'] };
  expect(watch.check(10_000)).toEqual(lost);
  expect(watch.check(69_000)).toEqual(lost);
  counter('errors.connection_limit.connection').increment();
  expect(watch.check(70_000).text).toBe(
    'messages were lost or refused: connections were refused because too many were open ' +
      '(errors.connection_limit.connection); raise max_connections, or lower idle_timeout',
  );
  expect(watch.check(130_000)).toEqual({ text: undefined, reasons: [] });
});

test('fields that were dropped are no lost messages, and have an example', () => {
  const metrics = createMetrics();
  const watch = createLossWatch(metrics, PREFIX);
  droppedFieldCounter(metrics, PREFIX).increment(3);
  expect(watch.check(0)).toEqual({ text: undefined, reasons: [] });
  expect(lossesOf(metrics, PREFIX, '_@version')).toEqual([
    expect.objectContaining({
      reason: 'dropped.bad_field_name',
      unit: 'fields',
      count: 3,
      example: '_@version',
    }),
  ]);
});

test('everything that was lost is counted with words and a remedy, the most first', () => {
  const metrics = createMetrics();
  const counter = (name: string) => metrics.counter(`${PREFIX}.${name}`, { help: '' });
  expect(lossesOf(metrics, PREFIX)).toEqual([]);
  counter('dropped.empty.events').increment(9);
  counter('errors.connection_limit.connection').increment(2);
  counter('dropped.journal_full.events').increment(5);
  expect(lossesOf(metrics, PREFIX)).toEqual([
    {
      reason: 'dropped.journal_full',
      unit: 'events',
      example: null,
      count: 5,
      what: 'the journal is full',
      remedy: 'find out why messages are not stored, or raise message_journal_max_size',
    },
    expect.objectContaining({ reason: 'errors.connection_limit', count: 2 }),
  ]);
});
