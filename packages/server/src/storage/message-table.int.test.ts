import { expect, test } from 'vitest';
import { createFieldLayouts, type FieldValue, type Message, messageIdText } from '#core/index.ts';
import { useTestClickHouse } from '#testing/clickhouse.ts';
import { testMessage, testMessageId, testTarget } from '#testing/messages.ts';
import { createOldTable } from '#testing/old-tables.ts';
import { mergeIntoLargeParts } from '#testing/stored-messages.ts';
import { createMessageBlock } from './message-block.ts';
import { createMessageTables } from './message-tables.ts';
import { EXACT_JSON_SETTINGS, fieldColumn } from './schema/fields.ts';
import { INSERT_SETTINGS, MESSAGE_TABLE_VERSION } from './schema/message-table.ts';
import { filteredWordsHint, isExactWord, isFilteredWord } from './schema/text-index.ts';
import { MESSAGE_SELECTION, type StoredMessage, storedMessage } from './stored-messages.ts';

const server = useTestClickHouse();
let tables = 0;

async function newTable(): Promise<string> {
  const table = `messages_${++tables}`;
  await createMessageTables(server().clickhouse, { database: server().database }).ensure(table);
  return table;
}

async function store(table: string, messages: readonly Message[], indexNumber = 0, token?: string) {
  const block = createMessageBlock({ indexSetId: 'a', nodeId: 'node-1' });
  for (const message of messages) block.append(message, testTarget(['a', 'b'], ['s1', 's2']));
  await server().clickhouse.servers[0]?.insertNative({
    table,
    block: block.encode(indexNumber),
    settings: INSERT_SETTINGS,
    ...(token !== undefined && { deduplicationToken: token }),
  });
}

async function read(table: string): Promise<StoredMessage[]> {
  const rows = await server().clickhouse.query<Parameters<typeof storedMessage>[0]>(
    `SELECT ${MESSAGE_SELECTION} FROM ${table} ORDER BY id_offset`,
    { settings: EXACT_JSON_SETTINGS },
  );
  return rows.map((row) => storedMessage(row, 'a_0'));
}

async function count(table: string, where: string): Promise<number> {
  const rows = await server().clickhouse.query<{ n: string }>(
    `SELECT count() AS n FROM ${table} WHERE ${where}`,
  );
  return Number(rows[0]?.n);
}

function expected(message: Message): StoredMessage {
  const fields = new Map<string, FieldValue>();
  message.forEachField((name, value) => fields.set(name, value));
  return {
    id: message.id,
    index: 'a_0',
    timestamp: message.timestamp,
    receivedAt: message.receivedAt,
    source: message.source,
    message: message.message,
    fullMessage: message.fullMessage,
    level: message.level,
    streams: ['s1', 's2'],
    inputId: message.origin.inputId,
    nodeId: 'node-1',
    remoteAddress: message.origin.remoteAddress,
    remotePort: message.origin.remotePort,
    fields,
  };
}

const ODD = [
  '',
  ' ',
  'nul \0 inside',
  'line\nfeed\ttab',
  '🦀 日本語 ünï',
  '"quoted" \\ `ticks`',
  'x'.repeat(300),
];

test('messages come back as they were: odd texts, every type, any time', async () => {
  const table = await newTable();
  const layouts = createFieldLayouts();
  const messages = [
    ...ODD.map((text, index) =>
      testMessage(
        {
          id: testMessageId(index),
          message: text,
          fullMessage: text === '' ? undefined : `full ${text}`,
          source: text,
          fields: { text, other: `${text}!` },
        },
        layouts,
      ),
    ),
    ...[0, 1.5, -1e-300, 1.7976931348623157e308, 2 ** 53, true, false, 2n ** 62n, -(2n ** 63n), 'text'].map(
      (value, index) => testMessage({ id: testMessageId(100 + index), fields: { mixed: value } }, layouts),
    ),
    ...[Date.UTC(1900, 0, 1), -1, 0, Date.UTC(2026, 5, 1, 12, 30, 15, 123), Date.UTC(2299, 11, 31)].map(
      (timestamp, index) =>
        testMessage({ id: testMessageId(200 + index), timestamp, level: index * 1e8 }, layouts),
    ),
    testMessage({
      id: testMessageId(300),
      message: 'm'.repeat(2 ** 20),
      fields: { big: 'v'.repeat(2 ** 20) },
    }),
    testMessage({ id: testMessageId(2 ** 40 - 1, 1), receivedAt: 1, remotePort: 0, remoteAddress: '::1' }),
  ];
  await store(table, messages);
  expect(await read(table)).toEqual(messages.map(expected));
});

