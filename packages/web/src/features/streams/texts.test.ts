import { expect, test } from 'vitest';
import { texts } from './texts.ts';

test('what is deleted with a stream is named', () => {
  expect(texts.deleteQuestion('Web', { rules: 2, conditions: 1, notifications: 1 })).toBe(
    'Delete “Web”? 2 rules, 1 alert condition, 1 notification and all rights to it are lost.',
  );
  expect(texts.deleteQuestion('Web', { rules: 0, conditions: 0, notifications: 0 })).toBe(
    'Delete “Web”? All rights to it are lost.',
  );
  expect(texts.deleteMany(2)).toContain('notifications');
});
