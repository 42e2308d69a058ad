/** Random messages and random queries: the predicate and the SQL must agree on every pair. */
import type { FieldPattern, QueryNode, ValueMatch, WildcardPart } from '@millrace/query';
import { printQuery } from '@millrace/query';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { FieldValue, Message } from '#core/index.ts';
import { useTestClickHouse } from '#testing/clickhouse.ts';
import { testMessage, testMessageId } from '#testing/messages.ts';
import { findWithSql } from '#testing/search-conditions.ts';
import { mergeParts, STORING_NODE_ID, storeInEveryKindOfPart } from '#testing/stored-messages.ts';
import { compilePredicate } from './index.ts';

const server = useTestClickHouse();
const TABLE = 'random_messages';
const NOW = Date.UTC(2026, 5, 1, 12);
const AT = { from: 0, to: 0 };
const MESSAGES = 60;
const QUERIES = 80;
const PATIENCE = 600_000;
/** A new seed for every run. A failure prints it; put it here to reproduce the failure. */
const SEED = Date.now();

/** A few similar words, so that queries match: case, digits, long ids, characters beyond ASCII. */
const WORDS = [
  'a',
  'ab',
  'B',
  'error',
  'Error',
  'x1',
  'id12345',
  'ID12346',
  '123456',
  '9007199254740993',
  '42',
  '-7',
  '0.5',
  'true',
  'ü',
  'Straße',
  '東京',
  '🚀',
  'é\u200bf',
];
const SEPARATORS = [' ', '-', '.', '/', '\n', '  ', '_', '%', '\\', '*', "'", '\t', '\0', '\u001f'];
const FIELDS = ['f', 'g.h', 'message', 'full_message', 'source', 'level', 'timestamp'];

const word = fc.constantFrom(...WORDS);
const text = fc
  .array(fc.tuple(word, fc.constantFrom(...SEPARATORS)), { minLength: 0, maxLength: 5 })
  .map((pairs) => pairs.map(([each, separator]) => each + separator).join(''))
  .chain((joined) => fc.constantFrom(joined, joined.slice(0, -1)));
const number = fc.constantFrom(42, -7, 0.5, 1e21, 0, 1e-7, 123456, 9_007_199_254_740_993n);
const value: fc.Arbitrary<FieldValue> = fc.oneof(text, word, number, fc.boolean());

const message = fc.record({
  message: text,
  fullMessage: fc.option(text, { nil: undefined }),
  source: fc.oneof(word, text),
  level: fc.integer({ min: 0, max: 7 }),
  timestamp: fc.integer({ min: NOW - 5000, max: NOW + 5000 }),
  f: fc.option(value, { nil: undefined }),
  g: fc.option(value, { nil: undefined }),
});

/** Texts in a query: a word or two, a part of one, or an arbitrary text. */
const wanted = fc.oneof(
  word,
  text,
  word.map((each) => each.toUpperCase()),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
);
const end = fc.option(
  fc.record({
    text: fc.oneof(
      wanted,
      fc.constantFrom('42', '-7', '0', '1e300', '9007199254740992', 'now', 'now-1s', '2026'),
    ),
    inclusive: fc.boolean(),
  }),
  { nil: undefined },
);
const wildcardPart: fc.Arbitrary<WildcardPart> = fc.oneof(
  fc.constant<WildcardPart>({ type: 'any' }),
  fc.constant<WildcardPart>({ type: 'one' }),
  fc
    .oneof(word, fc.constantFrom('4', 'e', 'rr', '-', ' ', '.'))
    .map((each): WildcardPart => ({ type: 'text', text: each })),
);
const REGEXES = [
  'e.r',
  '^a',
  'b$',
  '(?i)ERROR',
  '\\d+',
  '[^a]b',
  '\\bab\\b',
  'a\\W+b',
  '4.*2',
  '.',
  '^$',
  '東.',
  '\\x1f',
  // Words that are complete, so that the index is asked first.
  '^error\\W',
  '(?i)^error$',
  '[ _/]error[-.]',
  '\\sid12345$',
  '(?:-|\\s)(Error)\\s+',
  '^123456',
];

