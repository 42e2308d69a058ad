import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Expression } from './ast.ts';
import { checkRule } from './check.ts';
import { compileRule, type RuleFunction } from './compile.ts';
import { compareValues, dynamicArithmetic, negated } from './operators.ts';
import { parseRule } from './parse.ts';
import { TEST_FUNCTIONS, type TestContext } from './testing.ts';
import { boxDouble } from './values/numbers.ts';
import { areEqual, elementOf, memberOf, textOf, type Value } from './values/value.ts';

const HOST = {
  fieldReader: (field: string) => (context: TestContext) => context.message.get(field),
  message: () => undefined,
};

function contextOf(message: Readonly<Record<string, Value>>): TestContext {
  return { variables: [], made: () => {}, message: new Map(Object.entries(message)), notes: [] };
}

/** Runs a rule; the notes it made, or undefined when its condition does not hold. */
function run(text: string, message: Readonly<Record<string, Value>> = {}): readonly string[] | undefined {
  const { rule, problems } = parseRule(text);
  expect(problems).toEqual([]);
  if (rule === undefined) return undefined;
  const checked = checkRule<RuleFunction<TestContext>>(rule, text, TEST_FUNCTIONS);
  expect(checked.problems).toEqual([]);
  if (checked.rule === undefined) return undefined;
  const compiled = compileRule(checked.rule, HOST);
  const context = contextOf(message);
  if (!compiled.condition(context)) return undefined;
  for (const action of compiled.actions) action(context);
  return context.notes;
}

const noted = (expression: string, message?: Readonly<Record<string, Value>>) =>
  run(`rule "r" when true then note(${expression}); end`, message)?.[0];
const holds = (condition: string, message?: Readonly<Record<string, Value>>) =>
  run(`rule "r" when ${condition} then end`, message) !== undefined;

test.each([
  ['7 / 2', '3'],
  ['-7 / 2', '-3'],
  ['-7 % 2', '-1'],
  ['7 / 2.0', '3.5'],
  ['1 + 1.0', '2.0'],
  ['6.0 / 2.0', '3.0'],
  ['1.0E10 + 0.0', '1.0E10'],
  ['9007199254740991 + 2', '9007199254740993'],
  ['9223372036854775807 + 1', '-9223372036854775808'],
  ['3037000500 * 3037000500', '-9223372036709301616'],
  ['-(3)', '-3'],
  ['[1, 2.0, "x"]', '[1, 2.0, x]'],
  ['{a: 1, b: {c: true}}', '{a=1, b={c=true}}'],
  ['{a: [4, 5]}.a[1]', '5'],
  ['$message.n + 1', '6'],
  ['"a" + "b" + "c"', 'abc'],
  ['$message."n" + 1', '6'],
  ['$message.`n` + 1', '6'],
  ['$message.n * 2.0', '10.0'],
  ['$message.missing + 1', ''],
  ['to_string($message.missing, "none")', 'none'],
])('%s is %s', (expression, expected) => expect(noted(expression, { n: 5 })).toBe(expected));

test('conditions', () => {
  const message = { level: 3, source: 'web', big: 2n ** 60n };
  expect(holds('$message.level == 3 and $message.source != "db"', message)).toBe(true);
  expect(holds('$message.level == 3.0', message)).toBe(false);
  expect(holds('$message.level <= 3.5 && !has_field("x")', message)).toBe(true);
  expect(holds('$message.big > 9007199254740993', message)).toBe(true);
  expect(holds('$message.missing == "x"', message)).toBe(false);
  expect(holds('$message.missing != "x"', message)).toBe(false);
  expect(holds('$message.missing < 3 or $message.missing > 3', message)).toBe(false);
  expect(holds('has_field("x") or has_field("source") or fail()', message)).toBe(true);
  expect(holds('$message.source', message)).toBe(false);
  expect(() => holds('$message.missing == fail()', message)).toThrow('it failed');
});

describe('errors', () => {
  test('say which function failed and where', () => {
    expect(() => holds('\n  fail()')).toThrow("In call to function 'fail' at 2:3: it failed");
    expect(() => noted('1 / 0')).toThrow('In the expression at 1:30: an integer cannot be divided by zero');
    expect(() => holds('$message.source < 3', { source: 'web' })).toThrow(
      '"web" and "3" cannot be compared by <',
    );
  });
});

