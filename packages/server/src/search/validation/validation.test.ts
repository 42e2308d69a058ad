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

test('a valid query is explained', async () => {
  expect(await validate('source:web level:3')).toEqual({
    status: 'OK',
    explanations: [],
    meaning: 'Messages whose source contains “web” or whose level is “3”.',
    normalized_query: 'source:web OR level:3',
  });
});

test('an error has a position, lines from 1 and columns from 0, and a suggestion', async () => {
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
        suggestion: 'Put a " at the end of the phrase. Write \\" for a quote in the text.',
        replacement: 'source:web AND\n  "connection ref"',
      },
    ],
  });
});

test('lower-case operators have their own type of warning', async () => {
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

test('an unknown field is one warning, with a similar field', async () => {
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

test('a correction keeps the case and escapes spaces', async () => {
  expect((await validate('Level:3')).explanations[0]?.replacement).toBe('level:3');
  expect((await validate('_exists_:user\\ nam')).explanations[0]?.replacement).toBe('_exists_:user\\ name');
});

test('a word for a number, a text for a time, an equals sign', async () => {
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

test('only fields of the given streams are known', async () => {
  const { explanations } = await validator.validate(principal, {
    query: 'level:3 source:web',
    streams: ['x'],
  });
  expect(explanations).toMatchObject([{ error_type: 'UNKNOWN_FIELD', related_property: 'level' }]);
});

test('an unknown time zone is refused', async () => {
  await expect(validator.validate(principal, { query: '*', timeZone: 'Moon/Crater' })).rejects.toMatchObject({
    code: 'invalid_request',
  } satisfies Partial<InvalidError>);
});

test('suggestions have only visible names, and are limited in number', () => {
  const [finding] = unknownFieldFindings('secert:1', ['source']);
  expect(finding?.problem.suggestion).not.toContain('secret');
  const many = Array.from({ length: 900 }, (_, index) => `f${index}x:1`).join(' ');
  expect(unknownFieldFindings(many, ['source'])).toHaveLength(20);
});

test('with too many similar fields there is no suggestion, to keep the main thread free', () => {
  const known = Array.from({ length: 20_000 }, (_, index) => `field_${String(index).padStart(5, '0')}`);
  const suggestionFor = (name: string, among: readonly string[]) =>
    unknownFieldFindings(`${name}:1`, among)[0]?.problem.suggestion;
  expect(suggestionFor('fiel_00007', known)).not.toContain('Did you mean');
  expect(suggestionFor('fiel_00007', known.slice(0, 100))).toBe('Did you mean field_00007?');
  expect(suggestionFor('levle', [...known, 'level'])).toBe('Did you mean level?');
});
