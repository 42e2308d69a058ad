import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { UnavailableError } from '#core/index.ts';
import { defineRetention, RETENTION_STRATEGIES } from '#storage/service.ts';
import { RETENTION, ROTATION, INDEX_SET_REQUEST as request } from '#testing/index-set-request.ts';
import { createStorageFixture, type StorageFixture } from '#testing/storage-fixture.ts';

let fixture: StorageFixture;
beforeEach(async () => {
  fixture = await createStorageFixture();
});
afterEach(() => fixture.close());

const call: StorageFixture['call'] = (method, path, options) => fixture.call(method, path, options);
const SETS = '/system/indices/index_sets';

async function create(changes: object): Promise<{ id: string } & typeof request> {
  const answer = await call('POST', SETS, { body: { ...request, ...changes } });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body;
}

describe('the strategies of an index set', () => {
  test('answers its strategies as they were sent, and what applies beside them', async () => {
    const rotation_strategy = { type: `${ROTATION}.TimeBasedRotationStrategyConfig`, rotation_period: 'P1W' };
    const created = await create({
      rotation_strategy_class: `${ROTATION}.TimeBasedRotationStrategy`,
      rotation_strategy,
    });
    const { body } = await call('GET', `${SETS}/${created.id}`);
    expect(body.rotation_strategy).toEqual(rotation_strategy);
    expect(body.effective_rotation_strategy).toEqual({
      ...rotation_strategy,
      max_rotation_period: null,
      rotate_empty_index_set: false,
    });
    await call('PUT', `${SETS}/${created.id}`, { body });
    expect((await call('GET', `${SETS}/${created.id}`)).body).toEqual(body);
  });

  test('of a plugin that is switched off: the others are told what they keep', async () => {
    let isOff = false;
    const failing = defineRetention({
      id: 'failing',
      wireType: 'org.example.Failing',
      configWireType: 'org.example.FailingConfig',
      name: 'Failing',
      description: 'Keeps all indices until it is switched off.',
      fields: {},
      create: () => {
        if (isOff) throw new UnavailableError('the plugin is switched off');
        return { action: undefined, keep: 0, moveAfterDays: undefined };
      },
    });
    onTestFinished(RETENTION_STRATEGIES.register('a plugin', failing));
    const created = await create({
      retention_strategy_class: 'org.example.Failing',
      retention_strategy: { type: 'org.example.FailingConfig' },
    });
    const known = async () => Object.keys((await call('GET', `${SETS}/outlook`)).body.outlooks);
    const all = await known();
    expect(all).toContain(created.id);
    isOff = true;
    expect(await known()).toEqual(all.filter((id) => id !== created.id));
  });

  test('of an index set that is read only do nothing, and its outlook says so', async () => {
    const { id } = await create({ writable: false });
    const nothing = { retention: null, keeps: null, keeps_ms: null, kept_ms: null };
    expect((await call('GET', `${SETS}/outlook?ids=${id}`)).body.outlooks[id]).toMatchObject(nothing);
    const others = { retention_strategy_class: 'close', retention_strategy: { max_number_of_indices: 1 } };
    const outlook = (await call('POST', `${SETS}/${id}/outlook`, { body: others })).body;
    expect(outlook).toMatchObject({ ...nothing, affected: { indices: [] } });
  });

  describe('with lifetimes instead of strategies', () => {
    const data_tiering = { type: 'hot_only', index_lifetime_min: 'P7D', index_lifetime_max: 'P14D' };
    /** As graylog-IAC sends it: with strategies that do not apply. */
    const tiered = {
      ...request,
      can_be_default: true,
      index_template_type: null,
      field_type_profile: null,
      data_tiering,
      use_legacy_rotation: false,
    };
    const effective = {
      effective_rotation_strategy_class: `${ROTATION}.TimeBasedSizeOptimizingStrategy`,
      effective_rotation_strategy: {
        type: `${ROTATION}.TimeBasedSizeOptimizingStrategyConfig`,
        index_lifetime_min: 'P7D',
        index_lifetime_max: 'P14D',
      },
      effective_retention_strategy_class: `${RETENTION}.DeletionRetentionStrategy`,
    };

    test('answers everything as it was sent, and applies the lifetimes', async () => {
      const created = await create(tiered);
      const { rotation_strategy, retention_strategy } = request;
      expect(created).toMatchObject({
        data_tiering,
        use_legacy_rotation: false,
        rotation_strategy,
        retention_strategy,
        ...effective,
      });
      const { body } = await call('GET', `${SETS}/${created.id}`);
      expect((await call('PUT', `${SETS}/${created.id}`, { body })).body).toEqual(body);
      expect((await call('POST', `${SETS}/${created.id}/outlook`, { body: {} })).body).toMatchObject({
        retention: 'delete',
        keeps: null,
        keeps_ms: 7 * 86_400_000,
        rotates_after: { period: 'P7D' },
      });
    });

    test('applies strategies that a change names, and the lifetimes again when asked to', async () => {
      const { id } = await create({
        title: 'x',
        data_tiering,
        rotation_strategy: null,
        rotation_strategy_class: null,
        retention_strategy: null,
        retention_strategy_class: null,
      });
      const put = async (body: object) =>
        (await call('PUT', `${SETS}/${id}`, { body: { title: 'x', ...body } })).body;
      expect(await put({})).toMatchObject({ use_legacy_rotation: false, ...effective });
      expect(await put({ rotation_strategy_class: 'time' })).toMatchObject({
        use_legacy_rotation: true,
        data_tiering,
        effective_rotation_strategy_class: `${ROTATION}.TimeBasedRotationStrategy`,
      });
      expect(await put({ use_legacy_rotation: false })).toMatchObject({
        use_legacy_rotation: false,
        ...effective,
      });
    });

    test.each([
      [{ data_tiering: null }, 'data_tiering is missing'],
      [{ data_tiering: { ...data_tiering, type: 'hot_warm' } }, 'must be hot_only, not "hot_warm"'],
      [{ data_tiering: { ...data_tiering, index_lifetime_max: 'P7D' } }, 'at least a day longer'],
      [{ data_tiering: { ...data_tiering, index_lifetime_min: 'a week' } }, '"a week"'],
    ])('is refused with %j', async (changes, reason) => {
      const answer = await call('POST', SETS, { body: { ...tiered, ...changes } });
      expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(reason)]);
    });
  });
});

test('strategies are listed with their defaults and a schema for forms', async () => {
  const rotation = (await call('GET', '/system/indices/rotation/strategies')).body;
  expect(rotation.total).toBe(4);
  expect(rotation.strategies[0]).toMatchObject({
    type: `${ROTATION}.MessageCountRotationStrategy`,
    default_config: {
      type: `${ROTATION}.MessageCountRotationStrategyConfig`,
      max_docs_per_index: 20_000_000,
    },
    json_schema: { type: 'object', properties: { max_docs_per_index: { type: 'integer' } } },
  });
  const one = await call(
    'GET',
    `/system/indices/retention/strategies/${RETENTION}.DeletionRetentionStrategy`,
  );
  expect(one.body.default_config.max_number_of_indices).toBe(20);
  expect((await call('GET', '/system/indices/retention/strategies/nothing')).status).toBe(404);
});