/** The simplest possible evaluation: walks the tree each time, knows no types, boxes every double. */
function interpret(node: Expression, variables: ReadonlyMap<string, Value>, context: TestContext): Value {
  const evaluated = (inner: Expression) => interpret(inner, variables, context);
  switch (node.kind) {
    case 'integer':
    case 'string':
    case 'boolean':
      return node.value;
    case 'float':
      return boxDouble(node.value);
    case 'variable':
      return variables.get(node.name);
    case 'message':
      return undefined;
    case 'message-field':
      return context.message.get(node.field);
    case 'list':
      return node.elements.map(evaluated);
    case 'map':
      return new Map(node.entries.map(({ key, value }) => [key, evaluated(value)]));
    case 'member':
      return memberOf(evaluated(node.object), node.field);
    case 'index':
      return elementOf(evaluated(node.object), evaluated(node.index));
    case 'sign':
      return node.isNegative ? negated(evaluated(node.operand)) : evaluated(node.operand);
    case 'not':
      return evaluated(node.operand) !== true;
    case 'and':
      return node.operands.every((operand) => evaluated(operand) === true);
    case 'or':
      return node.operands.some((operand) => evaluated(operand) === true);
    case 'call': {
      const fn = TEST_FUNCTIONS.get(node.name);
      const byName = new Map(
        node.args.map(({ name, value }, index) => [name ?? fn?.params[index]?.name, value]),
      );
      const args = fn?.params.map((parameter) => {
        const given = byName.get(parameter.name);
        return given && { evaluate: () => evaluated(given), isConstant: false, constant: undefined };
      });
      return fn?.compile(args ?? [])(context);
    }
    case 'binary': {
      const left = evaluated(node.left);
      const right = evaluated(node.right);
      switch (node.operator) {
        case '==':
          return left !== undefined && areEqual(left, right);
        case '!=':
          return left !== undefined && !areEqual(left, right);
        case '<':
        case '<=':
        case '>':
        case '>=':
          return compareValues(node.operator, left, right);
        default:
          return dynamicArithmetic(node.operator, left, right);
      }
    }
  }
}

function outcome(evaluate: () => Value): unknown {
  try {
    return textOf(evaluate());
  } catch (error) {
    return { failed: error instanceof Error && error.message.replace(/^In .*? at \d+:\d+: /, '') };
  }
}

test('compiled evaluation equals a naive interpreter', () => {
  const numbers = fc.constantFrom(
    '0',
    '1',
    '2',
    '7',
    '2.5',
    '4.0',
    '9007199254740993',
    '9223372036854775807',
    '$message.n',
    '$message.d',
    '$message.none',
  );
  const { number, logical } = fc.letrec<{ number: string; logical: string }>((tie) => ({
    number: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      numbers,
      fc
        .tuple(tie('number'), fc.constantFrom('+', '-', '*', '/', '%'), tie('number'))
        .map((all) => `(${all.join(' ')})`),
      tie('number').map((inner) => `-(${inner})`),
      tie('number').map((inner) => `[1, ${inner}][1]`),
      tie('number').map((inner) => `{k: ${inner}}.k`),
      tie('number').map((inner) => `to_long(${inner})`),
      tie('number').map((inner) => `add(to_long(${inner}), 3)`),
    ),
    logical: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.constantFrom('true', 'false', 'has_field("n")', '$message.flag', '$message.s == "web"'),
      fc
        .tuple(tie('number'), fc.constantFrom('<', '<=', '>', '>=', '==', '!='), tie('number'))
        .map((all) => `(${all.join(' ')})`),
      fc.array(tie('logical'), { minLength: 2, maxLength: 4 }).map((all) => `(${all.join(' and ')})`),
      fc.array(tie('logical'), { minLength: 2, maxLength: 4 }).map((all) => `(${all.join(' or ')})`),
      tie('logical').map((inner) => `not (${inner})`),
      tie('number').map((inner) => `to_string(${inner}) == upper(to_string($message.n))`),
    ),
  }));
  const messages = fc.record({
    n: fc.constantFrom<Value>(5, 0, -3, 2n ** 61n),
    d: fc.constantFrom<Value>(0.5, 1e300, boxDouble(3)),
    s: fc.constantFrom<Value>('web', 'db'),
    flag: fc.boolean(),
  });
  let compared = 0;
  fc.assert(
    fc.property(logical, number, messages, (condition, value, message) => {
      const text = `rule "r" when ${condition} then let x = ${value}; note(x); end`;
      const { rule } = parseRule(text);
      if (rule === undefined) throw new Error(text);
      const checked = checkRule<RuleFunction<TestContext>>(rule, text, TEST_FUNCTIONS);
      if (checked.rule === undefined) return;
      compared += 1;
      const compiled = compileRule(checked.rule, HOST);
      const context = contextOf(message);
      const expected = outcome(() => interpret(rule.condition, new Map(), context) === true);
      expect(outcome(() => compiled.condition(context))).toEqual(expected);
      const [statement] = rule.statements;
      if (statement?.kind !== 'let') throw new Error('no let');
      const found = outcome(() => {
        for (const action of compiled.actions) action(context);
        return context.notes[0];
      });
      expect(found).toEqual(outcome(() => interpret(statement.value, new Map(), context)));
    }),
    { numRuns: 1500 },
  );
  expect(compared).toBeGreaterThan(500);
});
