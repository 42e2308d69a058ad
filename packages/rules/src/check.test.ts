import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkRule } from './check.ts';
import type { RuleFunction } from './compile.ts';
import { parseRule } from './parse.ts';
import { TEST_FUNCTIONS, type TestContext } from './testing.ts';

function problemsOf(text: string) {
  const { rule, problems } = parseRule(text);
  if (rule === undefined) return problems;
  return checkRule<RuleFunction<TestContext>>(rule, text, TEST_FUNCTIONS).problems;
}

const when = (condition: string) => `rule "r" when ${condition} then end`;
const then = (statements: string) => `rule "r" when true then ${statements} end`;

describe('refuses', () => {
  test.each([
    [when('zzz_unknown()'), 'undeclared_function', 'There is no function zzz_unknown.', undefined],
    [when('to_strin(1) == "1"'), 'undeclared_function', 'There is no function to_strin.', 'to_string'],
    [when('x == 1'), 'undeclared_variable', 'There is no variable x.', undefined],
    [when('"text"'), 'incompatible_type', 'A condition is true or false; this is of type String.', undefined],
    [when('not 1'), 'incompatible_type', 'A condition is true or false; this is of type Long.', undefined],
    [when('"a" + 1 == "a1"'), 'incompatible_types', '+ does not work with String and Long.', undefined],
    [when('"a" - "b" == "ab"'), 'incompatible_types', '- does not work with String and String.', undefined],
    [when('1 < "b"'), 'incompatible_types', '< does not work with Long and String.', undefined],
    [
      when('upper($message.x) == "X"'),
      'incompatible_argument_type',
      'upper() wants String for value; this is of type Object.',
      'to_string($message.x)',
    ],
    [when('upper() == ""'), 'missing_required_param', 'upper() needs a value for value.', undefined],
    [when('upper("a", "b") == ""'), 'wrong_number_of_args', 'upper() takes 1 argument, not 2.', undefined],
    [when('upper(text: "a") == ""'), 'unknown_parameter', 'upper() has no parameter text.', undefined],
    [
      when('add(left: 1, left: 2) == 3'),
      'duplicate_argument',
      'The parameter left has two values.',
      undefined,
    ],
    [when('"abc"[0] == "a"'), 'non_indexable_type', 'A value of type String has no elements.', undefined],
    [
      when('[1]["a"] == 1'),
      'incompatible_index_type',
      'Elements of a list are found by a number; this is of type String.',
      'to_long("a")',
    ],
    [when('-"a" == 1'), 'incompatible_type', 'Only numbers have a sign; this is of type String.', undefined],
    [then('let x = [note("a")];'), 'incompatible_type', 'The function has no result.', undefined],
    [when('upper("forbidden") == ""'), 'invalid_argument', 'This text is forbidden.', undefined],
  ])('%s', (text, type, message, insert) => {
    const problems = problemsOf(text);
    expect(problems).toMatchObject([{ type, message }]);
    expect(problems[0]?.fix?.insert).toBe(insert);
  });
});

test('reports several problems at once, in the order of the text', () => {
  const problems = problemsOf('rule "r"\nwhen zzz_unknown()\nthen\n  let a = upper(1);\n  note(b);\nend');
  expect(problems.map(({ type, line }) => [type, line])).toEqual([
    ['undeclared_function', 2],
    ['incompatible_argument_type', 4],
    ['undeclared_variable', 5],
  ]);
});

test('a variable has the type of its value, and may be declared again', () => {
  expect(problemsOf(then('let a = 1; let b = a + 1; let a = "x"; note(upper(a));'))).toEqual([]);
  expect(problemsOf(then('let a = 1; note(upper(a));'))).toMatchObject([
    { type: 'incompatible_argument_type' },
  ]);
});

test('never throws, whatever expression it is given', () => {
  const { expression } = fc.letrec<{ expression: string }>((tie) => ({
    expression: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom('1', '2.5', '"a"', 'true', '$message.x', 'x', '[]', '{}'),
      fc
        .tuple(
          tie('expression'),
          fc.constantFrom('+', '-', '*', '/', '<', '==', 'and', 'or'),
          tie('expression'),
        )
        .map((all) => `(${all.join(' ')})`),
      tie('expression').map((inner) => `not (${inner})`),
      tie('expression').map((inner) => `-(${inner})`),
      tie('expression').map((inner) => `upper(${inner})`),
      fc
        .tuple(tie('expression'), tie('expression'))
        .map(([left, right]) => `add(left: ${left}, right: ${right})`),
      fc.tuple(tie('expression'), tie('expression')).map(([left, right]) => `(${left})[${right}]`),
      tie('expression').map((inner) => `(${inner}).y`),
      tie('expression').map((inner) => `{a: ${inner}, b: [${inner}]}`),
    ),
  }));
  fc.assert(
    fc.property(expression, (text) => {
      const rule = when(text);
      for (const { from, to } of problemsOf(rule)) {
        expect(from).toBeLessThanOrEqual(to);
        expect(to).toBeLessThanOrEqual(rule.length);
      }
    }),
    { numRuns: 500 },
  );
});

test('many mistakes are looked at no longer than they are reported', () => {
  const known = Array.from({ length: 9000 }, (_, number) => `let a${number} = 1;`).join('');
  expect(problemsOf(then(known + 'note(zzzz);'.repeat(5000)))).toHaveLength(50);
});
