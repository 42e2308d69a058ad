import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseMessageId } from '#core/index.ts';
import { aMessage } from '#testing/message-fixture.ts';
import { createMessageIds } from './message-id.ts';

/** The id that a message of the record gets. */
function idsOf(partition: string) {
  const giveId = createMessageIds(partition);
  return (offset: number, receivedAt: number, number?: number): string => {
    const message = aMessage({ gl2_receive_timestamp: receivedAt });
    giveId(message, offset, number);
    return message.id;
  };
}

describe('message ids', () => {
  const offset = fc.oneof(fc.nat(5000), fc.integer({ min: 0, max: 2 ** 40 - 1 }));
  const time = fc.integer({ min: 0, max: Date.UTC(2299, 11, 31) });

  test('have 26 characters, are the same for the same record, whatever was asked before', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(offset, time), { minLength: 1 }), (records) => {
        const ids = idsOf('node/0');
        for (const [at, received] of records) {
          const id = ids(at, received);
          expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
          expect(idsOf('node/0')(at, received)).toBe(id);
        }
      }),
    );
  });

  test('sort by the time of receipt, then by the offset', () => {
    fc.assert(
      fc.property(offset, time, offset, time, (offsetA, timeA, offsetB, timeB) => {
        const ids = idsOf('node/0');
        const expected = Math.sign(timeA - timeB || offsetA - offsetB);
        const [a, b] = [ids(offsetA, timeA), ids(offsetB, timeB)];
        expect(a < b ? -1 : a > b ? 1 : 0).toBe(expected);
      }),
    );
  });

  test('differ between partitions', () => {
    expect(idsOf('node/0')(1, 1)).not.toBe(idsOf('node/1')(1, 1));
  });

  test('begin with the time as every ULID does', () => {
    expect(idsOf('p')(0, 1469918176385).slice(0, 10)).toBe('01ARYZ6S41');
  });
});

test('further messages of a record have ids of their own, with the time and the offset of the record', () => {
  const ids = idsOf('node/0');
  const all = [0, 1, 2, 1023].map((number) => ids(77, 1469918176385, number));
  expect(new Set(all).size).toBe(4);
  expect(all[0]).toBe(ids(77, 1469918176385));
  for (const id of all) expect(parseMessageId(id)).toMatchObject({ receivedAt: 1469918176385, offset: 77 });
  expect(all).toEqual([...all].sort());
});
