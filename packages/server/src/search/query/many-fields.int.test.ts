import { parseQuery } from '@millrace/query';
import { beforeAll, expect, test } from 'vitest';
import { useTestClickHouse } from '#testing/clickhouse.ts';
import { testMessage, testMessageId } from '#testing/messages.ts';
import { cataloguedFields, findWithSql } from '#testing/search-conditions.ts';
import { mergeIntoLargeParts, storeMessages } from '#testing/stored-messages.ts';
import { compilePredicate, createSqlParameters, queryCondition } from './index.ts';

/** More than `MAX_FIELDS`, so that all values of a message are read at once. */
const FIELDS = 45;
const TABLE = 'messages_with_many_fields';
const HUGE = 9_007_199_254_740_993n;

const server = useTestClickHouse();

/** Message `at` has its own field of each type, which holds its position, and no other field. */
const messages = [
  ...Array.from({ length: FIELDS }, (_, at) => ({
    [`number_${at}`]: at,
    [`flag_${at}`]: at % 2 === 0,
    [`text_${at}`]: `value ${at}`,
  })),
  { number_0: HUGE, flag_0: 'true', text_0: '17.5' },
  { number_1: 17.5, flag_1: 1, text_1: true },
  { number_2: -0, text_2: '^17' },
  { number_3: '17' },
].map((fields, at) => testMessage({ id: testMessageId(at), message: 'nothing', fields }));

const [HUGE_AT, FRACTION_AT, ZERO_AT, TEXT_AT] = [FIELDS, FIELDS + 1, FIELDS + 2, FIELDS + 3];
const EVEN = Array.from({ length: FIELDS }, (_, at) => at).filter((at) => at % 2 === 0);

const EXPECTED: readonly (readonly [string, readonly number[]])[] = [
  ['44', [44]],
  ['17.5', [HUGE_AT, FRACTION_AT]],
  ['0', [0, ZERO_AT]],
  [String(HUGE), [HUGE_AT]],
  [String(HUGE - 1n), []],
  ['/^value 3$/', [3]],
  ['/^.17/', [ZERO_AT]],
  ['number_*:44', [44]],
  ['number_*:17.5', [FRACTION_AT]],
  ['number_*:17', [17, TEXT_AT]],
  ['*_*:17.5', [HUGE_AT, FRACTION_AT]],
  [`*er_*:${HUGE}`, [HUGE_AT]],
  ['flag_*:true', [...EVEN, HUGE_AT]],
  ['text_*:"value 3"', [3]],
  ['text_*:va*e?3', [3]],
  ['NOT _exists_:text_*', [TEXT_AT]],
  ['NOT _exists_:flag_* AND _exists_:number_*', [ZERO_AT, TEXT_AT]],
];

const NEW = `${TABLE}_new`;
const LARGE = `${TABLE}_large`;

beforeAll(async () => {
  await storeMessages(server(), NEW, messages);
  await storeMessages(server(), LARGE, messages);
  await mergeIntoLargeParts(server(), LARGE);
});

function parsed(text: string) {
  const { query } = parseQuery(text);
  if (query === undefined) throw new Error(text);
  return { query, now: Date.UTC(2026, 5, 1), timeZone: 'UTC' };
}

/** Those of one field each, which is among the columns of a large part or not. */
const OF_ONE_FIELD = Array.from({ length: FIELDS }, (_, at) => [
  `number_${at}:${at}`,
  `number_${at}:>=${at}`,
  `text_${at}:"value ${at}"`,
  `_exists_:flag_${at}`,
]).flat();

test.each([NEW, LARGE])('%s: values are found exactly in any of many fields', async (table) => {
  const queries = [...EXPECTED.map(([text]) => text), '17', 'true', 'NOT true', ...OF_ONE_FIELD];
  const found = await findWithSql(server(), table, messages, queries.map(parsed), 'aggregate');
  expect(EXPECTED.map(([text], at) => [text, found[at]])).toEqual(EXPECTED);
  // These terms also match words: "17" and "value 17", and "true".
  const [seventeen, isTrue, isNotTrue] = found.slice(EXPECTED.length);
  expect(seventeen).toEqual([17, HUGE_AT, ZERO_AT, TEXT_AT]);
  expect(isTrue).toEqual([...EVEN, HUGE_AT, FRACTION_AT]);
  expect(isNotTrue).toHaveLength(messages.length - EVEN.length - 2);
  for (const [at, text] of queries.entries()) {
    const { query, ...context } = parsed(text);
    const matches = compilePredicate(query, context);
    const positions = messages.flatMap((message, position) => (matches(message) ? [position] : []));
    expect([text, found[at]]).toEqual([text, positions]);
  }
});

test('a large part has more fields than columns for them', async () => {
  const [part] = await server().clickhouse.query<{ type: string; columns: string; names: string }>(
    `SELECT (SELECT any(part_type) FROM system.parts WHERE active AND database = currentDatabase() AND table = '${LARGE}') AS type,
       length(arrayDistinct(arrayFlatten(groupArray(JSONDynamicPaths(fields))))) AS columns,
       length(arrayDistinct(arrayFlatten(groupArray(JSONAllPaths(fields))))) AS names FROM ${LARGE}`,
  );
  expect(part).toEqual({ type: 'Wide', columns: '128', names: String(3 * FIELDS) });
});

test('the statement stays short', () => {
  const fields = cataloguedFields(messages);
  for (const text of ['44', 'true', '/^value 3$/', 'number_*:44']) {
    const { query, ...context } = parsed(text);
    const condition = queryCondition(query, { ...context, fields }, createSqlParameters());
    expect(condition).toContain('JSONAllValues(fields)');
    expect(condition).not.toContain('number_44');
  }
});
