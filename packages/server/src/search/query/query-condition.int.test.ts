import { parseQuery, type QueryNode } from '@millrace/query';
import { beforeAll, describe, expect, test } from 'vitest';
import { useTestClickHouse } from '#testing/clickhouse.ts';
import { testMessage, testMessageId } from '#testing/messages.ts';
import { expectedNames, QUERY_TABLE, type QueryRow } from '#testing/query-table.ts';
import { TABLE_NAMES, tableMessages } from '#testing/query-table-messages.ts';
import { cataloguedFields, findWithSql } from '#testing/search-conditions.ts';
import { mergeParts, storeInEveryKindOfPart, storeMessages } from '#testing/stored-messages.ts';
import { createSqlParameters, queryCondition } from './index.ts';
import { foldCase } from './words.ts';

const server = useTestClickHouse();
const NOW = Date.UTC(2026, 5, 1, 13);
const TABLE = 'messages_of_the_table';
const messages = tableMessages();
const context = { fields: cataloguedFields(messages), now: NOW, timeZone: 'UTC' };

beforeAll(() => storeInEveryKindOfPart(server(), TABLE, messages));

function parsed(text: string): QueryNode {
  const { query, problems } = parseQuery(text);
  if (query === undefined) throw new Error(`${text}: ${JSON.stringify(problems)}`);
  return query;
}

/** All queries and what they find, as one value, so that a failure shows every wrong row. */
async function found(rows: readonly QueryRow[], how: Parameters<typeof findWithSql>[4]) {
  const queries = rows.map(([text, , timeZone = 'UTC']) => ({ query: parsed(text), now: NOW, timeZone }));
  const positions = await findWithSql(server(), TABLE, messages, queries, how);
  return rows.map(([text], index) => [
    text,
    positions[index]?.map((position) => TABLE_NAMES[position]).join(' '),
  ]);
}

function expected(rows: readonly QueryRow[]) {
  return rows.map((row) => [row[0], expectedNames(row).join(' ')]);
}

/** Queries that use the text index: words and numbers of all kinds, alone, negated, joined and with other conditions. */
const ASK_THE_INDEX = [
  'REFUSED',
  'refused accepted',
  'connection AND refused',
  'NOT connection',
  '"quick brown fox"',
  '99b2e2f1-19c9-67e7-bdb1-a290e8c5c428',
  'c428',
  'request_id:99B2E2F1-19c9-67e7-bdb1-a290e8c5c428',
  'user:(alice OR bob)',
  'NOT user:alice AND _exists_:user',
  '00000000',
  '9007199254740993 AND _exists_:big',
  'message:(quick AND sleeps)',
  '99b2e2f1-*',
  'ÜBERPRÜFUNG',
  '🚀',
  'message:/^the lazy/',
  '/ fox (?:jumps|sleeps)/',
];

/** Statements are slow under an emulator: there only the queries above are asked as a search does it. */
const IS_EMULATED = process.arch !== 'x64';
const PATIENCE = 600_000;

describe('the table of queries', () => {
  const indexed = QUERY_TABLE.filter(([text]) => ASK_THE_INDEX.includes(text));

  test('finds the same messages in every kind of part, with and without the index', {
    timeout: PATIENCE,
  }, async () => {
    expect(indexed.length).toBe(ASK_THE_INDEX.length);
    const asked = IS_EMULATED ? indexed : QUERY_TABLE;
    expect(await found(asked, 'where')).toEqual(expected(asked));
    await mergeParts(server(), TABLE);
    expect(await found(asked, 'where')).toEqual(expected(asked));
    expect(await found(QUERY_TABLE, 'aggregate')).toEqual(expected(QUERY_TABLE));
    expect(await found(QUERY_TABLE, 'aggregate new')).toEqual(expected(QUERY_TABLE));
  });

  test('words use the index, also before a condition on a field', {
    timeout: PATIENCE,
  }, async () => {
    const asked = [
      ['refused', 'words_index'],
      ['"connection refused"', 'words_index'],
      ['user:alice', 'words_index'],
      ['gate-8.exam*', 'words_index'],
      ['message:/ refused by /', 'words_index'],
      ['/ refused by /', 'words_index'],
      ['user:/^alice [a-z]/', 'words_index'],
      ['a290e8c5c428', 'filtered_words_index'],
      ['request_id:99b2e2f1-19c9-67e7-bdb1-a290e8c5c428', 'filtered_words_index'],
    ] as const;
    for (const [text, index] of asked) {
      const parameters = createSqlParameters();
      const condition = queryCondition(parsed(text), context, parameters);
      const plan = await server().clickhouse.query<{ explain: string }>(
        `EXPLAIN indexes = 1 SELECT count() FROM ${TABLE} WHERE ${condition}`,
        { parameters: parameters.values },
      );
      expect(plan.map(({ explain }) => explain.trim())).toContain(`Name: ${index}`);
    }
  });
});

