import { integerParameter } from '@millrace/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseJsonBody } from './json-body.ts';
import { findJsonFault } from './json-fault.ts';
import { invalidRequest, parsePart, problemText, type RequestProblem } from './validation.ts';

function findProblems(schema: z.ZodType, value: unknown): RequestProblem[] {
  const problems: RequestProblem[] = [];
  parsePart(schema, value, 'body', problems);
  return problems;
}

function problemsOf(schema: z.ZodType, value: unknown): string[] {
  return findProblems(schema, value).map(problemText);
}

test('each kind of problem says what was expected and what came', () => {
  const f = (schema: z.ZodType, value: unknown, ...expected: string[]) =>
    expect(problemsOf(schema, value)).toEqual(expected);

  f(z.string(), 5, 'body: expected string, got 5');
  f(z.string(), null, 'body: expected string, got null');
  f(z.array(z.int()), [1, {}], 'body[1]: expected a whole number, got an object');
  f(z.int(), 1.5, 'body: expected a whole number, got 1.5');
  f(z.number().int().optional(), '1.5', 'body: expected a whole number, got "1.5"');
  f(integerParameter({ min: 1 }).default(5), '1.5', 'body: expected a whole number, got "1.5"');
  f(z.strictObject({ limit: z.int() }), {}, 'body.limit: missing, expected a whole number');
  f(z.union([z.string(), z.int()]), 1.5, 'body: expected string or a whole number');
  f(z.number(), 'x', 'body: expected number, got "x"');
  f(z.number().lt(5), 5, 'body: expected a number of less than 5, got 5');
  f(z.array(z.int()).min(1), [], 'body: expected at least 1 elements, got an array');
  f(z.enum(['asc', 'desc']), 'up', 'body: expected one of "asc", "desc", got "up"');
  f(z.literal('x'), 'y', 'body: expected "x", got "y"');
  f(z.iso.datetime(), 'now', 'body: expected datetime, got "now"');
  f(z.string().regex(/^a/), 'b', 'body: expected text that matches /^a/, got "b"');
  f(z.number().multipleOf(5), 7, 'body: expected a multiple of 5, got 7');
  f(z.strictObject({}), { a: 1, b: 2 }, 'body: unknown properties "a", "b"; no properties are known here');
  f(z.string().min(3, 'too short for a title'), 'a', 'body: too short for a title');
  f(z.string(), 'x'.repeat(200).split(''), 'body: expected string, got an array');
  f(
    z.strictObject({ name: z.string().max(3) }),
    { name: 'y'.repeat(500) },
    `body.name: expected at most 3 characters, got "${'y'.repeat(79)}…`,
  );
});

test('the closest alternative of a union is explained', () => {
  const rule = z.union([z.string(), z.strictObject({ type: z.int(), field: z.string() })]);
  expect(problemsOf(rule, { type: 1 })).toEqual(['body.field: missing, expected string']);
  expect(problemsOf(rule, 5)).toEqual(['body: expected string or object']);
  const shape = z.strictObject({
    config: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('count') }),
      z.strictObject({ kind: z.literal('size') }),
    ]),
  });
  expect(problemsOf(shape, { config: { kind: 'age' } })).toEqual([
    'body.config.kind: expected one of "count", "size", got "age"',
  ]);
});

test('a type that no alternative of a union has is answered with those of all', () => {
  const range = z.union([
    z.strictObject({ type: z.literal('relative'), range: z.int() }),
    z.strictObject({ type: z.literal('relative'), from: z.int() }),
    z.strictObject({ type: z.literal('keyword'), keyword: z.string() }),
  ]);
  const shape = z.strictObject({ ranges: z.array(range) });
  expect(problemsOf(shape, { ranges: [{ type: 'bogus' }] })).toEqual([
    'body.ranges[0].type: expected one of "relative", "keyword", got "bogus"',
  ]);
  expect(problemsOf(shape, { ranges: [{ type: 'keyword' }] })).toEqual([
    'body.ranges[0].keyword: missing, expected string',
  ]);
});

test('secrets are not repeated, at any depth', () => {
  const schema = z.strictObject({ transport_password: z.strictObject({ value: z.int() }) });
  expect(problemsOf(schema, { transport_password: { value: 'hunter2' } }).join()).not.toContain('hunter2');
});

test('a long list of problems is truncated', () => {
  const problems = findProblems(z.array(z.int()), Array(50).fill('x'));
  expect(problems).toHaveLength(50);
  expect(invalidRequest(problems).message).toMatch(/body\[19\].*; and 30 more problems$/);
});

