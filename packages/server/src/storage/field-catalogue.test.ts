import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openTestMetadata } from '#testing/metadata.ts';
import { createFieldCatalogue, type FieldStore } from './field-catalogue.ts';
import type { SeenField } from './seen-fields.ts';

const logger = pino({ level: 'silent' });

async function start() {
  const { repositories } = await openTestMetadata();
  const { id: set } = await repositories.indexSets.insert({
    title: 'Set',
    description: null,
    prefix: 'set',
    shards: 1,
    replicas: 0,
    rotation: { type: 'message-count', config: {} },
    retention: { type: 'delete', config: {} },
    writable: true,
    analyzer: 'standard',
    maxSegments: 1,
    optimizationDisabled: false,
    fieldTypeRefreshMs: 5000,
    dataTiering: null,
  });
  const addStream = async (title: string) => {
    const stream = {
      title,
      description: '',
      creator: '',
      matchingType: 'AND',
      removeMatches: false,
    } as const;
    return (
      await repositories.streams.insert(
        { ...stream, indexSetId: set, state: 'running', contentPack: null },
        [],
      )
    ).id;
  };
  const sets = new Set([set]);
  const node = (store: FieldStore = repositories) =>
    createFieldCatalogue({ store, directory: { find: (id) => sets.has(id) || undefined }, logger });
  const field = (name: string, streamIds: readonly string[], type: SeenField['type'] = 'string') => ({
    indexSetId: set,
    name,
    type,
    streamIds,
  });
  return { repositories, set, sets, a: await addStream('a'), b: await addStream('b'), node, field };
}

test('what is in the catalogue of a stream, also after a restart and on another node', async () => {
  const { set, a, b, node, field } = await start();
  const [one, other] = [node(), node()];
  await other.refresh();
  await one.report([field('both', [a, b]), field('only_b', [b]), field('both', [b], 'number')]);
  expect(other.list(undefined, [b])).toEqual([]);
  await other.refresh();
  const restarted = node();
  await restarted.refresh();
  for (const catalogue of [one, other, restarted]) {
    expect(catalogue.list([set], [a])).toEqual([{ name: 'both', types: ['string'] }]);
    expect(catalogue.list(undefined, [a])).toEqual([{ name: 'both', types: ['string'] }]);
    const everything = [
      { name: 'both', types: ['number', 'string'] },
      { name: 'only_b', types: ['string'] },
    ];
    expect(catalogue.list([set], [a, b])).toEqual(everything);
    expect(catalogue.list([set])).toEqual(everything);
    expect(catalogue.list(['another set'], [a, b])).toEqual([]);
    expect(catalogue.list([set], [])).toEqual([]);
  }
  await one.report([field('only_b', [a])]);
  expect(one.list([set], [a]).map(({ name }) => name)).toEqual(['both', 'only_b']);
});

test('what cannot be stored is known at once, and stored with the next report', async () => {
  const { repositories, set, a, node, field } = await start();
  let isDown = true;
  const catalogue = node({
    indexSetFields: repositories.indexSetFields,
    streamFields: {
      ...repositories.streamFields,
      async add(rows) {
        if (isDown) throw new Error('the database is away');
        await repositories.streamFields.add(rows);
      },
    },
  });
  await expect(catalogue.save([field('first', [a])])).rejects.toThrow('away');
  await catalogue.report([field('second', [a])]);
  expect(catalogue.list([set], [a])).toHaveLength(2);
  isDown = false;
  await catalogue.report([field('third', [a])]);
  const restarted = node();
  await restarted.refresh();
  expect(restarted.list([set], [a]).map(({ name }) => name)).toEqual(['first', 'second', 'third']);
  isDown = true;
  await catalogue.report([field('fourth', [a])]);
  isDown = false;
  await catalogue.refresh();
  await restarted.refresh();
  expect(restarted.list([set], [a])).toHaveLength(4);
});

test('as many new fields as were deleted are read all the same', async () => {
  const { repositories, set, a, b, node, field } = await start();
  const [one, other] = [node(), node()];
  await one.report([field('x', [a, b])]);
  await other.refresh();
  await repositories.streams.remove(b);
  await repositories.streamFields.add([{ indexSetId: set, streamId: a, name: 'new', type: 'string' }]);
  await other.refresh();
  expect(other.list([set], [a]).map(({ name }) => name)).toEqual(['new', 'x']);
});

test('deleted streams and index sets are forgotten', async () => {
  const { repositories, set, sets, a, b, node, field } = await start();
  const catalogue = node();
  await catalogue.report([field('x', [a]), field('y', [b])]);
  await repositories.streams.remove(b);
  await catalogue.refresh();
  expect(catalogue.list([set], [a, b]).map(({ name }) => name)).toEqual(['x']);
  expect(catalogue.list().map(({ name }) => name)).toEqual(['x', 'y']);
  sets.delete(set);
  await repositories.indexSets.remove(set);
  await catalogue.refresh();
  expect(catalogue.list()).toEqual([]);
});
