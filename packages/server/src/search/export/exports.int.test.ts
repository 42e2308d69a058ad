import { text } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useTestClickHouse } from '#testing/clickhouse.ts';
import { createSearchFixture, SEARCH_NOW, type SearchFixture } from '#testing/search-fixture.ts';
import { SHOWN_OWN_FIELDS } from '../own-fields.ts';
import type { ExportRequest } from './index.ts';

const server = useTestClickHouse();
let fixture: SearchFixture;

/** Not exact as a JavaScript number. */
const HUGE = 9_007_199_254_740_993n;
const ODD_TEXT = 'a "quoted", \\n line\r\nand\ttab, é 🚀 /slash/ \u0001';

beforeAll(async () => {
  fixture = await createSearchFixture(server());
  await fixture.store([
    {
      message: ODD_TEXT,
      fullMessage: 'full\rmessage',
      source: 'web "1"',
      level: 3,
      timestamp: SEARCH_NOW - 2000.5,
      fields: {
        huge: HUGE,
        ratio: 1e-7,
        large: 1e21,
        whole: 500,
        yes: true,
        no: false,
        odd: ODD_TEXT,
        'a.b': 'dot',
      },
    },
    {
      message: 'plain',
      remotePort: 0,
      source: 'b',
      timestamp: SEARCH_NOW - 1000,
      fields: { ratio: '=1+1', huge: '@x' },
    },
  ]);
});

afterAll(() => fixture.close());

const OWN = ['_id', 'gl2_message_id', 'timestamp', ...SHOWN_OWN_FIELDS];
const DYNAMIC = ['huge', 'ratio', 'large', 'whole', 'yes', 'no', 'odd', 'a.b', 'missing'];

async function exported(request: Partial<ExportRequest>): Promise<string> {
  return text(
    await fixture.search.exports.open(fixture.admin, {
      query: '*',
      range: { type: 'relative', range: 0 },
      format: 'ndjson',
      fields: [...OWN, ...DYNAMIC],
      ...request,
    }),
  );
}

