import { expect, test } from 'vitest';
import { useTestClickHouse } from '#testing/clickhouse.ts';
import {
  ArrayColumn,
  DateTime64Column,
  type ElementColumn,
  NullableColumn,
  UInt8Column,
  UInt16Column,
  UInt32Column,
  UInt64Column,
} from '#testing/native-columns.ts';
import { createNativeBatch, type NativeColumn } from './native.ts';
import {
  BoolColumn,
  Float64Column,
  Int64Column,
  LowCardinalityStringColumn,
  StringColumn,
} from './native-columns.ts';
import { JsonColumn, type JsonValue } from './native-json.ts';

const server = useTestClickHouse();
let tables = 0;

/** A table with a row number and one more column, filled with a block and read back in order. */
async function roundTrip<Row>(
  column: NativeColumn,
  fill: (row: number) => void,
  rows: number,
  select: string,
): Promise<Row[]> {
  const { clickhouse } = server();
  const table = `native_${++tables}`;
  await clickhouse.commandOnEach(
    `CREATE TABLE ${table} (row UInt32, value ${column.type}) ENGINE = MergeTree ORDER BY row`,
  );
  const batch = createNativeBatch({ row: new UInt32Column(), value: column });
  for (let row = 0; row < rows; row++) {
    batch.columns.row.append(row);
    fill(row);
    batch.endRow();
  }
  await clickhouse.servers[0]!.insertNative({ table, block: batch.encode() });
  return clickhouse.query<Row>(`SELECT ${select} FROM ${table} ORDER BY row`);
}

async function stored<Value>(
  column: ElementColumn<Value>,
  values: readonly Value[],
  select = 'value',
): Promise<unknown[]> {
  const rows = await roundTrip<{ v: unknown }>(
    column,
    (row) => column.append(values[row]!),
    values.length,
    `${select} AS v`,
  );
  return rows.map((row) => row.v);
}

test('numbers keep every digit at their limits', async () => {
  expect(await stored(new UInt8Column(), [0, 1, 255])).toEqual([0, 1, 255]);
  expect(await stored(new UInt16Column(), [0, 258, 65535])).toEqual([0, 258, 65535]);
  expect(await stored(new UInt32Column(), [0, 16909060, 4294967295])).toEqual([0, 16909060, 4294967295]);
  expect(await stored(new UInt64Column(), [0, 2 ** 32, Number.MAX_SAFE_INTEGER, 2n ** 64n - 1n])).toEqual([
    '0',
    '4294967296',
    '9007199254740991',
    '18446744073709551615',
  ]);
  expect(
    await stored(new Int64Column(), [
      0,
      -1,
      -(2 ** 40),
      Number.MIN_SAFE_INTEGER,
      2n ** 63n - 1n,
      -(2n ** 63n),
    ]),
  ).toEqual([
    '0',
    '-1',
    '-1099511627776',
    '-9007199254740991',
    '9223372036854775807',
    '-9223372036854775808',
  ]);
  expect(await stored(new Float64Column(), [0, -1.5, 5e-324, 1.7976931348623157e308])).toEqual([
    0, -1.5, 5e-324, 1.7976931348623157e308,
  ]);
  expect(await stored(new Float64Column(), [Number.NaN, -0, Infinity], 'toString(value)')).toEqual([
    'nan',
    '-0',
    'inf',
  ]);
  expect(await stored(new BoolColumn(), [true, false])).toEqual([true, false]);
});

test('times keep their milliseconds, before 1970 too', async () => {
  const times = [0, 1, Date.UTC(2026, 10, 15, 1, 2, 3, 456), -1500];
  expect(await stored(new DateTime64Column(), times, 'toString(value)')).toEqual([
    '1970-01-01 00:00:00.000',
    '1970-01-01 00:00:00.001',
    '2026-11-15 01:02:03.456',
    '1969-12-31 23:59:58.500',
  ]);
});