test('problems carry the path inside the body, or the name of the parameter', () => {
  const body = z.strictObject({ title: z.string(), rules: z.array(z.object({ type: z.int() })) });
  const problems = findProblems(body, { rules: [{ type: 1 }, { type: 'x' }], other: 1 });
  parsePart(z.object({ limit: z.int() }), { limit: 'x' }, 'query', problems);
  const error = invalidRequest(problems);
  expect(error.problems).toEqual([
    { path: 'title', message: 'missing, expected string' },
    { path: 'rules[1].type', message: 'expected a whole number, got "x"' },
    { path: '', message: 'unknown property "other"; known properties: "title", "rules"' },
    { path: 'limit', message: 'expected a whole number, got "x"' },
  ]);
  expect(error.message).toContain('body.rules[1].type: expected a whole number');
  expect(error.message).toContain('query parameter limit: expected a whole number');
});

test('a fault is found exactly where the engine finds one', () => {
  const nearJson = fc
    .tuple(
      fc.json({ maxDepth: 3 }),
      fc.nat(),
      fc.constantFrom('', ',', '}', ']', '"', ':', '\\', '1', 'e', '.', '-', ' ', '\n'),
    )
    .map(([text, at, character]) => {
      const position = at % (text.length + 1);
      return text.slice(0, position) + character + text.slice(position + 1);
    });
  const isJson = (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  fc.assert(
    fc.property(fc.oneof(nearJson, fc.json({ maxDepth: 3 }), fc.string()), (text) => {
      expect(findJsonFault(text) === undefined).toBe(isJson(text));
    }),
    { numRuns: 3000 },
  );
});

test('a fault is found in a huge body', () => {
  const size = 4_000_000;
  expect(findJsonFault(`{"a": "${'x'.repeat(size)}`)?.column).toBe(size + 8);
  expect(findJsonFault(`{"a": "${'\\n'.repeat(size / 2)}", }`)?.expected).toContain('property name');
  expect(findJsonFault('['.repeat(size))?.column).toBe(size + 1);
});

test('any JSON is returned unchanged, and any other text is a 400', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      fc.pre(!text.includes('__proto__'));
      expect(parseJsonBody(text)).toEqual(JSON.parse(text));
    }),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      try {
        parseJsonBody(text);
      } catch (error) {
        expect(error).toMatchObject({
          code: 'malformed_body',
          message: expect.stringMatching(/line \d+ column \d+/),
        });
      }
    }),
  );
});

test('the error shows where JSON is invalid without quoting the body', () => {
  const f = (text: string, where: string | RegExp) => expect(() => parseJsonBody(text)).toThrow(where);
  f('{"a": 1,\n "b": }', 'line 2 column 7: expected a value, found "}"');
  f('{"a": ', 'line 1 column 7: expected a value, the body ends there');
  f('{broken', 'line 1 column 2: expected a property name in double quotes or "}", found "b"');
  f('{"password":"hunter2",}', 'line 1 column 23: expected a property name in double quotes, found "}"');
  f(
    '{"password":"hunter2',
    'line 1 column 21: expected the rest of a string in double quotes, the body ends there',
  );
  f('{"a" 1}', 'line 1 column 6: expected ":", found "1"');
  f('[1 2]', 'line 1 column 4: expected a comma or the end of the list or object, found "2"');
  f('[1}', 'line 1 column 3: expected a comma or the end');
  f('[01]', 'line 1 column 2: expected a value or "]", found "0"');
  f('{} {}', 'line 1 column 4: expected the end of the body, found "{"');
  f('"\\x"', 'line 1 column 2: expected the rest of a string');
  f(' ', 'line 1 column 2: expected a value, the body ends there');
  f('NaN', 'line 1 column 1: expected a value, found "N"');
  f('{"\\u005f_proto__": {}}', /__proto__/);
  f('[[{"__proto__": 1}]]', /__proto__/);
  f(`${'['.repeat(200)}${']'.repeat(200)}`, /more than 100 levels/);
  f('['.repeat(100_000) + ']'.repeat(100_000), /more than 100 levels/);
  expect(parseJsonBody(`[${'1,'.repeat(300_000)}1]`)).toHaveLength(300_001);
  expect(parseJsonBody('"__proto__"')).toBe('__proto__');
  expect(parseJsonBody('')).toBeUndefined();
});
