import { expect, test } from 'vitest';
import type { InvalidError, Principal } from '#core/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { unknownFieldFindings } from './field-findings.ts';
import { createQueryValidator } from './index.ts';

const TYPES: Record<string, ('string' | 'number' | 'boolean' | 'date')[]> = {
  level: ['number'],
  took_ms: ['number'],
  mixed: ['number', 'string'],
  source: ['string'],
  message: ['string'],
  timestamp: ['date'],
  'user name': ['string'],
};
const principal = { userId: 'u' } as unknown as Principal;
const validator = createQueryValidator({
  clock: new ManualClock(Date.UTC(2026, 5, 10)),
  fields: {
    names: async () => ({ fields: Object.keys(TYPES), types: TYPES }),
    types: async () => [{ name: 'source', type: { type: 'string', properties: [], index_names: [] } }],
  },
});
const validate = (query: string) => validator.validate(principal, { query });

test('a query that is fine says what it means', async () => {
  expect(await validate('source:web level:3')).toEqual({
    status: 'OK',
    explanations: [],
    meaning: 'Messages whose source contains “web” or whose level is “3”.',
    normalized_query: 'source:web OR level:3',
  });
});

test('an error has its place in lines from 1 and columns from 0, and the way out', async () => {
  expect(await validate('source:web AND\n  "connection ref')).toEqual({
    status: 'ERROR',
    explanations: [
      {
        error_type: 'QUERY_PARSING_ERROR',
        error_title: 'Query parsing error',
        error_message: 'The quote before "connection ref" is not closed.',
        severity: 'ERROR',
        begin_line: 2,
        begin_column: 2,
        end_line: 2,
        end_column: 17,
        suggestion: 'Put a " at the end of the phrase; a " that is part of the text is written \\".',
        replacement: 'source:web AND\n  "connection ref"',
      },
    ],
  });
});

test('lower-case operators are a warning of their own kind', async () => {
  const { status, explanations } = await validate('a and b');
  expect(status).toBe('WARNING');
  expect(explanations).toMatchObject([
    {
      error_type: 'INVALID_OPERATOR',
      error_title: 'Invalid operator',
      related_property: 'and',
      replacement: 'a AND b',
    },
  ]);
});

test('a field nobody has is a warning, once, with the one that was meant', async () => {
  const { status, explanations, meaning } = await validate(
    'levle:(3 OR 4) AND levle:5 AND NOT nothing.like.it:1',
  );
  expect(status).toBe('WARNING');
  expect(meaning).toBeDefined();
  expect(explanations).toMatchObject([
    {
      error_type: 'UNKNOWN_FIELD',
      error_message: 'No message has a field "levle".',
      related_property: 'levle',
      begin_column: 0,
      end_column: 5,
      suggestion: 'Did you mean level?',
      replacement: 'level:(3 OR 4) AND levle:5 AND NOT nothing.like.it:1',
    },
    { error_type: 'UNKNOWN_FIELD', related_property: 'nothing.like.it', begin_column: 35 },
  ]);
  expect(explanations[1]).not.toHaveProperty('replacement');
});

test('names in another case and with spaces are put right as they are written', async () => {
  expect((await validate('Level:3')).explanations[0]?.replacement).toBe('level:3');
  expect((await validate('_exists_:user\\ nam')).explanations[0]?.replacement).toBe('_exists_:user\\ name');
});

test('a word for a field of numbers, a text for a time, an equals sign', async () => {
  expect((await validate('took_ms:fast')).explanations).toMatchObject([
    { error_type: 'INVALID_VALUE_TYPE', severity: 'WARNING', related_property: 'took_ms' },
  ]);
  expect((await validate('took_ms:12.5 took_ms:1* mixed:fast')).explanations).toEqual([]);
  const time = await validate('timestamp:soon');
  expect(time.status).toBe('ERROR');
  expect(time.explanations).toMatchObject([{ error_type: 'INVALID_VALUE_TYPE', severity: 'ERROR' }]);
  expect(time).not.toHaveProperty('meaning');
  expect((await validate('level=3')).explanations).toMatchObject([
    { error_type: 'QUERY_WARNING', related_property: 'level', replacement: 'level:3' },
  ]);
  expect((await validate('colour=red')).explanations).toEqual([]);
});

test('fields of streams only', async () => {
  const { explanations } = await validator.validate(principal, {
    query: 'level:3 source:web',
    streams: ['x'],
  });
  expect(explanations).toMatchObject([{ error_type: 'UNKNOWN_FIELD', related_property: 'level' }]);
});

test('a time zone that is none is refused', async () => {
  await expect(validator.validate(principal, { query: '*', timeZone: 'Moon/Crater' })).rejects.toMatchObject({
    code: 'invalid_request',
  } satisfies Partial<InvalidError>);
});

test('only names that may be known are suggested, and not for hundreds of fields', () => {
  const [finding] = unknownFieldFindings('secert:1', ['secret', 'source'], ['source']);
  expect(finding?.problem.suggestion).not.toContain('secret');
  const many = Array.from({ length: 900 }, (_, index) => `f${index}x:1`).join(' ');
  expect(unknownFieldFindings(many, ['source'])).toHaveLength(20);
});

test('among very many fields of like names none is looked for, which would hold up everybody else', () => {
  const known = Array.from({ length: 20_000 }, (_, index) => `field_${String(index).padStart(5, '0')}`);
  const suggestionFor = (name: string, among: readonly string[]) =>
    unknownFieldFindings(`${name}:1`, among)[0]?.problem.suggestion;
  expect(suggestionFor('fiel_00007', known)).not.toContain('Did you mean');
  expect(suggestionFor('fiel_00007', known.slice(0, 100))).toBe('Did you mean field_00007?');
  expect(suggestionFor('levle', [...known, 'level'])).toBe('Did you mean level?');
});
