import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { threadClock } from '#core/index.ts';
import { parseLenientBody } from './lenient-body.ts';
import type { RequestProblem } from './validation.ts';

const schema = z.strictObject({
  title: z.string().min(1),
  count: z.int().min(1).optional(),
  ratio: z.number().nullable().optional(),
  disabled: z.boolean().optional(),
  timezone: z.enum(['UTC', 'Europe/Berlin']).optional(),
  rules: z.array(z.strictObject({ type: z.int(), inverted: z.boolean().default(false) })).optional(),
  range: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('relative'), range: z.int() }),
      z.strictObject({ type: z.literal('keyword'), keyword: z.string() }),
    ])
    .optional(),
});

function parse(body: unknown): { data: unknown; problems: RequestProblem[] } {
  const problems: RequestProblem[] = [];
  return { data: parseLenientBody(schema, body, problems), problems };
}

describe('a body of a client of Graylog', () => {
  test.each<[what: string, body: unknown, expected: unknown]>([
    ['that fits is taken as it is', { title: 'a', count: 3 }, { title: 'a', count: 3 }],
    ['may have unknown properties', { title: 'a', creator_user_id: 'b', matching: {} }, { title: 'a' }],
    [
      'may have them deep inside',
      { title: 'a', rules: [{ type: 1, id: 'x', stream_id: 'y' }] },
      { title: 'a', rules: [{ type: 1, inverted: false }] },
    ],
    [
      'may have numbers in quotes',
      { title: 'a', count: '900', ratio: '-0.5' },
      { title: 'a', count: 900, ratio: -0.5 },
    ],
    ['may have booleans in quotes', { title: 'a', disabled: 'true' }, { title: 'a', disabled: true }],
    ['may have them with capitals', { title: 'a', disabled: 'False' }, { title: 'a', disabled: false }],
    ['may have a number as text', { title: 1 }, { title: '1' }],
    ['may leave optional values empty', { title: 'a', timezone: '', count: '' }, { title: 'a' }],
    ['may have null for them', { title: 'a', timezone: null, count: null }, { title: 'a' }],
    ['may be wrapped', { entity: { title: 'a', x: 1 }, share_request: null }, { title: 'a' }],
    [
      'may need all of it at once',
      { entity: { title: 5, id: '', rules: [{ type: '2', inverted: 'false', id: 7 }] } },
      { title: '5', rules: [{ type: 2, inverted: false }] },
    ],
    [
      'may need it in an alternative of a union',
      { title: 'a', range: { type: 'relative', range: '300', from: 1 } },
      { title: 'a', range: { type: 'relative', range: 300 } },
    ],
  ])('%s', (_what, body, expected) => {
    expect(parse(body)).toEqual({ data: expected, problems: [] });
  });

  test.each<[what: string, body: unknown, path: string, message: string]>([
    ['a misspelt property', { title: 'a', disabeld: true }, '', 'unknown property "disabeld"'],
    ['an empty value that is needed', { title: '' }, 'title', 'expected at least 1 characters, got ""'],
    ['a missing value', { id: 'x' }, 'title', 'missing, expected string'],
    ['text that is no number', { title: 'a', count: 'many' }, 'count', 'expected a whole number, got "many"'],
    ['a number that is too small in quotes', { title: 'a', count: '0' }, 'count', 'got "0"'],
    ['a number beyond all numbers as text', JSON.parse('{"title":1e999}'), 'title', 'got Infinity'],
    ['a number that was rounded as text', JSON.parse('{"title":12345678901234567890}'), 'title', 'got 123'],
    ['an object as text', { title: {} }, 'title', 'expected string, got an object'],
    ['1 as a boolean', { title: 'a', disabled: 1 }, 'disabled', 'expected boolean, got 1'],
  ])('is refused for %s', (_what, body, path, message) => {
    const { data, problems } = parse(body);
    expect(data).toBeUndefined();
    expect(problems).toEqual([{ part: 'body', path, message: expect.stringContaining(message) }]);
  });

  test('never throws, changes no prototype, and what it accepts fits the schema', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const { data, problems } = parse(JSON.parse(text));
        expect(data === undefined).toBe(problems.length > 0);
        if (data !== undefined) expect(schema.safeParse(data).success).toBe(true);
        expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
      }),
    );
    parse(JSON.parse('{"title":"a","__proto__":{"x":1},"rules":[{"type":"1","__proto__":""}]}'));
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});

test('a large body that does not fit takes hardly any time besides that of reading it', () => {
  const text = `{"title":"a","unknown":[${'{},'.repeat(1_000_000)}{}]}`;
  const start = threadClock.now();
  const body: unknown = JSON.parse(text);
  const readMs = threadClock.now() - start;
  expect(parse(body).data).toEqual({ title: 'a' });
  expect(threadClock.now() - start - readMs).toBeLessThan(readMs + 100);
});
