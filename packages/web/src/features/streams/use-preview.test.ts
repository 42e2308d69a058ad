import { expect, test } from 'vitest';
import { ApiError } from '../../lib/api/index.ts';
import { newRule } from './rule-draft.ts';
import { problemsByRule } from './use-preview.ts';

test('a problem is shown at its rule, of those that were sent', () => {
  const sent = { field: 'message', value: '(' };
  const [first, unfinished, last] = [newRule(sent), newRule(), newRule(sent)];
  const problems = [
    { path: 'rules[1].value', message: 'no expression' },
    { path: 'title', message: 'missing' },
    { path: 'rules[2].value', message: 'not sent' },
  ];
  const error = new ApiError('wrong', { status: 400, code: 'invalid_request', problems });
  const shown = problemsByRule({ matchingType: 'AND', rules: [first, unfinished, last] }, error);
  expect([...shown]).toEqual([[`${last.key}.value`, 'no expression']]);
});
