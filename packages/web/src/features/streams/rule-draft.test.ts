import { expect, test } from 'vitest';
import { changesOf, completeRules, draftOf, newRule, requestOf } from './rule-draft.ts';

const stored = {
  matching_type: 'AND',
  rules: [
    {
      id: '1',
      stream_id: 's',
      type: 4,
      field: 'level',
      value: '4',
      inverted: false,
      description: null,
      content_pack: null,
    },
    {
      id: '2',
      stream_id: 's',
      type: 2,
      field: 'source',
      value: '^web',
      inverted: false,
      description: null,
      content_pack: null,
    },
  ],
} as const;
const before = draftOf({ ...stored, rules: [...stored.rules] });

test('the difference to what is stored', () => {
  expect(changesOf(before, before)).toEqual([]);
  const [level, source] = before.rules;
  const after = {
    matchingType: 'OR' as const,
    rules: [{ ...level!, value: '3' }, newRule({ type: 5, field: 'user' })],
  };
  expect(source?.id).toBe('2');
  expect(changesOf(before, after)).toEqual([
    { kind: 'matching', isAll: false },
    { kind: 'changed', before: 'level is smaller than 4', after: 'level is smaller than 3' },
    { kind: 'removed', rule: 'source matches ^web' },
    { kind: 'added', rule: 'user is present' },
  ]);
});

test('only complete rules are tried, and new ones have no id', () => {
  const rules = [newRule(), newRule({ field: ' a ', value: '1' }), newRule({ type: 7 })];
  expect(completeRules({ matchingType: 'AND', rules }).map(({ at }) => at)).toEqual([1, 2]);
  expect(requestOf(rules[1]!)).toEqual({ type: 1, field: 'a', value: '1', inverted: false, description: '' });
  expect(requestOf(before.rules[0]!)).toMatchObject({ id: '1' });
});
