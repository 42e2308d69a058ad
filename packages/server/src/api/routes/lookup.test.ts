import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLookupFixture, type LookupFixture } from '#testing/lookup-fixture.ts';
import { Encoded, testMmdb } from '#testing/mmdb.ts';
import { checkRoutes, servedBy } from '#testing/route-checks.ts';

let fixture: LookupFixture;
beforeEach(async () => {
  fixture = await createLookupFixture();
});
afterEach(() => fixture.close());

const ADAPTERS = '/system/lookup/adapters';
const CACHES = '/system/lookup/caches';
const TABLES = '/system/lookup/tables';
const call: LookupFixture['call'] = (...request) => fixture.call(...request);
const created: LookupFixture['created'] = (...request) => fixture.created(...request);
const errorOf = () => fixture.errorOf();

/** A table `owners` over an adapter with this configuration. */
async function createTable(config: object, defaults: object = {}): Promise<void> {
  const data_adapter_id = await created(ADAPTERS, { name: 'data', title: 'Data', config });
  const cache_id = await created(CACHES, { name: 'cache', title: 'Cache', config: { type: 'none' } });
  await created(TABLES, { name: 'owners', title: 'Owners', data_adapter_id, cache_id, ...defaults });
}

const CSV = { type: 'csvfile', path: 'owners.csv', key_column: 'host', value_column: 'owner' };
const query = async (key: string) =>
  (await call('GET', `${TABLES}/owners/query?key=${encodeURIComponent(key)}`)).body;

checkRoutes(() => ({ routes: fixture.routes, ...servedBy(fixture.auth) }), { runsPerOperation: 10 });