const ODD_STRINGS = [
  '',
  'plain',
  'nul \0 inside',
  'emoji 🦀🦀🦀',
  'ünïcödé, 日本語',
  'x'.repeat(16),
  'ü'.repeat(16),
  'ü'.repeat(100),
  'y'.repeat(127),
  'y'.repeat(128),
  '日'.repeat(50),
  'z'.repeat(20_000),
  'm'.repeat(2 ** 20),
];
const HALF_PAIRS: readonly (readonly [string, string])[] = [
  ['\ud800', '\ufffd'],
  ['a\udc00b', 'a\ufffdb'],
  [`${'w'.repeat(200)}\ud83d`, `${'w'.repeat(200)}\ufffd`],
];

test('strings of any content and length come back as they were, half surrogate pairs as U+FFFD', async () => {
  const sent = [...ODD_STRINGS, ...HALF_PAIRS.map(([text]) => text)];
  const expected = [...ODD_STRINGS, ...HALF_PAIRS.map(([, text]) => text)];
  expect(await stored(new StringColumn(), sent)).toEqual(expected);
  expect(await stored(new LowCardinalityStringColumn(), [...sent, ...sent])).toEqual([
    ...expected,
    ...expected,
  ]);
});

test('dictionaries of every index width', async () => {
  for (const distinct of [256, 257, 65_537]) {
    const values = Array.from({ length: distinct + 3 }, (_, row) => `key ${row % distinct}`);
    const column = new LowCardinalityStringColumn();
    const [result] = await roundTrip<{ wrong: number }>(
      column,
      (row) => column.append(values[row]!),
      values.length,
      `countIf(value != 'key ' || toString(row % ${distinct})) OVER () AS wrong`,
    );
    expect({ distinct, wrong: Number(result?.wrong) }).toEqual({ distinct, wrong: 0 });
  }
});

test('arrays, also when all of them are empty', async () => {
  const column = () => new ArrayColumn(new LowCardinalityStringColumn());
  const values = [['a', 'b'], [], ['a'], ['', 'a', 'c']];
  expect(await stored(column(), values)).toEqual(values);
  expect(await stored(column(), [[], []])).toEqual([[], []]);
});

test('nullable values', async () => {
  expect(await stored(new NullableColumn(new StringColumn(), ''), ['a', null, ''])).toEqual(['a', null, '']);
  expect(await stored(new NullableColumn(new Float64Column(), 0), [null, 1.5])).toEqual([null, 1.5]);
});

test('a batch without rows stores nothing, with every type in it', async () => {
  const { clickhouse } = server();
  await clickhouse.commandOnEach(`CREATE TABLE empty (a UInt8, b LowCardinality(String),
    c Array(LowCardinality(String)), d Nullable(String), e JSON) ENGINE = MergeTree ORDER BY a`);
  const batch = createNativeBatch({
    a: new UInt8Column(),
    b: new LowCardinalityStringColumn(),
    c: new ArrayColumn(new LowCardinalityStringColumn()),
    d: new NullableColumn(new StringColumn(), ''),
    e: new JsonColumn(),
  });
  await clickhouse.servers[0]!.insertNative({ table: 'empty', block: batch.encode() });
  expect(await clickhouse.query('SELECT count() AS n FROM empty')).toEqual([{ n: '0' }]);
});

type Fields = Readonly<Record<string, JsonValue>>;

async function storedFields(rows: readonly Fields[], select: string): Promise<Record<string, unknown>[]> {
  const column = new JsonColumn();
  return roundTrip(
    column,
    (row) => {
      for (const [path, value] of Object.entries(rows[row]!)) column.set(path, value);
      column.endRow();
    },
    rows.length,
    select,
  );
}