test('a message is found by its id', { timeout: PATIENCE }, async () => {
  const id = messages[3]?.id ?? '';
  const rows: QueryRow[] = [
    [`_id:${id}`, 'textStatus'],
    [`gl2_message_id:${id.toLowerCase()}`, 'textStatus'],
    ['_id:nonsense', 'none'],
  ];
  expect(await found(rows, 'where')).toEqual(expected(rows));
  expect(queryCondition(parsed(`_id:${id}`), context, createSqlParameters())).toContain('received_at = ');
});

test('a number without a field finds each message once, be it in a text, in a field or in both', {
  timeout: PATIENCE,
}, async () => {
  const numbered = [
    { message: 'order 48392 was shipped', fields: { order: 48_392 } },
    { message: 'order 48392 was paid' },
    { message: 'an order was paid', fields: { order: 48_392 } },
    { message: 'an order was paid', fields: { order: 48_391 } },
    { message: 'order 48391 was paid', fields: { note: '48392' } },
  ].map((parts, at) => testMessage({ ...parts, id: testMessageId(at) }));
  const asked: readonly (readonly [query: string, finds: readonly number[]])[] = [
    ['48392', [0, 1, 2, 4]],
    ['48392 AND paid', [1, 2, 4]],
    ['48392 AND 48391', [4]],
    ['paid AND NOT 48392', [3]],
    ['shipped OR 48391', [0, 3, 4]],
  ];
  const queries = asked.map(([text]) => ({ query: parsed(text), now: NOW, timeZone: 'UTC' }));
  await storeMessages(server(), 'numbered', numbered);
  const find = () => findWithSql(server(), 'numbered', numbered, queries, 'where');
  expect(await find()).toEqual(asked.map(([, finds]) => finds));
  await mergeParts(server(), 'numbered');
  expect(await find()).toEqual(asked.map(([, finds]) => finds));
});

test('lower case is the same in JavaScript and in the engine for every character', {
  timeout: PATIENCE,
}, async () => {
  const [row] = await server().clickhouse.query<{ changed: [number, string][] }>(
    `WITH multiIf(n < 128, char(n),
                  n < 2048, char(192 + intDiv(n, 64), 128 + n % 64),
                  n < 65536, char(224 + intDiv(n, 4096), 128 + intDiv(n, 64) % 64, 128 + n % 64),
                  char(240 + intDiv(n, 262144), 128 + intDiv(n, 4096) % 64, 128 + intDiv(n, 64) % 64, 128 + n % 64)) AS c
     SELECT groupArray((n, lowerUTF8(c))) AS changed
     FROM (SELECT toUInt32(number) AS n FROM numbers(1114112) WHERE number NOT BETWEEN 55296 AND 57343)
     WHERE lowerUTF8(c) != c`,
  );
  const changedHere: [number, string][] = [];
  for (let code = 0; code < 0x110000; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const character = String.fromCodePoint(code);
    if (foldCase(character) !== character) changedHere.push([code, foldCase(character)]);
  }
  const inOrder = row?.changed.sort(([a], [b]) => a - b);
  expect(inOrder).toEqual(changedHere);
  expect(changedHere.length).toBeGreaterThan(1000);
});
