import type { PipelineFunctionView } from '@millrace/contract';
import { expect, test } from 'vitest';
import { ApiError } from '../api/index.ts';
import { problemsInAnswer, ruleProblems, signaturesOf, withFix } from './problems.ts';
import { ruleSuggestions } from './suggestions.ts';

const param = (name: string, type: string, optional = false) => ({
  name,
  type,
  transformed_type: type,
  optional,
  description: '',
});
const FUNCTIONS: PipelineFunctionView[] = [
  {
    name: 'has_field',
    description: 'Whether there is a field.',
    pure: true,
    return_type: 'Boolean',
    params: [param('field', 'String')],
  },
  {
    name: 'to_long',
    description: '',
    pure: true,
    return_type: 'Long',
    params: [param('value', 'Object'), param('default', 'Long', true)],
  },
];
const WORDS = { functions: FUNCTIONS, fields: ['took_ms', 'http-status'] };

test('a typo of a function is found with its place and a fix that mends it', () => {
  const source = 'rule "r"\nwhen\n  has_feld("x")\nthen\nend';
  const [problem] = ruleProblems(source, signaturesOf(FUNCTIONS));
  expect(problem).toMatchObject({ line: 3, column: 3, hint: 'Did you mean has_field?' });
  const mended = withFix(source, problem?.fix ?? { from: 0, to: 0, insert: '' });
  expect(ruleProblems(mended, signaturesOf(FUNCTIONS))).toEqual([]);
  expect(ruleProblems(source, undefined)).toEqual([]);
  expect(ruleProblems('rule "r" when', undefined)[0]?.message).toMatch(/./);
});

test('what the server finds gets a place in the text', () => {
  const source = 'rule "r"\nwhen\n  grok("%{NO}", "x") == "y"\nthen\nend';
  const body = [{ type: 'x', line: 3, position_in_line: 8, reason: 'No pattern.', hint: null, fix: null }];
  const [problem] = problemsInAnswer(new ApiError('no', { status: 400, body }), source);
  expect(source.slice(problem?.from, problem?.to)).toBe('"');
  expect(problem).toMatchObject({ line: 3, column: 8, message: 'No pattern.' });
  expect(problemsInAnswer(new ApiError('no', { status: 400, body: { message: 'no' } }), source)).toEqual([]);
  expect(problemsInAnswer(new Error('away'), source)).toEqual([]);
});

test('functions, fields and keywords are suggested where they fit, nothing inside of texts and comments', () => {
  const labels = (before: string, isWanted = false) =>
    ruleSuggestions(before, WORDS, isWanted)?.options.map(({ label }) => label);
  expect(labels('when has')).toContain('has_field');
  expect(labels('when ')).toBeUndefined();
  expect(labels('when ', true)).toContain('to_long');
  expect(labels('$message.t')).toEqual(['took_ms', 'http-status']);
  expect(ruleSuggestions('$message.', WORDS, false)?.options[1]?.text).toBe('`http-status`');
  expect(ruleSuggestions('has_field("to', WORDS, false)).toMatchObject({ from: 11 });
  expect(ruleSuggestions('has_field(field: "', WORDS, false)?.options[1]?.text).toBe('http-status');
  expect(labels('rule "to', true)).toBeUndefined();
  expect(labels('// to', true)).toBeUndefined();
  // A line that is complete: the list would cover what stands below.
  expect(labels('rule "r"\nwhen\n  true\nthen\nend')).toBeUndefined();
  expect(labels('rule "r"\nwhen\n  ends')).toContain('end');
  expect(labels('end', true)).toContain('end');
  expect(ruleSuggestions('to', WORDS, false)?.options[1]).toMatchObject({
    text: 'to_long(|)',
    detail: '(value, default?): Long',
  });
});
