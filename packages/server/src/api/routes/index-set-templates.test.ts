/** The requests are those of terraform-provider-graylog of sven-borkert and of Graylog's own web interface. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createStorageFixture, type StorageFixture } from '#testing/storage-fixture.ts';

let fixture: StorageFixture;
beforeEach(async () => {
  fixture = await createStorageFixture();
});
afterEach(() => fixture.close());

const call: StorageFixture['call'] = (method, path, options) => fixture.call(method, path, options);
const PATH = '/system/indices/index_sets/templates';
const DEFAULTS = '/system/indices/index_set_defaults';
const CONFIG = {
  index_analyzer: 'standard',
  shards: 1,
  replicas: 0,
  index_optimization_max_num_segments: 1,
  index_optimization_disabled: false,
  field_type_refresh_interval: 5000,
  data_tiering: { type: 'hot_only', index_lifetime_min: 'P3D', index_lifetime_max: 'P5D' },
  use_legacy_rotation: false,
};

async function create(changes: object = {}): Promise<string> {
  const body = { title: 'Short', description: '', index_set_config: CONFIG, ...changes };
  const answer = await call('POST', PATH, { body });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.id;
}

test('a template is answered as it was sent, changed and deleted', async () => {
  const sent = { data_tiering: CONFIG.data_tiering };
  const id = await create({ index_set_config: sent });
  const created = (await call('GET', `${PATH}/${id}`)).body;
  expect(created).toEqual({
    id,
    title: 'Short',
    description: '',
    built_in: false,
    default: false,
    enabled: true,
    disabled_reason: '',
    index_set_config: sent,
  });
  const body = { title: 'Shorter', description: 'x', index_set_config: CONFIG };
  expect((await call('PUT', `${PATH}/${id}`, { body })).status).toBe(204);
  expect((await call('GET', `${PATH}/${id}`)).body).toMatchObject(body);
  expect((await call('DELETE', `${PATH}/${id}`)).status).toBe(204);
  expect((await call('GET', `${PATH}/${id}`)).status).toBe(404);
});

test('pages have the built-in ones too, and those cannot be changed', async () => {
  const id = await create({ title: '9 Days' });
  const { body } = await call('GET', `${PATH}/paginated?page=1&per_page=3&sort=title&order=desc`);
  expect(body).toMatchObject({ total: 4, pagination: { total: 4, count: 3, page: 1, per_page: 3 } });
  expect(body.elements.map(({ title }: { title: string }) => title)).toEqual([
    '9 Days',
    '7 Days Hot',
    '30 Days Hot',
  ]);
  const builtIn = (await call('GET', `${PATH}/built-in?warm_tier_enabled=true`)).body;
  expect(builtIn).toHaveLength(3);
  for (const [method, path, request] of [
    ['PUT', `${PATH}/${builtIn[0].id}`, { title: 'x', index_set_config: CONFIG }],
    ['DELETE', `${PATH}/${builtIn[0].id}`, undefined],
    ['PUT', DEFAULTS, { id: builtIn[0].id }],
  ] as const) {
    const refused = await call(method, path, { body: request });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('is built in');
  }
  expect((await call('GET', `${PATH}/paginated?query=9+day`)).body.elements[0].id).toBe(id);
});

test.each([
  [{ data_tiering: { type: 'hot_warm', index_lifetime_min: 'P3D' } }, 'must be hot_only'],
  [{ use_legacy_rotation: false }, 'data_tiering is missing'],
  [{ rotation_strategy_class: 'org.example.Never' }, 'there is no strategy'],
  [{ shards: 0 }, 'shards'],
])('a template that no index set could have is refused: %j', async (config, reason) => {
  const refused = await call('POST', PATH, { body: { title: 'x', index_set_config: config } });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain(reason);
});

test('new index sets are kept as the default template says, unless they say otherwise', async () => {
  expect((await call('GET', `${PATH}/default_config`)).body).not.toHaveProperty('data_tiering');
  const id = await create();
  expect((await call('PUT', DEFAULTS, { body: { id } })).status).toBe(200);
  expect((await call('GET', `${PATH}/default_config`)).body).toEqual(CONFIG);
  expect((await call('GET', `${PATH}/${id}`)).body.default).toBe(true);
  expect((await call('DELETE', `${PATH}/${id}`)).text).toContain('is the default');

  const sets = '/system/indices/index_sets';
  const plain = await call('POST', sets, { body: { title: 'a', index_prefix: 'a' } });
  expect(plain.body).toMatchObject({ data_tiering: CONFIG.data_tiering, use_legacy_rotation: false });
  const own = { title: 'b', index_prefix: 'b', rotation_strategy_class: 'time' };
  expect((await call('POST', sets, { body: own })).body).toMatchObject({ data_tiering: null });
  const longer = await create({ index_set_config: { ...CONFIG, data_tiering: lifetimes('P60D', 'P70D') } });
  const named = { title: 'c', index_prefix: 'c', index_set_template_id: longer };
  expect((await call('POST', sets, { body: named })).body.data_tiering).toEqual(lifetimes('P60D', 'P70D'));
  const unknown = await call('POST', sets, { body: { ...named, index_set_template_id: 'gone' } });
  expect([unknown.status, unknown.text]).toEqual([400, expect.stringContaining('there is no template')]);
});

test('a default that does not exist is not found', async () => {
  expect((await call('PUT', DEFAULTS, { body: { id: 'cccccccccccccccccccccccc' } })).status).toBe(404);
});

function lifetimes(min: string, max: string) {
  return { type: 'hot_only', index_lifetime_min: min, index_lifetime_max: max };
}