test.each(['csv', 'text', 'ndjson'] as const)(
  'times in the zone that was asked for, as %s',
  async (format) => {
    const [line = ''] = (
      await exported({ format, fields: ['timestamp'], timeZone: 'Asia/Shanghai', query: 'plain' })
    )
      .trim()
      .split('\n')
      .slice(-1);
    const [written = ''] = /\d{4}-[^"]+/.exec(line) ?? [];
    expect(written).toMatch(/T\d\d:\d\d:\d\d\.\d{3}\+08:00$/);
    expect(Date.parse(written)).toBe(SEARCH_NOW - 1000);
  },
);

test('a time zone that is an offset, or none at all, is refused by name', async () => {
  await expect(exported({ timeZone: '+08:00' })).rejects.toThrow('+08:00');
  await expect(exported({ timeZone: 'Mars/Base' })).rejects.toThrow('Mars/Base');
});

test('a line of NDJSON is the message as a search shows it, with exact integers', async () => {
  const page = await fixture.search.messages.view(fixture.admin, {
    query: '*',
    range: { type: 'relative', range: 0 },
    limit: 10,
  });
  const lines = (await exported({})).trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  for (const [at, line] of lines.entries()) {
    const { _id: id, ...message } = JSON.parse(JSON.stringify(page.messages[at]?.message));
    expect(JSON.parse(line)).toEqual({ _id: id, gl2_message_id: id, ...message });
  }
  expect(lines[1]).toContain(`"huge":${HUGE},`);
  expect(lines[1]).toContain('/slash/');
  expect(lines[1]).not.toContain('"missing"');
});

test('a message is one line in CSV and text; formulas are escaped on request', async () => {
  const odd = {
    query: 'quoted',
    fields: ['message', 'full_message', 'huge', 'large', 'yes', 'missing', 'level'],
  };
  expect(await exported({ ...odd, format: 'csv' })).toBe(
    '"message","full_message","huge","large","yes","missing","level"\n' +
      `"a ""quoted"", \\n line\\r\\nand\ttab, é 🚀 /slash/ \u0001","full\\rmessage","${HUGE}","1e21","true","","3"\n`,
  );
  expect(
    await exported({ ...odd, format: 'text', fields: ['source', 'streams', 'whole', 'a.b', 'source'] }),
  ).toBe('web "1"\t000000000000000000000001\t500\tdot\tweb "1"\n');
  // A tab in a value is no end of a column, where there are columns.
  expect(await exported({ ...odd, format: 'text', fields: ['level', 'message'] })).toBe(
    '3\ta "quoted", \\n line\\r\\nand\\ttab, é 🚀 /slash/ \u0001\n',
  );
  expect(await exported({ ...odd, format: 'text', fields: ['message'] })).toContain('and\ttab');
  // Port 0 is stored for a message without a port.
  expect(await exported({ query: 'plain', format: 'text', fields: ['gl2_remote_port', 'level'] })).toMatch(
    /^\t\d\n$/,
  );
  const formulas = { query: 'plain', format: 'csv', fields: ['ratio', 'huge', '=x'] } as const;
  expect(await exported(formulas)).toBe('"ratio","huge","=x"\n"=1+1","@x",""\n');
  expect(await exported({ ...formulas, escapeFormulas: true })).toBe(
    `"ratio","huge","'=x"\n"'=1+1","'@x",""\n`,
  );
});

test('names of fields cannot inject SQL, and there may be many fields', async () => {
  const many = Array.from({ length: 60 }, (_, at) => `field_${at}`);
  const names = ["'); DROP TABLE x; --", '"', '\\', '`', 'a\rb\nc', ...many, 'a.b'];
  const [header, line] = (await exported({ query: 'quoted', format: 'csv', fields: names })).split('\n');
  expect(header).toBe(
    `"'); DROP TABLE x; --","""","\\","\`","a\\rb\\nc",${many.map((name) => `"${name}"`)},"a.b"`,
  );
  expect(line).toBe(`${'"",'.repeat(names.length - 1)}"dot"`);
  const few = [...names.slice(0, 5), 'a.b'];
  expect(await exported({ query: 'quoted', fields: few })).toBe('{"a.b":"dot"}\n');
});

test('an error in the middle of an export fails the stream', async () => {
  const search = await fixture.search.searches.prepare(fixture.admin, {
    query: '*',
    range: { type: 'relative', range: 0 },
  });
  const statement = `SELECT concat(toString(number), if(number = 500000, toString(throwIf(number = 500000, 'broken here')), '')) FROM numbers(1000000) SETTINGS max_block_size = 65536, max_threads = 1 FORMAT TSVRaw`;
  let bytes = 0;
  const reading = async () => {
    const run = { principal: fixture.admin };
    for await (const chunk of fixture.search.searches.text(search, statement, run)) {
      bytes += chunk.length;
      expect(chunk.includes('\r')).toBe(false);
    }
  };
  await expect(reading()).rejects.toMatchObject({ message: expect.stringContaining('broken here') });
  expect(bytes).toBeGreaterThan(0);
});

test('the memory for an export does not grow with its size', async () => {
  const message = 'x'.repeat(4000);
  await fixture.store(
    Array.from({ length: 1250 }, (_, at) => ({ message, timestamp: SEARCH_NOW - 10_000 - at })),
  );
  const { table } = fixture.storage.searchTargets()[0] ?? {};
  // Four times the messages, generated by the engine.
  for (const more of [1250, 2500]) {
    await server().clickhouse.commandOnEach(
      `INSERT INTO ${table} SELECT * REPLACE (id_offset + ${more} AS id_offset) FROM ${table}`,
    );
  }
  const file = await fixture.search.exports.open(fixture.admin, {
    query: '*',
    range: { type: 'relative', range: 0 },
    format: 'csv',
    fields: ['timestamp', 'message'],
  });
  const before = heldBytes();
  let [bytes, looks, most] = [0, 0, 0];
  for await (const chunk of file) {
    bytes += chunk.length;
    if (bytes < looks * 2_000_000) continue;
    looks += 1;
    most = Math.max(most, heldBytes() - before);
  }
  expect(bytes).toBeGreaterThan(20_000_000);
  expect(looks).toBeGreaterThan(5);
  expect(most).toBeLessThan(8_000_000);
});

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Live memory of this process, after a garbage collection. */
function heldBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
