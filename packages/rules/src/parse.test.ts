import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Expression } from './ast.ts';
import { parseFile, parsePipeline, parseRule } from './parse.ts';

/** The condition as text with all brackets, so that precedence shows. */
function shape(condition: string): string {
  const { rule, problems } = parseRule(`rule "r" when ${condition} then end`);
  expect(problems).toEqual([]);
  return rule === undefined ? '' : show(rule.condition);
}

function show(node: Expression): string {
  switch (node.kind) {
    case 'integer':
    case 'float':
    case 'boolean':
      return String(node.value);
    case 'string':
      return JSON.stringify(node.value);
    case 'variable':
      return node.name;
    case 'message':
      return '$message';
    case 'message-field':
      return `$${node.field}`;
    case 'call':
      return `${node.name}(${node.args.map(({ name, value }) => (name ? `${name}: ` : '') + show(value)).join(', ')})`;
    case 'list':
      return `[${node.elements.map(show).join(', ')}]`;
    case 'map':
      return `{${node.entries.map(({ key, value }) => `${key}: ${show(value)}`).join(', ')}}`;
    case 'member':
      return `${show(node.object)}.${node.field}`;
    case 'index':
      return `${show(node.object)}[${show(node.index)}]`;
    case 'sign':
      return `(${node.isNegative ? '-' : '+'}${show(node.operand)})`;
    case 'not':
      return `(not ${show(node.operand)})`;
    case 'and':
    case 'or':
      return `(${node.operands.map(show).join(` ${node.kind} `)})`;
    case 'binary':
      return `(${show(node.left)} ${node.operator} ${show(node.right)})`;
  }
}

describe('expressions', () => {
  test.each([
    ['a or b and c', '(a or (b and c))'],
    ['A OR b And NOT c', '(A or (b and (not c)))'],
    ['a || b && !c', '(a or (b and (not c)))'],
    ['not a == b', '((not a) == b)'],
    ['a == b < c', '(a == (b < c))'],
    ['1 + 2 * 3 - 4', '((1 + (2 * 3)) - 4)'],
    ['(1 + 2) * 3 % 2', '(((1 + 2) * 3) % 2)'],
    ['-a.b[1]', '(-a.b[1])'],
    ['a.b.c["x"].d', 'a.b.c["x"].d'],
    ['$message.source == "x"', '($source == "x")'],
    ['$message.`my field`', '$my field'],
    ['$message.rule', '$rule'],
    ['f(a: 1, b: [1, 2])', 'f(a: 1, b: [1, 2])'],
    ['f({a: 1, b: {}}, [])', 'f({a: 1, b: {}}, [])'],
    ['regex("a", b).matches == true', '(regex("a", b).matches == true)'],
    ['0x1F + 017 + 0b11 + 1_000 + 5L', '((((31 + 15) + 3) + 1000) + 5)'],
    ['1.5e3 + .5 + 2d + 1.', '(((1500 + 0.5) + 2) + 1)'],
    ["'a' == '\\n'", '("a" == "\\n")'],
    ['"\\u0041\\101\\t\\"\\\\"', '"AA\\t\\"\\\\"'],
    ['9007199254740993', '9007199254740993'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['a /* x */ and // y\n b', '(a and b)'],
  ])('%s', (text, expected) => expect(shape(text)).toBe(expected));

  test('a long chain is one expression, however long', () => {
    const { rule } = parseRule(`rule "r" when ${Array(5000).fill('a').join(' or ')} then end`);
    expect(rule?.condition).toMatchObject({ kind: 'or' });
    expect(parseRule(`rule "r" when ${Array(900).fill('1').join(' + ')} == 1 then end`).problems).toEqual([]);
  });
});

test('a rule', () => {
  const { rule } = parseRule('rule "r" when true then let x = 1; ; f(x); end');
  expect(rule).toMatchObject({
    name: 'r',
    statements: [
      { kind: 'let', name: 'x', value: { kind: 'integer', value: 1 } },
      { kind: 'call', call: { name: 'f', args: [{ value: { kind: 'variable', name: 'x' } }] } },
    ],
  });
  expect(parseRule('rule "r" when true end').rule).toMatchObject({ statements: [] });
});

test('a pipeline has its stages in the order of their numbers', () => {
  const { pipeline } = parsePipeline(
    `
    PIPELINE "p"
    stage 10 match ALL
      rule "a"; rule "b"
    stage -1 match either
    stage 2 match pass rule "c";
    end`.replace('-1', '1'),
  );
  expect(pipeline).toMatchObject({
    name: 'p',
    stages: [
      { number: 1, match: 'either', rules: [] },
      { number: 2, match: 'pass', rules: [{ name: 'c' }] },
      { number: 10, match: 'all', rules: [{ name: 'a' }, { name: 'b' }] },
    ],
  });
});

test('a text may have several', () => {
  const { rules, pipelines } = parseFile('rule "a" when true then end pipeline "p" stage 0 match all end');
  expect([rules.length, pipelines.length]).toEqual([1, 1]);
  expect(parseRule('rule "a" when true then end rule "b" when true then end').problems).toMatchObject([
    { message: 'The text is more than one rule.' },
  ]);
});

describe('mistakes', () => {
  test.each([
    ['rule "a" when x = 3 then end', 1, 17, 'A single = does not compare.', 'rule "a" when x == 3 then end'],
    [
      'rule "a" when true then f() end',
      1,
      28,
      'The statement has no semicolon.',
      'rule "a" when true then f(); end',
    ],
    [
      'rule "a"\nwhen true then f("\\d"); end',
      2,
      19,
      '\\d is not an escape.',
      'rule "a"\nwhen true then f("\\\\d"); end',
    ],
    ['rule "a" when f("x) then end', 1, 17, 'The text has no closing quote.', undefined],
    [
      'rule "a" when x == \'ab\' then end',
      1,
      20,
      'Single quotes hold exactly one character.',
      'rule "a" when x == "ab" then end',
    ],
    ['rule "a" then end', 1, 10, 'The rule has no condition.', undefined],
    ['rule when true then end', 1, 5, 'The rule has no name.', undefined],
    ['rule "a" when true then', 1, 24, 'The rule has no end.', 'rule "a" when true then\nend'],
    [
      'rule "a" when (true then end',
      1,
      20,
      'The parenthesis is not closed.',
      'rule "a" when (true) then end',
    ],
    ['rule "a" when true then x = 3; end', 1, 27, 'A variable is set by let.', undefined],
    ['hello', 1, 1, 'A text of rules starts with rule or pipeline, not with "hello".', undefined],
    ['rule "" when true then end', 1, 6, 'The name is empty.', undefined],
    [
      'rule "a" when 09 == 1 then end',
      1,
      15,
      '09 starts with 0, so it is octal, and has other digits than 0 to 7.',
      'rule "a" when 9 == 1 then end',
    ],
    [
      'rule "a" when 9223372036854775808 == 1 then end',
      1,
      15,
      'The number does not fit into 64 bits.',
      undefined,
    ],
    [
      'pipeline "p" stage 1 match all stage 1 match all end',
      1,
      32,
      'The pipeline has two stages 1.',
      undefined,
    ],
  ])('%s', (text, line, column, message, fixed) => {
    const [problem, ...others] = parseFile(text).problems;
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ line, column, message });
    const { fix } = problem ?? {};
    if (fixed === undefined) return;
    expect(fix && text.slice(0, fix.from) + fix.insert + text.slice(fix.to)).toBe(fixed);
    expect(parseFile(fixed).problems).toEqual([]);
  });
});

