/** The requests are those of terraform-provider-graylog of sven-borkert (graylog_field_type). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DEFAULT_INDEX_SET_ID, EVENT_INDEX_SET_ID } from '#core/index.ts';
import { createStorageFixture, type StorageFixture } from '#testing/storage-fixture.ts';

let fixture: StorageFixture;
beforeEach(async () => {
  fixture = await createStorageFixture();
});
afterEach(() => fixture.close());

const call: StorageFixture['call'] = (method, path, options) => fixture.call(method, path, options);
const PATH = '/system/indices/mappings';
const TYPES = `/system/indices/index_sets/types/${DEFAULT_INDEX_SET_ID}`;

function put(changes: object = {}) {
  const request = { field: 'port', type: 'long', index_sets: [DEFAULT_INDEX_SET_ID], rotate: false };
  return call('PUT', PATH, { body: { ...request, ...changes } });
}

async function typeOf(field: string) {
  const { body } = await call('GET', `${TYPES}?query=${field}&per_page=50`);
  return body.elements.find(({ field_name }: { field_name: string }) => field_name === field);
}

test('a field gets a type, which the workers learn, and loses it again', async () => {
  const chosen = { field_name: 'port', type: 'long', origin: 'OVERRIDDEN_INDEX', is_reserved: false };
  expect((await put()).body).toEqual({ [DEFAULT_INDEX_SET_ID]: chosen });
  expect(await typeOf('port')).toEqual(chosen);
  expect((await call('GET', `${TYPES}/all`)).body).toContainEqual(chosen);
  const sets = fixture.storage.snapshot()?.indexSets;
  expect(sets?.find(({ id }) => id === DEFAULT_INDEX_SET_ID)?.fieldTypes).toEqual({ port: 'long' });

  const body = { fields: ['port'], index_sets: [DEFAULT_INDEX_SET_ID], rotate: false };
  const removed = await call('PUT', `${PATH}/remove_mapping`, { body });
  expect(removed.body[DEFAULT_INDEX_SET_ID]).toMatchObject({ successfully_performed: 1, failures: [] });
  expect(await typeOf('port')).toBeUndefined();
});

test('a new index begins when that is asked for', async () => {
  const active = () => fixture.storage.snapshot()?.indexSets.find(({ id }) => id === DEFAULT_INDEX_SET_ID);
  expect(active()?.indices).toHaveLength(1);
  await put({ rotate: true });
  expect(active()?.indices).toHaveLength(2);
});

test('a changed index set keeps the types of its fields', async () => {
  await put({ type: 'string' });
  const path = `/system/indices/index_sets/${DEFAULT_INDEX_SET_ID}`;
  const set = (await call('GET', path)).body;
  expect((await call('PUT', path, { body: { ...set, title: 'Other' } })).status).toBe(200);
  expect(await typeOf('port')).toMatchObject({ type: 'string' });
});

test.each([
  [{ type: 'geo-point' }, 400, 'a field cannot be made \\"geo-point\\"; choose string, string_fts, long'],
  [{ type: 'ip' }, 400, 'a field cannot be made'],
  [{ field: 'timestamp' }, 400, 'is a field of the program itself'],
  [{ field: 'gl2_source_input' }, 400, 'is a field of the program itself'],
  [{ field: 'no name' }, 400, 'is not a name of a field'],
  [{ index_sets: [] }, 400, 'index_sets'],
  [{ index_sets: [EVENT_INDEX_SET_ID] }, 400, 'only the program writes to it'],
  [{ index_sets: ['cccccccccccccccccccccccc'] }, 404, 'find index set'],
])('what cannot take effect is refused: %j', async (changes, status, reason) => {
  const refused = await put(changes);
  expect(refused.status).toBe(status);
  expect(refused.text).toContain(reason);
  expect(await typeOf('port')).toBeUndefined();
});

test('the types that exist are listed', async () => {
  expect((await call('GET', `${PATH}/types`)).body).toMatchObject({ long: 'Number', boolean: 'Boolean' });
});
