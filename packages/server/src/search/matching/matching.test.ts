import { matchRequestSchema } from '@millrace/contract';
import { expect, test } from 'vitest';
import { InvalidError } from '#core/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { createMessageMatcher } from './index.ts';

const matcher = createMessageMatcher({ clock: new ManualClock(0) });
const match = (request: object) => matcher.match(matchRequestSchema.parse(request)).matches;

test('says which queries find each message', () => {
  const messages = [{ message: 'Disk ERROR', took: 7 }, { message: 'fine' }, {}];
  expect(match({ queries: ['error', 'took:>5', '*'], messages })).toEqual([[0, 1, 2], [2], [2]]);
});

test('an expression that takes long is stopped: the whole node waits for it', () => {
  let state = 1;
  const character = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return 'abcdefgh 0123456'.charAt((state >> 16) & 15);
  };
  const request = {
    // Every letter of the text may begin a match, which stays open for the next 900 characters.
    queries: ['message:/[a-z].{0,900}[A-Z]/'],
    messages: [{ message: `error ${Array.from({ length: 200_000 }, character).join('')}` }],
  };
  expect(() => match(request)).toThrow(InvalidError);
  expect(match({ queries: ['error'], messages: request.messages })).toEqual([[0]]);
});
