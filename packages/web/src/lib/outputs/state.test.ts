import type { OutputStateView } from '@millrace/contract';
import { expect, test } from 'vitest';
import { combinedOutputState } from './state.ts';

const state = (changes: Partial<OutputStateView>): OutputStateView => ({
  id: 'o',
  node_id: 'n',
  title: 'Archive',
  state: 'RUNNING',
  detailed_message: null,
  queued_messages: 2,
  queued_bytes: 10,
  queue_max_bytes: 100,
  oldest_message_at: null,
  oldest_message_age_ms: null,
  sent_messages: 0,
  messages_per_second: 3,
  dropped_messages: 0,
  refused_messages: 1,
  last_error: null,
  ...changes,
});

test('the worst node speaks for all, and figures are added up', () => {
  const failed = state({
    state: 'FAILED',
    oldest_message_age_ms: 7000,
    last_error: { message: 'Connection refused', at: '' },
  });
  expect(combinedOutputState([state({}), failed])).toMatchObject({
    state: 'FAILED',
    tone: 'danger',
    word: 'failed',
    why: 'Connection refused',
    queued: 4,
    bytes: 20,
    oldestMs: 7000,
    perSecond: 6,
    dropped: 0,
    refused: 2,
  });
  expect(combinedOutputState([])).toMatchObject({ tone: 'dim', word: 'unknown' });
});