test('never throws, and places every problem inside of the text', () => {
  const piece = fc.constantFrom(
    ...'rule pipeline stage match all either pass when then end let and or not true "a" "b c" \'x\' " \' ( ) [ ] { } , ; : . = == != < >= + - * / % ! && || $message $message.a `x y` x f( 1 2.5 0x1f /* */ // \\'.split(
      ' ',
    ),
    '\n',
    '"\\d"',
    '\u{1f600}',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(piece, { maxLength: 40 }).map((all) => all.join(' ')),
        fc.string(),
      ),
      (text) => {
        const { problems, rules, pipelines } = parseFile(text);
        for (const { from, to, line, column } of problems) {
          expect(from).toBeGreaterThanOrEqual(0);
          expect(to).toBeLessThanOrEqual(text.length);
          expect(line).toBeLessThanOrEqual(text.split('\n').length);
          expect(column).toBeGreaterThan(0);
        }
        if (problems.length > 0) expect([rules, pipelines]).toEqual([[], []]);
      },
    ),
    { numRuns: 1000 },
  );
});

test('text without end is refused, whatever is nested in it', () => {
  const deep = `rule "r" when ${'('.repeat(400)}true${')'.repeat(400)} then end`;
  expect(parseRule(deep).problems).toMatchObject([{ message: expect.stringContaining('nested') }]);
  expect(parseRule(' '.repeat(300_000)).problems).toMatchObject([
    { message: expect.stringContaining('200000') },
  ]);
});

test.each([
  ['a sum', Array(5000).fill('1').join(' + ')],
  ['sums inside each other', `${`(${'1 + '.repeat(20)}`.repeat(100)}1${')'.repeat(100)}`],
])('%s that would need more stack than there is, is refused', (_, sum) => {
  const { problems } = parseRule(`rule "r" when ${sum} == 1 then end`);
  expect(problems).toMatchObject([{ message: expect.stringContaining('about 1000 are allowed') }]);
});

test('a text of nothing but mistakes is refused', () => {
  expect(parseRule('('.repeat(190_000)).problems).toMatchObject([
    { message: expect.stringContaining('A text of rules starts with') },
  ]);
});