test('a field name with dots is a separate field from its prefix', async () => {
  const table = await newTable();
  const fields = {
    web: 1,
    'web.port': 8080,
    'web.port.x': 'deep',
    'user.id': 'u1',
    'a-b': true,
    '100%': 'p',
  };
  const message = testMessage({ fields });
  await store(table, [message]);
  expect((await read(table))[0]?.fields).toEqual(new Map(Object.entries(fields)));
  const where = (name: string, type: 'Float64' | 'String' | 'Bool', value: string) => {
    const column = fieldColumn(name);
    return column.kind === 'dynamic' ? `${column.typed(type)} = ${value}` : '0';
  };
  expect(await count(table, where('web', 'Float64', '1'))).toBe(1);
  expect(await count(table, where('web.port', 'Float64', '8080'))).toBe(1);
  expect(await count(table, where('web.port.x', 'String', "'deep'"))).toBe(1);
  expect(await count(table, where('user.id', 'String', "'u1'"))).toBe(1);
  expect(await count(table, where('a-b', 'Bool', 'true'))).toBe(1);
  expect(await count(table, where('100%', 'String', "'p'"))).toBe(1);
  expect(await count(table, where('user', 'String', "'u1'"))).toBe(0);
});

test('a thousand fields, more than get their own columns', async () => {
  const table = await newTable();
  const names = Array.from({ length: 1000 }, (_, index) => `field_${index}`);
  const wide = testMessage({ id: testMessageId(0), fields: Object.fromEntries(names.map((n, i) => [n, i])) });
  const single = names.map((name, index) =>
    testMessage({ id: testMessageId(1 + index), fields: { [name]: `value ${index}` } }),
  );
  await store(table, [wide, ...single]);
  const rows = await read(table);
  expect(rows).toEqual([wide, ...single].map(expected));
  const column = fieldColumn('field_999');
  const isThere = `${column.expression}.:String = 'value 999'`;
  expect(await count(table, isThere)).toBe(1);
  await mergeIntoLargeParts(server(), table);
  expect(await read(table)).toEqual(rows);
  expect(await count(table, isThere)).toBe(1);
});

test('words are found in every text, whatever their case, before and after a merge', async () => {
  const table = await newTable();
  const messages = [
    testMessage({ id: testMessageId(0), message: 'Connection REFUSED by peer', source: 'Gate-7' }),
    testMessage({ id: testMessageId(1), fullMessage: 'Stack: at Überprüfung()', fields: { user: 'Alice' } }),
  ];
  await store(table, messages.slice(0, 1));
  await store(table, messages.slice(1));
  const found = async () => [
    await count(table, "hasAllTokens(text, ['connection', 'refused'])"),
    await count(table, "hasAllTokens(text, ['alice'])"),
    await count(table, "hasAllTokens(text, ['überprüfung'])"),
    await count(table, "hasAllTokens(text, ['gate'])"),
    await count(table, "hasAllTokens(text, ['absent'])"),
  ];
  expect(await found()).toEqual([1, 1, 1, 1, 0]);
  await server().clickhouse.commandOnEach(`OPTIMIZE TABLE ${table} FINAL`);
  expect(await found()).toEqual([1, 1, 1, 1, 0]);
  const [parts] = await server().clickhouse.query<{ parts: string; indexed: string }>(
    `SELECT count() AS parts, countIf(secondary_indices_compressed_bytes > 0) AS indexed
     FROM system.parts WHERE table = {table:String} AND active`,
    { parameters: { table } },
  );
  expect(parts).toEqual({ parts: '1', indexed: '1' });
});

/** For each condition how many rows it finds, in one statement: they are slow under an emulator. */
async function counts(table: string, conditions: readonly string[]): Promise<number[]> {
  const columns = conditions.map((where, n) => `(SELECT count() FROM ${table} WHERE ${where}) AS c${n}`);
  const rows = await server().clickhouse.query<Record<string, string>>(`SELECT ${columns.join(', ')}`);
  return conditions.map((_, n) => Number(rows[0]?.[`c${n}`]));
}

