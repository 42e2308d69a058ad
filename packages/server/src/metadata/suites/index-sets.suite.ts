import { describe, expect, test } from 'vitest';
import { ConflictError, InvalidError, isEntityId } from '#core/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { type MetadataBackend, open, openEmpty } from '#testing/metadata-backend.ts';
import { migrations } from '../migrations/registry.ts';
import type { NewIndexSet, NewStream } from '../repositories/index.ts';

const aSet = (changes: Partial<NewIndexSet> = {}): NewIndexSet => ({
  title: 'Web servers',
  description: 'ä\u00df',
  prefix: 'web',
  shards: 1,
  replicas: 0,
  rotation: { type: 'message-count', config: { maxMessages: 5 } },
  retention: { type: 'delete', config: { maxIndices: 3 } },
  writable: true,
  analyzer: 'standard',
  maxSegments: 1,
  optimizationDisabled: false,
  fieldTypeRefreshMs: 5000,
  dataTiering: null,
  ...changes,
});

export function indexSetsSuite(backend: MetadataBackend): void {
  describe('index sets', () => {
    test('keep the types of fields through other changes', async () => {
      const { indexSets } = (await openEmpty(backend)).repositories;
      const { id } = await indexSets.insert(aSet());
      await indexSets.changeFieldTypes(id, (types) => ({ ...types, a: 'long' }));
      const both = await indexSets.changeFieldTypes(id, (types) => ({ ...types, b: 'string' }));
      expect(both).toEqual({ a: 'long', b: 'string' });
      await indexSets.update(id, aSet({ title: 'Other' }));
      expect(await indexSets.find(id)).toMatchObject({ title: 'Other', fieldTypes: both });
      expect(await indexSets.changeFieldTypes('none', () => ({}))).toBeUndefined();
    });

    test('are stored with all properties and index 0', async () => {
      const clock = new ManualClock();
      const { indexSets, indices } = (await openEmpty(backend, { clock })).repositories;
      const stored = await indexSets.insert(aSet());
      expect(stored).toEqual({
        ...aSet(),
        id: stored.id,
        isDefault: false,
        fieldTypes: {},
        deleting: false,
        createdAt: clock.now(),
      });
      expect(isEntityId(stored.id)).toBe(true);
      expect(await indexSets.find(stored.id)).toEqual(stored);
      expect(await indices.list(stored.id)).toEqual([
        { indexSetId: stored.id, number: 0, version: 1, state: 'open', createdAt: clock.now() },
      ]);
    });

    test('a prefix is unique, and a refused set leaves no index behind', async () => {
      const { indexSets, indices } = (await openEmpty(backend)).repositories;
      await indexSets.insert(aSet());
      await expect(indexSets.insert(aSet())).rejects.toBeInstanceOf(ConflictError);
      expect(await indices.list()).toHaveLength(1);
    });

    test('what two nodes create at the same time is checked one after the other', async () => {
      const uri = await (backend.migratedDatabase ?? backend.newDatabase)();
      const nodes = [await open(uri), await open(uri)];
      const isAlone = (stored: readonly unknown[]) => {
        if (stored.length > 0) throw new InvalidError('there is one');
      };
      const results = await Promise.allSettled(
        Array.from({ length: 8 }, (_, index) =>
          nodes[index % 2]?.repositories.indexSets.insert(aSet({ prefix: `p${index}` }), isAlone),
        ),
      );
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const result of results) {
        if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(InvalidError);
      }
      const [first, ...others] = (await nodes[0]?.repositories.indices.list()) ?? [];
      expect([first?.number, others]).toEqual([0, []]);
    });

    test('built-in sets are created once, even if several nodes try', async () => {
      const { indexSets, indices } = (await openEmpty(backend)).repositories;
      const builtIn = { ...aSet(), id: '000000000000000000000001', isDefault: true };
      await indexSets.insertBuiltIn(builtIn);
      await indexSets.update(builtIn.id, aSet({ title: 'Changed' }));
      await indexSets.insertBuiltIn(builtIn);
      await indexSets.insertBuiltIn({ ...builtIn, id: '000000000000000000000009' });
      expect((await indexSets.list()).map(({ id, title }) => [id, title])).toEqual([[builtIn.id, 'Changed']]);
      expect(await indices.list()).toHaveLength(1);
    });

    test('a built-in default that was deleted after another took its place stays deleted', async () => {
      const { indexSets } = (await openEmpty(backend)).repositories;
      const builtIn = { ...aSet(), id: '000000000000000000000001', isDefault: true };
      await indexSets.insertBuiltIn(builtIn);
      const mine = await indexSets.insert(aSet({ prefix: 'mine' }));
      await indexSets.setDefault(mine.id);
      await indexSets.remove(builtIn.id);
      await indexSets.insertBuiltIn(builtIn);
      expect((await indexSets.list()).map(({ id, isDefault }) => [id, isDefault])).toEqual([[mine.id, true]]);
    });

    test('a change keeps prefix, creation time and default', async () => {
      const { indexSets } = (await openEmpty(backend)).repositories;
      const first = await indexSets.insert(aSet());
      const { prefix, analyzer, ...properties } = aSet({ title: 'New', description: null, writable: false });
      expect(await indexSets.update(first.id, properties)).toEqual({ ...first, ...properties });
      expect(await indexSets.update('unknown', properties)).toBeUndefined();
      expect({ prefix, analyzer }).toEqual({ prefix: first.prefix, analyzer: first.analyzer });
    });

    test('exactly one set is the default, and it cannot be deleted', async () => {
      const { indexSets } = (await openEmpty(backend)).repositories;
      const [a, b] = [await indexSets.insert(aSet()), await indexSets.insert(aSet({ prefix: 'other' }))];
      expect(await indexSets.setDefault(a.id)).toBe(true);
      expect(await indexSets.setDefault(b.id)).toBe(true);
      expect((await indexSets.find(a.id))?.isDefault).toBe(false);
      expect((await indexSets.find(b.id))?.isDefault).toBe(true);
      expect(await indexSets.markDeleting(b.id)).toBe(false);
      expect(await indexSets.remove(b.id)).toBe(false);
      expect(await indexSets.markDeleting(a.id)).toBe(true);
      expect(await indexSets.markDeleting(a.id)).toBe(false);
      expect(await indexSets.setDefault(a.id)).toBe(false);
      expect((await indexSets.find(b.id))?.isDefault).toBe(true);
      expect(await indexSets.setDefault('unknown')).toBe(false);
    });

    test('removing a set removes its indices and fields', async () => {
      const { indexSets, indices, indexSetFields } = (await openEmpty(backend)).repositories;
      const { id } = await indexSets.insert(aSet());
      await indexSetFields.add([{ indexSetId: id, name: 'a', type: 'string' }]);
      expect(await indexSets.remove(id)).toBe(true);
      expect(await indexSets.remove(id)).toBe(false);
      expect(await indices.list()).toEqual([]);
      expect(await indexSetFields.list()).toEqual([]);
    });
  });

  describe('indices', () => {
    test('rotation creates the next index once, even for concurrent calls', async () => {
      const { indexSets, indices } = (await openEmpty(backend)).repositories;
      const { id } = await indexSets.insert(aSet());
      const results = await Promise.all([1, 2, 3].map(() => indices.rotate(id, 0)));
      expect(results.filter((made) => made !== undefined)).toMatchObject([{ number: 1, state: 'open' }]);
      expect(await indices.rotate(id, 0)).toBeUndefined();
      expect(await indices.rotate('unknown', 0)).toBeUndefined();
      expect(await indices.rotate(id, 1)).toMatchObject({ number: 2 });
      expect((await indices.list(id)).map(({ number }) => number)).toEqual([0, 1, 2]);
    });

    test('versions increase across all sets', async () => {
      const { indexSets, indices } = (await openEmpty(backend)).repositories;
      const a = await indexSets.insert(aSet());
      const b = await indexSets.insert(aSet({ prefix: 'b' }));
      await indices.rotate(a.id, 0);
      await indices.rotate(b.id, 0);
      await indices.rotate(a.id, 1);
      const byVersion = [...(await indices.list())].sort((x, y) => x.version - y.version);
      expect(new Set(byVersion.map(({ version }) => version)).size).toBe(5);
      expect(byVersion.map(({ indexSetId, number }) => [indexSetId, number])).toEqual([
        [a.id, 0],
        [b.id, 0],
        [a.id, 1],
        [b.id, 1],
        [a.id, 2],
      ]);
    });

    test('are closed, reopened and removed one by one; numbers are not reused', async () => {
      const { indexSets, indices } = (await openEmpty(backend)).repositories;
      const { id } = await indexSets.insert(aSet());
      await indices.rotate(id, 0);
      expect(await indices.setState(id, 0, 'closed')).toBe(true);
      expect((await indices.list(id)).map(({ state }) => state)).toEqual(['closed', 'open']);
      expect(await indices.setState(id, 7, 'closed')).toBe(false);
      expect(await indices.setState(id, 0, 'reopened', 'open')).toBe(false);
      expect(await indices.remove(id, 0)).toBe(true);
      expect(await indices.remove(id, 0)).toBe(false);
      expect(await indices.rotate(id, 1)).toMatchObject({ number: 2 });
    });
  });

  describe('fields of index sets', () => {
    test('are stored once for each set, name and type', async () => {
      const { indexSets, indexSetFields } = (await openEmpty(backend)).repositories;
      const a = await indexSets.insert(aSet());
      const b = await indexSets.insert(aSet({ prefix: 'b' }));
      const field = { indexSetId: a.id, name: 'user.id', type: 'number' };
      await indexSetFields.add([field, { ...field, type: 'string' }, { ...field, indexSetId: b.id }]);
      await indexSetFields.add([field, { ...field, indexSetId: 'unknown' }]);
      await indexSetFields.add([]);
      expect(await indexSetFields.list([a.id])).toEqual([field, { ...field, type: 'string' }]);
      expect(await indexSetFields.list()).toHaveLength(3);
      expect(await indexSetFields.list([])).toEqual([]);
      expect(await indexSetFields.count()).toBe(3);
    });

    test('can be added in large numbers', async () => {
      const { indexSets, indexSetFields } = (await openEmpty(backend)).repositories;
      const { id } = await indexSets.insert(aSet());
      const names = Array.from({ length: 2500 }, (_, index) => `field_${index}`);
      await indexSetFields.add(names.map((name) => ({ indexSetId: id, name, type: 'string' })));
      expect((await indexSetFields.list()).map(({ name }) => name)).toEqual([...names].sort());
    });
  });
  describe('fields of streams', () => {
    test('are stored once for each set, stream, name and type, and go with the set and with the stream', async () => {
      const { indexSets, streams, streamFields } = (await openEmpty(backend)).repositories;
      const [a, b] = [await indexSets.insert(aSet()), await indexSets.insert(aSet({ prefix: 'b' }))];
      const one = await streams.insert(aStream(a.id), []);
      const other = await streams.insert(aStream(a.id), []);
      const field = { indexSetId: a.id, streamId: one.id, name: 'x', type: 'number' };
      await streamFields.add([]);
      await streamFields.add([field, { ...field, type: 'string' }, { ...field, streamId: other.id }]);
      await streamFields.add([field, { ...field, indexSetId: b.id }]);
      await streamFields.add([
        { ...field, indexSetId: 'unknown' },
        { ...field, streamId: 'unknown' },
      ]);
      expect(await streamFields.count()).toBe(4);
      expect(await streamFields.existingStreams([one.id, 'unknown', other.id])).toHaveLength(2);
      await streams.remove(other.id);
      expect(await streamFields.count()).toBe(3);
      await indexSets.remove(b.id);
      expect(await streamFields.list()).toEqual([field, { ...field, type: 'string' }]);
      expect(await streamFields.dueIndices()).toEqual([]);
    });

    test('thousands at once', async () => {
      const { indexSets, streams, streamFields } = (await openEmpty(backend)).repositories;
      const { id } = await indexSets.insert(aSet());
      const stream = await streams.insert(aStream(id), []);
      const names = Array.from({ length: 2500 }, (_, index) => `field_${index}`);
      await streamFields.add(
        names.map((name) => ({ indexSetId: id, streamId: stream.id, name, type: 'string' })),
      );
      expect((await streamFields.list()).map(({ name }) => name)).toEqual([...names].sort());
    });

    test('every index from before the migration is due, until it was read or removed', async () => {
      const uri = await backend.newDatabase();
      // The repositories expect the columns of every other migration, so this one comes last here.
      const isThisOne = ({ name }: { readonly name: string }) => name === 'stream-fields';
      const others = migrations.filter((each) => !isThisOne(each));
      const reordered = [...others, ...migrations.filter(isThisOne)].map((migration, index) => ({
        ...migration,
        version: index + 1,
      }));
      const old = await open(uri, { migrations: reordered.slice(0, -1) });
      const { id } = await old.repositories.indexSets.insert(aSet());
      for (const number of [0, 1]) await old.repositories.indices.rotate(id, number);
      await old.close();

      const { repositories } = await open(uri, { migrations: reordered });
      const { indexSets, indices, streamFields } = repositories;
      const due = async () => (await streamFields.dueIndices()).map(({ indexNumber }) => indexNumber);
      await indexSets.insert(aSet({ prefix: 'new' }));
      await indices.rotate(id, 2);
      expect(await due()).toEqual([2, 1, 0]);
      await streamFields.indexRead({ indexSetId: id, indexNumber: 2 });
      await indices.remove(id, 0);
      expect(await due()).toEqual([1]);
    });
  });
}

function aStream(indexSetId: string): NewStream {
  return {
    title: 'Web',
    description: '',
    creator: 'admin',
    matchingType: 'AND',
    removeMatches: false,
    indexSetId,
    state: 'running',
    contentPack: null,
  };
}
