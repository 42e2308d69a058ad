import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConflictError, NotFoundError } from '#core/index.ts';
import { useTestClickHouse } from '#testing/clickhouse.ts';
import { eventually } from '#testing/eventually.ts';
import { createSearchFixture, SEARCH_NOW, type SearchFixture } from '#testing/search-fixture.ts';
import type { ExportRequest } from './index.ts';

const server = useTestClickHouse();
let fixture: SearchFixture;
const COUNT = 3000;

beforeAll(async () => {
  fixture = await createSearchFixture(server());
  const long = 'é'.repeat(2000);
  await fixture.store(
    Array.from({ length: COUNT }, (_, at) => ({
      message: `${at} ${long}\nsecond line`,
      timestamp: SEARCH_NOW - 1000 - at,
      fields: { at },
    })),
  );
});
afterAll(() => fixture.close());

const jobs = () => fixture.search.exportJobs;
function create(request: Partial<ExportRequest> = {}, principal = fixture.admin) {
  return jobs().create(principal, {
    query: '*',
    range: { type: 'relative', range: 3600 },
    format: 'ndjson',
    fields: ['at', 'message'],
    ...request,
  });
}

test('an export is counted first, then its file is complete, sorted and watched', async () => {
  const { id, total } = await create({ sort: { field: 'at', direction: 'asc' } });
  expect(total).toBe(COUNT);
  expect(jobs().status(fixture.admin, id)).toEqual({
    id,
    state: 'waiting',
    format: 'ndjson',
    total: COUNT,
    rows: 0,
    bytes: 0,
  });
  const { file } = await jobs().open(fixture.admin, id);
  await expect(jobs().open(fixture.admin, id)).rejects.toThrow(ConflictError);
  const content = await buffer(file);
  const lines = content.toString().trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).at)).toEqual(Array.from({ length: COUNT }, (_, at) => at));
  expect(jobs().status(fixture.admin, id)).toMatchObject({
    state: 'done',
    rows: COUNT,
    bytes: content.length,
  });
});

test('JSON is one list; a limit bounds the total and the file', async () => {
  const { id, total } = await create({ format: 'json', limit: 2500 });
  expect(total).toBe(2500);
  const list = JSON.parse(await text((await jobs().open(fixture.admin, id)).file));
  expect([list.length, list[0].at, list[0].message.slice(0, 3), list.at(-1).at]).toEqual([
    2500,
    0,
    '0 é',
    2499,
  ]);
  const none = await create({ format: 'json', query: 'at:99999' });
  expect(none.total).toBe(0);
  expect(JSON.parse(await text((await jobs().open(fixture.admin, none.id)).file))).toEqual([]);
});

test('a download that is cancelled breaks off, stops in the engine, and is forgotten', async () => {
  const { id } = await create();
  const { file } = await jobs().open(fixture.admin, id);
  const reading = (async () => {
    for await (const _ of file) {
      if (jobs().status(fixture.admin, id).rows > 0) break;
    }
    expect(jobs().remove(fixture.admin, id).state).toBe('cancelled');
  })();
  await reading;
  expect(file.destroyed).toBe(true);
  expect(() => jobs().status(fixture.admin, id)).toThrow(NotFoundError);
  await eventually(async () => {
    const running = await server().clickhouse.query<{ n: string }>(
      "SELECT count() AS n FROM system.processes WHERE query LIKE '%FORMAT TSVRaw%' AND query NOT LIKE '%system.processes%'",
    );
    expect(Number(running[0]?.n)).toBe(0);
  });
});

test('a reader who leaves leaves a cancelled export, which can be downloaded again', async () => {
  const { id } = await create({ limit: 2000 });
  (await jobs().open(fixture.admin, id)).file.destroy();
  await eventually(() => expect(jobs().status(fixture.admin, id).state).toBe('cancelled'));
  await text((await jobs().open(fixture.admin, id)).file);
  expect(jobs().status(fixture.admin, id)).toMatchObject({ state: 'done', rows: 2000 });
});

test('a connection that ends while the engine still answers is no failure either', async () => {
  const { id } = await create();
  const connection = new AbortController();
  const { file } = await jobs().open(fixture.admin, id, { signal: connection.signal });
  const reading = (async () => {
    for await (const _ of file) connection.abort();
  })();
  await expect(reading).rejects.toThrow();
  await eventually(() => expect(jobs().status(fixture.admin, id).state).toBe('cancelled'));
  expect(jobs().status(fixture.admin, id).message).toBeUndefined();
});

test('only its creator sees an export, and only a while', async () => {
  const reader = fixture.user('streams:read');
  const { id } = await create();
  expect(() => jobs().status(reader, id)).toThrow(NotFoundError);
  expect(() => jobs().remove(reader, id)).toThrow(NotFoundError);
  await expect(jobs().open(reader, id)).rejects.toThrow(NotFoundError);
  for (let more = 0; more < 20; more++) await create({ query: 'at:1' });
  expect(() => jobs().status(fixture.admin, id)).toThrow(NotFoundError);
  const last = await create();
  fixture.clock.advance(3_600_001);
  expect(() => jobs().status(fixture.admin, last.id)).toThrow(NotFoundError);
});
