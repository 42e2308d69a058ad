/** Text in a query reaches the engine only as a value, wherever it is in the query. */
import type { QueryNode, ValueMatch } from '@millrace/query';
import { beforeAll, expect, test } from 'vitest';
import { useTestClickHouse } from '#testing/clickhouse.ts';
import { testMessage, testMessageId } from '#testing/messages.ts';
import { findWithSql } from '#testing/search-conditions.ts';
import { storeMessages } from '#testing/stored-messages.ts';
import { createSqlParameters, queryCondition } from './index.ts';

const server = useTestClickHouse();
const TABLE = 'victims';
const AT = { from: 0, to: 0 };
const PATIENCE = 600_000;

const ATTACKS = [
  "' OR 1=1 --",
  "x') OR (1=1",
  "\\') OR 1=1 --",
  '` OR 1=1 OR `',
  '`.:String IS NULL OR fields.`',
  "'; DROP TABLE victims; --",
  '{p0:String}',
  '{x:Identifier}',
  "' UNION ALL SELECT name FROM system.tables --",
  '/* */ OR 1 /*',
  '\0\n\t\r\x1f\\',
  "\u2019 OR \uff07='",
  "%' ESCAPE '%",
  "],'') OR (1",
];

const messages = [
  testMessage({ id: testMessageId(0), message: 'harmless', fields: { user: 'alice' } }),
  ...ATTACKS.map((attack, index) =>
    testMessage({ id: testMessageId(index + 1), message: 'attacked', fields: { payload: attack } }),
  ),
];

beforeAll(() => storeMessages(server(), TABLE, messages, 1), PATIENCE);

/** Every place for a text in a query. */
function matchesOf(attack: string): ValueMatch[] {
  const end = { text: attack, inclusive: true };
  return [
    { type: 'term', text: attack },
    { type: 'phrase', text: attack, slop: 2 },
    {
      type: 'wildcard',
      pattern: [{ type: 'text', text: attack }, { type: 'any' }, { type: 'text', text: 'x' }],
    },
    { type: 'regex', source: `${attack.replaceAll(/[^a-z0-9 ]/gi, '\\$&')}x$` },
    { type: 'regex', source: attack },
    { type: 'fuzzy', text: attack, distance: 1 },
    { type: 'range', lower: end, upper: end },
  ];
}

function node(field: string | undefined, match: ValueMatch): QueryNode {
  return { type: 'match', field, match, at: AT };
}

test('values cannot inject SQL', { timeout: PATIENCE }, async () => {
  const attacks = ATTACKS.flatMap((attack, index) => [
    // Finds exactly this message, despite all quoting on the way.
    { query: node('payload', { type: 'phrase', text: attack, slop: 0 }), finds: [index + 1] },
    {
      query: node('payload', {
        type: 'wildcard',
        pattern: [{ type: 'text', text: attack }, { type: 'any' }],
      }),
      finds: [index + 1],
    },
    // Finds nothing: no value is in this field, and none makes the condition true.
    { query: node('message', { type: 'term', text: attack }), finds: [] },
  ]);
  const everyPlace = ATTACKS.slice(0, 3).flatMap((attack) =>
    matchesOf(attack).map((match) => ({ query: node('user', match), finds: [] })),
  );
  const everyKind = ['source', 'streams', 'level', '_id', 'timestamp', 'gl2_remote_ip'].map((field) => ({
    query: node(field, { type: 'term', text: "' OR 1=1 --" }),
    finds: [],
  }));
  // A pattern may match, which is fine; the engine must be able to run it.
  const isPattern = ({ query }: { query: QueryNode }) =>
    query.type === 'match' && query.match.type === 'regex';
  const all = [...attacks, ...everyPlace, ...everyKind];
  const queries = all.map(({ query }) => ({ query, now: 0, timeZone: 'UTC' }));
  const found = await findWithSql(server(), TABLE, messages, queries, 'aggregate');
  const answers = all.map(({ query }, index) => ({ query, finds: found[index] }));
  expect(answers.filter((each) => !isPattern(each))).toEqual(all.filter((each) => !isPattern(each)));
});

test('names of fields cannot inject SQL', { timeout: PATIENCE }, async () => {
  const queries = ATTACKS.flatMap((attack): QueryNode[] => [
    { type: 'exists', field: attack, at: AT },
    node(attack, { type: 'term', text: 'alice' }),
  ]);
  const context = { now: 0, timeZone: 'UTC' };
  const found = await findWithSql(
    server(),
    TABLE,
    messages,
    queries.map((query) => ({ query, ...context })),
    'aggregate',
  );
  expect(found).toEqual(queries.map(() => []));
  const rows = await server().clickhouse.query<{ n: string }>(`SELECT count() AS n FROM ${TABLE}`);
  expect(rows).toEqual([{ n: String(messages.length) }]);
});

test('the statement contains no text from the user', () => {
  for (const secret of ["se'cret", 'se`cret', 'secret', 'se\\cret']) {
    for (const field of [undefined, 'user', 'message', 'source', 'streams', 'timestamp', '_id', 'level']) {
      for (const match of matchesOf(secret)) {
        const sql = queryCondition(
          node(field, match),
          { fields: [{ name: 'user', types: ['string', 'number'] }], now: 0, timeZone: 'UTC' },
          createSqlParameters(),
        );
        expect(sql).not.toMatch(/secret|se.cret/);
      }
    }
  }
});

test('the engine accepts a long query with the deepest nesting allowed', {
  timeout: PATIENCE,
}, async () => {
  const parts = Array.from(
    { length: 300 },
    (_, index): QueryNode =>
      node(index % 3 === 0 ? 'user' : undefined, { type: 'phrase', text: `w${index} v${index}`, slop: 0 }),
  );
  let nested: QueryNode = { type: 'or', parts };
  for (let depth = 0; depth < 50; depth++) {
    nested = { type: 'and', parts: [{ type: 'not', part: nested }, { type: 'all' }] };
  }
  const found = await findWithSql(
    server(),
    TABLE,
    messages,
    [{ query: nested, now: 0, timeZone: 'UTC' }],
    'where',
  );
  expect(found).toEqual([[]]);
});
