import { expect, test } from 'vitest';
import { EVENTS_STREAM, FAILURES_STREAM } from '../../../lib/messages/index.ts';
import { heldAtFirst, heldQuery, streamsAround } from './surroundings.ts';

test('the surroundings become a query', () => {
  const fields = { source: 'web-1', user: 'ada "x"' };
  expect(heldQuery(fields, [])).toBe('*');
  expect(heldQuery(fields, ['source', 'user', 'nothing'])).toBe('source:web-1 AND user:"ada \\"x\\""');
});

test('around a message is its source, around an event everything, around a failure other failures', () => {
  const message = { source: 'web-1', streams: ['000000000000000000000001'] };
  expect(heldAtFirst(message)).toEqual(['source']);
  expect(streamsAround(message)).toEqual([]);
  const event = { source: 'node-1', streams: [EVENTS_STREAM] };
  expect(heldAtFirst(event)).toEqual([]);
  expect(streamsAround(event)).toEqual([]);
  const failure = { source: 'web-1', streams: [FAILURES_STREAM] };
  expect(heldAtFirst(failure)).toEqual(['source']);
  expect(streamsAround(failure)).toEqual([FAILURES_STREAM]);
});