test('one path holds numbers, integers, strings and booleans side by side', async () => {
  const rows = await storedFields(
    [{ a: 1.5 }, { a: 'text' }, {}, { a: true }, { a: 2n ** 60n + 1n }, { a: 'again', b: false }],
    'value.a.:Float64 AS f, value.a.:String AS s, value.a.:Bool AS b, value.a.:Int64 AS i, dynamicType(value.a) AS t',
  );
  expect(rows).toEqual([
    { f: 1.5, s: null, b: null, i: null, t: 'Float64' },
    { f: null, s: 'text', b: null, i: null, t: 'String' },
    { f: null, s: null, b: null, i: null, t: 'None' },
    { f: null, s: null, b: true, i: null, t: 'Bool' },
    { f: null, s: null, b: null, i: '1152921504606846977', t: 'Int64' },
    { f: null, s: 'again', b: null, i: null, t: 'String' },
  ]);
});

test('fields of every odd string', async () => {
  const sent = [...ODD_STRINGS, ...HALF_PAIRS.map(([text]) => text)];
  const rows = await storedFields(
    sent.map((text) => ({ s: text })),
    'value.s.:String AS s',
  );
  expect(rows.map((row) => row.s)).toEqual([...ODD_STRINGS, ...HALF_PAIRS.map(([, text]) => text)]);
});

test('a field and a field below its name both survive, and names with dashes', async () => {
  const rows = await storedFields(
    [{ web: 'a', 'web.port': 80, 'x-y': 'dash', 日本: 'name' }],
    'value.web.:String AS web, value.`web.port`.:Float64 AS port, value.`x-y`.:String AS dash, arraySort(JSONAllPaths(value)) AS paths',
  );
  expect(rows).toEqual([{ web: 'a', port: 80, dash: 'dash', paths: ['web', 'web.port', 'x-y', '日本'] }]);
});

test('a thousand distinct fields, each in some rows only', async () => {
  const fieldsOf = (row: number): Fields =>
    Object.fromEntries(
      Array.from({ length: 100 }, (_, n) => [`field_${(row * 100 + n) % 1000}`, row + n / 100]),
    );
  const rows = await storedFields(
    Array.from({ length: 20 }, (_, row) => fieldsOf(row)),
    'length(JSONAllPaths(value)) AS paths, value.field_101.:Float64 AS f',
  );
  expect(rows.map((row) => row.paths)).toEqual(Array(20).fill('100'));
  expect(rows.map((row) => row.f)).toEqual(
    Array.from({ length: 20 }, (_, row) => (row % 10 === 1 ? row + 0.01 : null)),
  );
});

test('rows without any field', async () => {
  const rows = await storedFields([{}, {}], 'JSONAllPaths(value) AS paths');
  expect(rows).toEqual([{ paths: [] }, { paths: [] }]);
});

test('a batch is used again for other rows and other fields', async () => {
  const { clickhouse } = server();
  await clickhouse.commandOnEach(
    'CREATE TABLE reused (id UInt64, tag LowCardinality(String), fields JSON) ENGINE = MergeTree ORDER BY id',
  );
  const batch = createNativeBatch({
    id: new UInt64Column(),
    tag: new LowCardinalityStringColumn(),
    fields: new JsonColumn(),
  });
  const add = (id: number, tag: string, fields: Fields) => {
    batch.columns.id.append(id);
    batch.columns.tag.append(tag);
    for (const [path, value] of Object.entries(fields)) batch.columns.fields.set(path, value);
    batch.columns.fields.endRow();
    batch.endRow();
  };
  add(1, 'one', { a: 1, b: 'x' });
  add(2, 'one', { a: 'now text' });
  const first = batch.encode();
  batch.clear();
  add(3, 'two', { a: 3, c: true });
  const second = batch.encode();
  for (const block of [first, second]) await clickhouse.servers[0]!.insertNative({ table: 'reused', block });
  expect(
    await clickhouse.query('SELECT id, tag, JSONAllPathsWithTypes(fields) AS types FROM reused ORDER BY id'),
  ).toEqual([
    { id: '1', tag: 'one', types: { a: 'Float64', b: 'String' } },
    { id: '2', tag: 'one', types: { a: 'String' } },
    { id: '3', tag: 'two', types: { a: 'Float64', c: 'Bool' } },
  ]);
});
