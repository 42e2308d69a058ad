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

test('of records that made room only what is not delivered yet is lost', () => {
  const sent = new SentMessages();
  sent.sent(60_000);
  sent.madeRoom(dropped(0, 40_000));
  sent.madeRoom(dropped(40_000, 50_000));
  sent.delivered(13_333);
  sent.delivered(39_999);
  // An earlier one may follow; it says nothing new.
  sent.delivered(20_000);
  expect(sent.lost()).toEqual({ messages: 10_001, bytes: 100_010 });
});

test('of records of which some were committed before, the others end where they all end', () => {
  const sent = new SentMessages();
  sent.sent(100);
  sent.madeRoom({ ...dropped(0, 100), records: 40 });
  sent.delivered(50);
  expect(sent.lost()).toEqual({ messages: 40, bytes: 1000 });
  sent.sent(200);
  sent.madeRoom({ ...dropped(100, 200), records: 40 });
  sent.delivered(190);
  expect(sent.lost()).toEqual({ messages: 10, bytes: 250 });
});

test('what was delivered before it made room is neither dropped nor lost', () => {
  const sent = new SentMessages();
  sent.delivered(10);
  expect(sent.madeRoom(dropped(0, 100))).toEqual({ messages: 90, bytes: 900 });
  sent.sent(150);
  sent.delivered(120);
  expect(sent.madeRoom(dropped(100, 200))).toEqual({ messages: 50, bytes: 500 });
  expect(sent.lost()).toEqual({ messages: 30, bytes: 300 });
});

test('after a broken connection everything is unsent again', () => {
  const sent = new SentMessages();
  sent.sent(300);
  sent.lost();
  expect(sent.madeRoom(dropped(0, 100)).messages).toBe(100);
});