test('words with digits are looked for in the texts, before and after a merge', async () => {
  const table = await newTable();
  const ids = ['order10083', 'order10739', '99b2e2f1-19c9-67e7-bdb1-a290e8c5c428', 'x345'];
  for (const [index, id] of ids.entries()) {
    const message = `Größe of ${id.toUpperCase()} is unknown`;
    await store(table, [testMessage({ id: testMessageId(index), message, fields: { request_id: id } })]);
  }
  const list = (words: readonly string[]) => `['${words.join("', '")}']`;
  const exact = (word: string) => `hasToken(lowerUTF8(text), '${word}')`;
  const hinted = (word: string) => `${filteredWordsHint('all', list([word]))} AND ${exact(word)}`;
  const expectations: readonly (readonly [condition: string, rows: number])[] = [
    ["hasAllTokens(text, ['größe', 'unknown'])", 4],
    [hinted('order10083'), 1],
    [hinted('a290e8c5c428'), 1],
    [hinted('order'), 0],
    [`NOT (${hinted('order10083')})`, 3],
    [`${filteredWordsHint('any', list(['order10083', 'order10739']))} AND text LIKE '%ORDER%'`, 2],
    [exact('x345'), 1],
    [exact('bdb1'), 1],
    [exact('345'), 0],
    ["text LIKE '%E8C5%'", 1],
    ["text LIKE '% ORDER10083 is%'", 1],
    ["text ILIKE '%order100%'", 1],
    ["lowerUTF8(text) LIKE '% order10083 %'", 1],
    ["match(text, '(?i)of order10083 is')", 1],
    ["startsWith(text, 'Größe of ORDER10')", 2],
  ];
  expect(['größe', 'order10083', 'a290e8c5c428', 'x345', 'bdb1'].map(isExactWord)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
  expect(['größe', 'order10083', 'a290e8c5c428', 'x345', 'bdb1'].map(isFilteredWord)).toEqual([
    false,
    true,
    true,
    false,
    false,
  ]);
  const conditions = expectations.map(([condition]) => condition);
  const found = async () => {
    const rows = await counts(table, conditions);
    return conditions.map((condition, n) => [condition, rows[n]]);
  };
  expect(await found()).toEqual(expectations);
  await server().clickhouse.commandOnEach(`OPTIMIZE TABLE ${table} FINAL`);
  expect(await found()).toEqual(expectations);
});

test('the filters exclude granules without the id, and never one with it', async () => {
  const { clickhouse } = server();
  const table = await newTable();
  await clickhouse.commandOnEach(
    `INSERT INTO ${table} (timestamp, id_offset, text) SELECT number, number, concat('Order A', toString(100000 + number)) FROM numbers(40000)`,
  );
  await clickhouse.commandOnEach(`OPTIMIZE TABLE ${table} FINAL`);
  const hint = filteredWordsHint('all', "['a112345']");
  const plan = await clickhouse.query<{ explain: string }>(
    `EXPLAIN indexes = 1 SELECT text FROM ${table} WHERE ${hint}`,
  );
  const granules = plan.map(({ explain }) => /Granules: (\d+)\/(\d+)/.exec(explain)?.slice(1).map(Number));
  const [read = 0, all] = granules.filter((each) => each !== undefined).at(-1) ?? [];
  expect(all).toBe(20);
  // A hundredth of the others may be read in vain.
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(5);
  expect(await count(table, `${hint} AND hasToken(lowerUTF8(text), 'a112345')`)).toBe(1);
});

test('where words occur is kept between searches, and one over a short time hides nothing from the next', async () => {
  const { clickhouse } = server();
  const table = await newTable();
  await clickhouse.commandOnEach(
    `INSERT INTO ${table} (timestamp, id_offset, text)
     SELECT fromUnixTimestamp64Milli(number), number, concat(number % 2 ? 'Gate' : 'Weir', number % 3 ? '' : ' flood') FROM numbers(40000)`,
  );
  await clickhouse.commandOnEach(`OPTIMIZE TABLE ${table} FINAL`);
  const found = (span: string, words: string) =>
    count(table, `${span} AND ${words} SETTINGS use_text_index_postings_cache = 1`);
  const spans = [
    [39_000, 39_006],
    [0, 39_996],
    [24_000, 24_012],
    [1200, 39_996],
    [0, 39_996],
  ] as const;
  for (const [from, to] of spans) {
    const span = `timestamp >= fromUnixTimestamp64Milli(${from}) AND timestamp < fromUnixTimestamp64Milli(${to})`;
    expect(await found(span, "hasAllTokens(text, ['flood'])")).toBe((to - from) / 3);
    expect(await found(span, "hasAllTokens(text, ['flood', 'gate'])")).toBe((to - from) / 6);
    expect(await found(span, "hasAnyTokens(text, ['flood', 'gate'])")).toBe(((to - from) * 2) / 3);
  }
});

test('granules of large messages have fewer rows, and those of small ones 2048, before and after a merge', async () => {
  const rowsAGranule = async (messageBytes: number) => {
    const table = await newTable();
    const message = 'x'.repeat(messageBytes);
    const messages = Array.from({ length: 2048 }, (_, index) =>
      testMessage({ id: testMessageId(index), message }),
    );
    await store(table, messages);
    const largest = () =>
      server().clickhouse.query<{ n: number }>(
        `SELECT max(rows) AS n FROM (SELECT _part, _part_granule_offset, toUInt32(count()) AS rows FROM ${table} GROUP BY ALL)`,
      );
    const before = await largest();
    await mergeIntoLargeParts(server(), table);
    return [...before, ...(await largest())].map(({ n }) => n);
  };
  expect(await rowsAGranule(10)).toEqual([2048, 2048]);
  for (const rows of await rowsAGranule(8192)) expect(rows * 8192).toBeLessThanOrEqual(4 * 2 ** 20);
});

test('merged parts have a file for each sub-column from 32 768 messages on, inserted parts never', async () => {
  const { clickhouse, database } = server();
  const kinds = async (messages: number) => {
    const table = await newTable();
    const kind = () =>
      clickhouse.query<{ part_type: string }>(
        `SELECT part_type FROM system.parts WHERE active AND database = '${database}' AND table = '${table}'`,
      );
    await clickhouse.commandOnEach(
      `INSERT INTO ${table} (timestamp, id_offset, text, fields)
       SELECT number, number, 'order', concat('{"status":', toString(number % 7), '}') FROM numbers(${messages})`,
    );
    const inserted = await kind();
    await clickhouse.commandOnEach(`OPTIMIZE TABLE ${table} FINAL`);
    return [...inserted, ...(await kind())].map(({ part_type }) => part_type);
  };
  expect(await kinds(32_768)).toEqual(['Compact', 'Wide']);
  expect(await kinds(32_767)).toEqual(['Compact', 'Compact']);
});

test('the column of ids has what messages have, in tables of the first layout too', async () => {
  const { clickhouse, database } = server();
  const old = `messages_${++tables}`;
  await clickhouse.commandOnEach(createOldTable(old, 1));
  await createMessageTables(clickhouse, { database }).ensure(old);
  const largest = 2 ** 40 - 1;
  const messages = [0, 1, Date.UTC(2026, 10, 19, 12, 30, 15, 123), Date.UTC(2299, 11, 31)].flatMap(
    (receivedAt) =>
      [0, 1, 12_345_678_901, largest].flatMap((partition) =>
        [0, 31, 32, 98_765_432_109, largest].map((offset) =>
          testMessage({ id: messageIdText({ receivedAt, partition, offset }), receivedAt }),
        ),
      ),
  );
  for (const table of [await newTable(), old]) {
    await store(table, messages);
    const rows = await clickhouse.query<{ id: string }>(`SELECT id FROM ${table}`);
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(messages.map(({ id }) => id)));
    const [{ expression } = {}] = await clickhouse.query<{ expression: string }>(
      "SELECT default_expression AS expression FROM system.columns WHERE table = {table:String} AND name = 'id'",
      { parameters: { table } },
    );
    // Every statement analyses it: functions of each digit took a seventh of the time of a count.
    expect(expression).not.toContain('->');
  }
});

