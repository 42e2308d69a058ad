import { expect, test } from 'vitest';
import { AnswerRoom } from './answer-room.ts';
import type { SimulatedMessage } from './simulated-message.ts';

const MIB = 1024 * 1024;
const messageWith = (fields: [string, string][]): SimulatedMessage => ({
  id: '',
  timestamp: 0,
  receivedAt: 0,
  streamIds: ['a'],
  fields: new Map(fields),
});

test('an answer has room for some texts, and cuts each of them', () => {
  const room = new AnswerRoom({ textCharacters: MIB, messages: 100 });
  const large = messageWith([
    ['one', 'x'.repeat(3 * MIB)],
    ['two', 'é'.repeat(MIB)],
  ]);
  const shown = room.messages(Array.from({ length: 61 }, () => large));
  expect(shown.length).toBeLessThan(5);
  expect(shown[0]?.fields.get('one')).toHaveLength(MIB);
  expect(room.isUsedUp()).toBe(true);
  const [own, ...others] = room.messages([large, large]);
  expect(own).toMatchObject({ streamIds: ['a'], fields: new Map() });
  expect(others).toEqual([]);
  const change = { field: 'one', before: 'x', after: 'y' };
  expect(room.changes([change, change])).toEqual([{ field: 'one', before: '', after: '' }]);
});

test('an answer has so many messages at most', () => {
  const room = new AnswerRoom({ textCharacters: 10, messages: 2 });
  const small = messageWith([['one', 'x']]);
  expect(room.messages([small, small, small])).toEqual([small, small]);
});