describe('lookup tables', () => {
  test('follow their files without queries while nothing is written to the database', async () => {
    fixture.write('owners.csv', 'host,owner\nweb-1,Ann\n');
    await createTable(CSV);
    await fixture.service.purge('owners');
    const asked = vi.spyOn(fixture.metadata.repositories.lookupAdapters, 'list');
    fixture.write('owners.csv', 'host,owner\nweb-1,Bob\n');
    await fixture.service.purge('owners');
    expect(fixture.worker.lookup('owners', 'web-1')?.single).toBe('Bob');
    expect(asked).not.toHaveBeenCalled();
  });

  test('answer from a CSV file, in the API and in the workers, and see when it changes', async () => {
    fixture.write('owners.csv', 'host,owner\nweb-1,"Ann, of ops"\nweb-2,Bob\n');
    await createTable(CSV);
    expect(await query('web-1')).toEqual({
      single_value: 'Ann, of ops',
      multi_value: { value: 'Ann, of ops' },
      string_list_value: null,
      has_error: false,
      ttl: Number.MAX_SAFE_INTEGER,
    });
    expect(await query('web-9')).toMatchObject({ single_value: null, multi_value: null });
    expect(fixture.worker.lookup('owners', 'web-2')).toEqual({ single: 'Bob', multi: { value: 'Bob' } });
    expect(fixture.worker.lookup('nobody', 'web-2')).toBeUndefined();
    fixture.write('owners.csv', 'host,owner\nweb-2,Caroline\n');
    expect((await call('POST', `${TABLES}/owners/purge`)).status).toBe(204);
    expect(fixture.worker.lookup('owners', 'web-2')?.single).toBe('Caroline');
    expect(fixture.worker.lookup('owners', 'web-1')?.single).toBeNull();
  });

  test('can be tried with a text, as extractors look it up', async () => {
    fixture.write('owners.csv', 'host,owner\nweb-1,Ann\n');
    await createTable(CSV);
    const tester = '/tools/lookup_table_tester';
    const tried = async (lookup_table_name: string, string: string) => {
      const body = { lookup_table_name, string };
      const posted = await call('POST', tester, { body });
      const got = await call('GET', `${tester}?${new URLSearchParams(body)}`);
      expect([got.status, got.body]).toEqual([posted.status, posted.body]);
      return posted.body;
    };
    const found = { empty: false, error: false, error_message: '', key: ' web-1 ', value: 'Ann' };
    expect(await tried('owners', ' web-1 ')).toEqual(found);
    expect(await tried('owners', 'web-9')).toEqual({ ...found, empty: true, key: 'web-9', value: null });
    expect(await tried('others', 'web-1')).toEqual({
      empty: true,
      error: true,
      error_message: "Lookup table <others> doesn't exist",
      key: null,
      value: null,
    });
    fixture.write('owners.csv', 'name,owner\n');
    await call('POST', `${TABLES}/owners/purge`);
    expect(await tried('owners', 'web-1')).toMatchObject({ value: 'Ann', error: true });
  });

  test('other separators, quotes and case', async () => {
    fixture.write('owners.csv', "owner\thost\n'Ann\tof ops'\tWeb-1\n");
    await createTable({ ...CSV, separator: '\t', quotechar: "'", case_insensitive_lookup: true });
    expect((await query('WEB-1')).single_value).toBe('Ann\tof ops');
  });

  test('a file that cannot be used is an error that says why, and what was loaded stays', async () => {
    fixture.write('owners.csv', 'host,owner\nweb-1,Ann\n');
    await createTable(CSV);
    expect(await errorOf()).toBeNull();
    fixture.write('owners.csv', 'name,owner\nweb-1,Bob\n');
    await call('POST', `${TABLES}/owners/purge`);
    expect(await errorOf()).toContain('owners.csv has no column "host"; its first line names name, owner');
    expect(await query('web-1')).toMatchObject({ single_value: 'Ann', has_error: true });
    fs.rmSync(path.join(fixture.directory, 'owners.csv'));
    await call('POST', `${TABLES}/owners/purge`);
    expect(await errorOf()).toContain('lookup_files_dir');
  });

  test('files elsewhere are not read, also through a link', async () => {
    const outside = path.join(fixture.directory, '../outside.csv');
    fs.writeFileSync(outside, 'host,owner\nweb-1,Ann\n');
    fs.symlinkSync(outside, path.join(fixture.directory, 'link.csv'));
    await createTable({ ...CSV, path: '../outside.csv' });
    expect(await errorOf()).toContain('is not below');
    const body = { name: 'data', title: 'Data', config: { ...CSV, path: 'link.csv' } };
    expect((await call('PUT', `${ADAPTERS}/data`, { body })).status).toBe(200);
    expect(await errorOf()).toContain('is not below');
    expect((await query('web-1')).single_value).toBeNull();
  });

  test('answer their defaults for keys that are not there', async () => {
    await createTable(
      { type: 'static', entries: [{ key: 'a', value: '1' }] },
      {
        default_single_value: '7',
        default_single_value_type: 'NUMBER',
        default_multi_value: '{"team":"ops"}',
        default_multi_value_type: 'OBJECT',
      },
    );
    expect(await query('a')).toMatchObject({ single_value: '1', multi_value: { value: '1' } });
    expect(await query('b')).toMatchObject({ single_value: 7, multi_value: { team: 'ops' } });
    const adapter = await call('GET', `${ADAPTERS}/data/query?key=b`);
    expect(adapter.body).toMatchObject({ single_value: null, multi_value: null });
  });

  test('go to the workers again only when something changed for them', async () => {
    await createTable({ type: 'static', entries: [{ key: 'a', value: '1' }] });
    const before = fixture.service.snapshot();
    expect((await call('POST', `${TABLES}/owners/purge`)).status).toBe(204);
    const [{ revision: _, ...table }] = (await call('GET', `${TABLES}/owners`)).body.lookup_tables;
    expect((await call('PUT', `${TABLES}/owners`, { body: { ...table, title: 'New' } })).status).toBe(200);
    expect(fixture.service.snapshot()).toBe(before);
    expect((await call('PUT', `${TABLES}/owners`, { body: { ...table, name: 'new' } })).status).toBe(200);
    expect(fixture.worker.lookup('new', 'a')?.single).toBe('1');
  });

  test('answer from a database of addresses', async () => {
    fixture.write('city.mmdb', testMmdb({ location: { latitude: 52.5, longitude: 13.25 } }));
    await createTable({ type: 'maxmind_geoip', path: 'city.mmdb', database_type: 'MAXMIND_CITY' });
    expect(await errorOf()).toBeNull();
    expect(await query('128.9.9.9')).toMatchObject({
      single_value: '52.5,13.25',
      multi_value: { location: { latitude: 52.5, longitude: 13.25 } },
    });
    expect(fixture.worker.lookup('owners', '1.2.3.4')?.single).toBeNull();
    expect(fixture.worker.lookup('owners', 'no address')?.single).toBeNull();
    expect(fixture.worker.lookup('owners', '200.1.1.1')?.single).toBe('52.5,13.25');
    fixture.write('city.mmdb', 'not a database');
    await call('POST', `${TABLES}/owners/purge`);
    expect(await errorOf()).toContain('city.mmdb is not a MaxMind database');
  });

  test('say that a record of a database is damaged, and answer for the others', async () => {
    // A pointer to itself.
    fixture.write('city.mmdb', testMmdb(new Encoded(Buffer.from([0x20, 0]))));
    await createTable({ type: 'maxmind_geoip', path: 'city.mmdb', database_type: 'MAXMIND_CITY' });
    expect(await query('200.1.1.1')).toMatchObject({ single_value: null, has_error: true });
    expect(await query('1.2.3.4')).toMatchObject({ single_value: null, has_error: false });
  });

  test('are listed with what they use, found by id and name, changed and deleted', async () => {
    await createTable({ type: 'static' });
    const { body } = await call('GET', `${TABLES}?resolve=true&query=own`);
    expect(body).toMatchObject({ total: 1, page: 1, per_page: 50, query: 'own' });
    const [table] = body.lookup_tables;
    expect(body.data_adapters[table.data_adapter_id].config).toEqual({
      type: 'static',
      entries: [],
      case_insensitive_lookup: false,
    });
    expect(Object.keys(body.caches)).toEqual([table.cache_id]);
    expect((await call('GET', `${TABLES}/${table.id}`)).body.lookup_tables).toEqual([table]);
    const changed = await call('PUT', `${TABLES}/owners`, { body: { ...table, title: 'New' } });
    expect(changed.body).toEqual({ ...table, title: 'New', revision: expect.any(String) });
    const used = await call('DELETE', `${ADAPTERS}/data`);
    expect([used.status, used.body.message]).toEqual([
      400,
      expect.stringContaining('used by a lookup table'),
    ]);
    expect((await call('DELETE', `${TABLES}/owners`)).body).toEqual(changed.body);
    expect((await call('DELETE', `${CACHES}/cache`)).status).toBe(200);
    expect((await call('DELETE', `${ADAPTERS}/data`)).status).toBe(200);
    expect((await call('GET', `${TABLES}/owners`)).status).toBe(404);
    expect(fixture.worker.lookup('owners', 'a')).toBeUndefined();
  });

  test.each([
    [ADAPTERS, 'data', 'data adapter "Data"'],
    [CACHES, 'cache', 'cache "Cache"'],
    [TABLES, 'owners', 'lookup table "Owners"'],
  ])('a change made from an older revision is refused: %s', async (path, name, what) => {
    await createTable({ type: 'static', entries: [] });
    const get = async () => {
      const { body } = await call('GET', `${path}/${name}`);
      return body.lookup_tables?.[0] ?? body;
    };
    const { revision, ...stored } = await get();
    const change = (body: object) => call('PUT', `${path}/${name}`, { body: { ...stored, ...body } });
    expect((await change({ description: 'Theirs', revision })).status).toBe(200);
    const refused = await change({ description: 'Mine', revision });
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining(what)]);
    expect((await get()).description).toBe('Theirs');
    expect((await change({ description: 'Mine', revision: null })).body.description).toBe('Mine');

    const { revision: now } = await get();
    const answers = await Promise.all(
      ['One', 'Other'].map((description) => change({ description, revision: now })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('what is not valid is refused, and shown by validate', async () => {
    const refused = async (path: string, body: object) => {
      const answer = await call('POST', path, { body });
      expect(answer.status).toBe(400);
      return answer.body.message as string;
    };
    const part = { name: 'x', title: 'X' };
    expect(await refused(ADAPTERS, { ...part, config: { type: 'csvfile' } })).toContain('path');
    expect(await refused(ADAPTERS, { ...part, config: { type: 'magic' } })).toContain('csvfile, static');
    expect(await refused(ADAPTERS, { ...part, name: 'a b', config: { type: 'static' } })).toContain(
      'letters',
    );
    await createTable({ type: 'static' });
    expect(await refused(ADAPTERS, { ...part, name: 'data', config: { type: 'static' } })).toContain(
      'another',
    );
    const { body } = await call('GET', `${TABLES}/owners`);
    const [table] = body.lookup_tables;
    expect(await refused(TABLES, { ...table, name: 'y', cache_id: 'nobody' })).toContain('nobody');
    const bad = { ...table, id: null, default_single_value: 'x', default_single_value_type: 'NUMBER' };
    expect(await refused(TABLES, { ...bad, name: 'y' })).toContain('"x" is not a number');
    expect((await call('POST', `${TABLES}/validate`, { body: bad })).body).toEqual({
      failed: true,
      errors: {
        name: ['The name of the lookup table is already in use.'],
        default_single_value: ['"x" is not a number'],
      },
    });
    const validated = await call('POST', `${ADAPTERS}/validate`, {
      body: { ...part, config: { type: 'csvfile', path: 'a', check_interval: 0 } },
    });
    expect(Object.keys(validated.body.errors)).toEqual(['check_interval']);
  });

  test('types are listed with their defaults', async () => {
    const { body } = await call('GET', '/system/lookup/types/adapters');
    expect(Object.keys(body)).toEqual([
      'csvfile',
      'static',
      'maxmind_geoip',
      'httpjsonpath',
      'dnslookup',
      'keyvalue',
    ]);
    expect(body.csvfile.default_config).toMatchObject({
      type: 'csvfile',
      separator: ',',
      check_interval: 60,
    });
    const caches = await call('GET', '/system/lookup/types/caches');
    expect(Object.keys(caches.body)).toEqual(['none', 'guava_cache']);
  });
});