test('a table of the first layout gets the current indexes', async () => {
  const { clickhouse, database } = server();
  const table = `messages_${++tables}`;
  await clickhouse.commandOnEach(createOldTable(table, 1));
  const order = (number: number) =>
    testMessage({ id: testMessageId(number), message: `Order a${10_000 + number} came`, fields: { number } });
  await store(table, [order(1)]);
  await clickhouse.commandOnEach(`OPTIMIZE TABLE ${table} FINAL`);

  const ours = createMessageTables(clickhouse, { database });
  await ours.ensure(table);
  await ours.ensure(table);
  await store(table, [order(2)]);
  const conditions = [
    "hasAllTokens(text, ['order'])",
    `${filteredWordsHint('all', "['a10001']")} AND hasToken(lowerUTF8(text), 'a10001')`,
  ];
  expect(await counts(table, conditions)).toEqual([2, 1]);
  await clickhouse.commandOnEach(`OPTIMIZE TABLE ${table} FINAL`);
  expect(await counts(table, conditions)).toEqual([2, 1]);
  expect(await read(table)).toEqual([order(1), order(2)].map(expected));
  const indexes = await clickhouse.query<{ name: string }>(
    'SELECT name FROM system.data_skipping_indices WHERE table = {table:String} ORDER BY name',
    { parameters: { table } },
  );
  expect(indexes.map(({ name }) => name)).toEqual([
    'filtered_words_index',
    'received_at_index',
    'words_index',
  ]);
});

