import { expect, test } from 'vitest';
import { createAnswerMemory, UnavailableError } from './index.ts';

test('all answers together stay within the limit', () => {
  const memory = createAnswerMemory({ maxBytes: 100 });
  const one = memory.open();
  const other = memory.open();
  one.add(60);
  other.add(40);
  expect(() => other.add(1)).toThrow(UnavailableError);
  one.release();
  one.release();
  other.add(60);
  expect(() => memory.open().add(1)).toThrow(UnavailableError);
  other.release();
  expect(() => memory.open().add(100)).not.toThrow();
});
