import { expect, test } from 'vitest';
import type { JournalIncident } from '#journal/index.ts';
import { SentMessages } from './sent-messages.ts';

/** The queue has dropped these records. */
const dropped = (offset: number, endOffset: number): JournalIncident => ({
  kind: 'records_dropped',
  message: '',
  partition: '/outputs/o/partition-0',
  records: endOffset - offset,
  bytes: (endOffset - offset) * 10,
  offset,
  endOffset,
});

test('what was never sent counts at once', () => {
  const sent = new SentMessages();
  expect(sent.madeRoom(dropped(0, 100))).toEqual({ messages: 100, bytes: 1000 });
  expect(sent.lost()).toEqual({ messages: 0, bytes: 0 });
});

test('of records of which some were sent only the others count', () => {
  const sent = new SentMessages();
  sent.sent(70);
  expect(sent.madeRoom(dropped(0, 100))).toEqual({ messages: 30, bytes: 300 });
  expect(sent.lost()).toEqual({ messages: 70, bytes: 700 });
});

test('what was sent counts when it is lost on the way, and only once', () => {
  const sent = new SentMessages();
  sent.sent(300);
  expect(sent.madeRoom(dropped(0, 100)).messages).toBe(0);
  expect(sent.madeRoom(dropped(100, 200)).messages).toBe(0);
  sent.delivered(100);
  expect(sent.lost()).toEqual({ messages: 100, bytes: 1000 });
  expect(sent.lost()).toEqual({ messages: 0, bytes: 0 });
});

test('what is delivered of records of which some were sent is not lost', () => {
  const sent = new SentMessages();
  sent.sent(70);
  sent.madeRoom(dropped(0, 100));
  sent.delivered(70);
  expect(sent.lost()).toEqual({ messages: 0, bytes: 0 });
});

test('after a broken connection everything is unsent again', () => {
  const sent = new SentMessages();
  sent.sent(300);
  sent.lost();
  expect(sent.madeRoom(dropped(0, 100)).messages).toBe(100);
});