test('the same token stores rows once per index', async () => {
  const table = await newTable();
  const messages = [testMessage()];
  await store(table, messages, 0, 'token');
  await store(table, messages, 0, 'token');
  expect(await count(table, '1')).toBe(1);
  await store(table, messages, 1, 'token');
  expect(await count(table, '1')).toBe(2);
});

test('tables are created once, migrated, measured and dropped', async () => {
  const { clickhouse } = server();
  const { database } = server();
  const first = createMessageTables(clickhouse, { database });
  const table = await newTable();
  await first.ensure(table);
  await store(table, [testMessage({ timestamp: 1000 }), testMessage({ timestamp: 5000 })], 3);
  await store(table, [testMessage({ timestamp: 9000 })], 4);
  const figures = (await first.figures()).filter((each) => each.table === table);
  expect(figures.map(({ number, messages }) => [number, messages]).sort()).toEqual([
    [3, 2],
    [4, 1],
  ]);
  expect(figures.every(({ bytes, parts }) => bytes > 0 && parts === 1)).toBe(true);
  expect(await first.ranges(table)).toEqual(
    new Map([
      [3, { begin: 1000, end: 5000 }],
      [4, { begin: 9000, end: 9000 }],
    ]),
  );
  expect(await first.since(table, 4000)).toEqual({ messages: 2, oldest: 5000 });
  expect(await first.since(table, 9001)).toEqual({ messages: 0, oldest: undefined });

  const statements = (name: string) => [`ALTER TABLE ${name} ADD COLUMN IF NOT EXISTS later UInt8`];
  const newer = (by: number) =>
    createMessageTables(clickhouse, {
      database,
      version: MESSAGE_TABLE_VERSION + by,
      migrations: [{ version: MESSAGE_TABLE_VERSION + by, statements }],
    });
  await newer(1).ensure(table);
  await newer(1).ensure(table);
  expect(await count(table, 'later = 0')).toBe(3);
  // Nodes may differ by one release, and not by two.
  await first.ensure(table);
  await newer(2).ensure(table);
  await expect(first.ensure(table)).rejects.toThrow('start the version that made it');

  await first.dropIndex(table, 3);
  await first.dropIndex(table, 3);
  await first.dropIndex(table, 77);
  expect(await count(table, '1')).toBe(1);
  await first.drop(table);
  await first.drop(table);
  expect((await first.figures()).filter((each) => each.table === table)).toEqual([]);
});

test('the times of an index are those of its messages, however its parts came about', async () => {
  const { clickhouse, database } = server();
  const table = await newTable();
  const fill = (from: number, to: number, index: number) =>
    clickhouse.commandOnEach(
      `INSERT INTO ${table} (index_number, timestamp, id_offset, text) SELECT ${index}, fromUnixTimestamp64Milli(toInt64(number)), number, 'x' FROM numbers(${from}, ${to - from + 1})`,
    );
  const fromRows = async () => {
    const rows = await clickhouse.query<{ number: number; begin: string; end: string }>(
      `SELECT index_number AS number, toUnixTimestamp64Milli(min(timestamp)) AS begin, toUnixTimestamp64Milli(max(timestamp)) AS end FROM ${table} GROUP BY index_number`,
    );
    return new Map(
      rows.map(({ number, begin, end }) => [number, { begin: Number(begin), end: Number(end) }]),
    );
  };
  const ours = createMessageTables(clickhouse, { database });
  expect(await ours.ranges(table)).toEqual(new Map());
  // A granule has 2048 rows: less than one, some of them, some and a row, several.
  await fill(50_000, 50_000, 7);
  await fill(1000, 9191, 10);
  await fill(20_000, 28_192, 10);
  await fill(3, 30_000, 123);
  expect((await ours.ranges(table)).get(10)).toEqual({ begin: 1000, end: 28_192 });
  expect(await ours.ranges(table)).toEqual(await fromRows());
  await clickhouse.commandOnEach(`OPTIMIZE TABLE ${table} FINAL`);
  expect(await ours.ranges(table)).toEqual(await fromRows());
});

test('a table that is not ours is left alone', async () => {
  const { clickhouse } = server();
  await clickhouse.commandOnEach('CREATE TABLE foreign (x UInt8) ENGINE = MergeTree ORDER BY x');
  const messageTables = createMessageTables(clickhouse, { database: server().database });
  await expect(messageTables.ensure('foreign')).rejects.toThrow('rename the table');
});