const match: fc.Arbitrary<ValueMatch> = fc.oneof(
  wanted.map((each): ValueMatch => ({ type: 'term', text: each })),
  fc
    .record({ text: wanted, slop: fc.constantFrom(0, 0, 1, 3) })
    .map((each): ValueMatch => ({ type: 'phrase', ...each })),
  fc
    .array(wildcardPart, { minLength: 1, maxLength: 4 })
    // Nothing but `*` is no wildcard: the parser reads it as "all", or as "exists".
    .filter((pattern) => pattern.some(({ type }) => type !== 'any'))
    .map((pattern): ValueMatch => ({ type: 'wildcard', pattern })),
  fc.constantFrom(...REGEXES).map((source): ValueMatch => ({ type: 'regex', source })),
  fc
    .record({ text: wanted, distance: fc.constantFrom<0 | 1 | 2>(0, 1, 2) })
    .map((each): ValueMatch => ({ type: 'fuzzy', ...each })),
  fc
    .record({ lower: end, upper: end })
    .filter(({ lower, upper }) => lower !== undefined || upper !== undefined)
    .map((each): ValueMatch => ({ type: 'range', ...each })),
);
/** Those that name `f`, `g.h`, or fields with their own columns. */
const FIELD_PATTERNS: readonly FieldPattern[] = [
  [{ type: 'one' }],
  [{ type: 'text', text: 'g' }, { type: 'any' }],
  [{ type: 'text', text: 'g' }, { type: 'one' }, { type: 'text', text: 'h' }],
  [{ type: 'any' }, { type: 'text', text: 'f' }, { type: 'any' }],
  [{ type: 'text', text: 'le' }, { type: 'any' }],
];
const leaf: fc.Arbitrary<QueryNode> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .record({ field: fc.constantFrom(undefined, ...FIELDS), match })
      .map((each): QueryNode => ({ type: 'match', at: AT, ...each })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...FIELDS).map((field): QueryNode => ({ type: 'exists', field, at: AT })),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ pattern: fc.constantFrom(...FIELD_PATTERNS), match: fc.option(match, { nil: undefined }) })
      .map((each): QueryNode => ({ type: 'some-field', at: AT, ...each })),
  },
);
const query: fc.Arbitrary<QueryNode> = fc.oneof(
  { weight: 6, arbitrary: leaf },
  { weight: 1, arbitrary: leaf.map((part): QueryNode => ({ type: 'not', part })) },
  {
    weight: 2,
    arbitrary: fc
      .record({
        type: fc.constantFrom<'and' | 'or'>('and', 'or'),
        parts: fc.array(leaf, { minLength: 2, maxLength: 3 }),
      })
      .map((each): QueryNode => each),
  },
);

const messages = fc
  .sample(message, { seed: SEED, numRuns: MESSAGES })
  .map(({ f, g, ...parts }, index): Message => {
    const fields = { ...(f !== undefined && { f }), ...(g !== undefined && { 'g.h': g }) };
    return testMessage({ ...parts, fields, id: testMessageId(index) });
  });
const queries = fc
  .sample(query, { seed: SEED, numRuns: QUERIES })
  .map((each) => ({ query: each, now: NOW, timeZone: 'UTC' }));

beforeAll(() => storeInEveryKindOfPart(server(), TABLE, messages), PATIENCE);

function byPredicate(): number[][] {
  return queries.map(({ query: each, ...context }) => {
    const matches = compilePredicate(each, { ...context, nodeId: STORING_NODE_ID });
    return messages.flatMap((candidate, index) => (matches(candidate) ? [index] : []));
  });
}

function differences(found: readonly number[][]) {
  const expected = byPredicate();
  return queries.flatMap(({ query: each }, index) => {
    const [sql, predicate] = [found[index] ?? [], expected[index] ?? []];
    const disputed = sql.filter((position) => !predicate.includes(position));
    disputed.push(...predicate.filter((position) => !sql.includes(position)));
    const [first] = disputed;
    if (first === undefined) return [];
    const { message: body, fullMessage, source, level, timestamp, values } = messages[first] as Message;
    return [
      {
        seed: SEED,
        query: printQuery(each),
        node: each,
        sqlFinds: sql.includes(first),
        disputed: { body, fullMessage, source, level, timestamp, values },
      },
    ];
  });
}

test('SQL and predicate find the same messages, in one pass, in every kind of part and through the index', {
  timeout: PATIENCE,
}, async () => {
  const find = (some: typeof queries, how: Parameters<typeof findWithSql>[4]) =>
    findWithSql(server(), TABLE, messages, some, how);
  expect(differences(await find(queries, 'aggregate'))).toEqual([]);
  expect(differences(await find(queries, 'aggregate new'))).toEqual([]);
  // Under an emulator each statement takes its time.
  const some = process.arch === 'x64' ? queries : queries.slice(0, 8);
  const rest = byPredicate().slice(some.length);
  expect(differences((await find(some, 'where')).concat(rest))).toEqual([]);
  await mergeParts(server(), TABLE);
  expect(differences((await find(some, 'where')).concat(rest))).toEqual([]);
  // Make sure that the queries match something.
  const hits = byPredicate().filter(
    (positions) => positions.length > 0 && positions.length < messages.length,
  );
  expect(hits.length).toBeGreaterThan(QUERIES / 4);
});
