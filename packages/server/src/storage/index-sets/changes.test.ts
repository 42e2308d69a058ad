import { expect, onTestFinished, test, vi } from 'vitest';
import { type Caller, StateConflictError } from '#core/index.ts';
import { createLogger } from '#telemetry/index.ts';
import { INDEX_SET_REQUEST } from '#testing/index-set-request.ts';
import { openTestMetadata } from '#testing/metadata.ts';
import type { MessageDatabase } from '../message-database.ts';
import { createIndexSetAdministration } from './changes.ts';
import { createIndexSetDirectory } from './directory.ts';
import type { StoredIndexSet } from './stored.ts';

const caller: Caller = {
  principal: { userId: '1', username: 'admin', can: () => true },
  remoteAddress: '127.0.0.1',
};
/** Index sets without ClickHouse. `deleteOnceSeen` is the job that deletes a set: it ends after somebody was refused by it. */
async function start(settings: { deletionPatienceMs?: number } = {}) {
  const metadata = await openTestMetadata();
  onTestFinished(() => metadata.close());
  const store = metadata.repositories;
  const directory = createIndexSetDirectory({ store, logger: createLogger({ level: 'silent' }) });
  const started = Promise.withResolvers<StoredIndexSet>();
  const refused = Promise.withResolvers<void>();
  const database = { tables: () => undefined, whenReady: async () => {} } as unknown as MessageDatabase;
  const insert: typeof store.indexSets.insert = async (...set) => {
    try {
      return await store.indexSets.insert(...set);
    } catch (error) {
      refused.resolve();
      throw error;
    }
  };
  const sets = createIndexSetAdministration(
    {
      store: { ...store, indexSets: { ...store.indexSets, insert } },
      directory,
      database,
      audit: { record: async () => {} },
      templates: { apply: async (request) => request },
      startDeletion: started.resolve,
    },
    settings,
  );
  return {
    sets,
    store,
    startedDeletion: started.promise,
    streams: store.streams,
    async deleteOnceSeen() {
      await refused.promise;
      await store.indexSets.remove((await started.promise).id);
    },
  };
}

test('a set that is created again while the old one is being deleted waits for it', async () => {
  const fixture = await start();
  const first = await fixture.sets.create(caller, INDEX_SET_REQUEST);
  await fixture.sets.remove(caller, first.id, true);
  const [second] = await Promise.all([
    fixture.sets.create(caller, INDEX_SET_REQUEST),
    fixture.deleteOnceSeen(),
  ]);
  expect(second.id).not.toBe(first.id);
});

test('a deletion that takes long is named, and what to do', async () => {
  const { sets } = await start({ deletionPatienceMs: 0 });
  const { id } = await sets.create(caller, INDEX_SET_REQUEST);
  await sets.remove(caller, id, true);
  const error = await sets
    .create(caller, { ...INDEX_SET_REQUEST, index_prefix: 'web_shop' })
    .catch((thrown) => thrown);
  expect(error).toBeInstanceOf(StateConflictError);
  expect(error.message).toBe(
    'Index set "Web servers" with the prefix "web" is still being deleted. Try again when the job that deletes it has ended, or use another prefix.',
  );
});

test('of sets with conflicting prefixes that are created at the same time only one is stored', async () => {
  const { sets } = await start();
  const results = await Promise.allSettled(
    ['shop', 'shop_x', 'sho', 'shop_x_y'].map((index_prefix) =>
      sets.create(caller, { ...INDEX_SET_REQUEST, index_prefix }),
    ),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const refused = results.flatMap((result) => (result.status === 'rejected' ? result.reason.message : []));
  for (const message of refused) expect(message).toContain('neither may begin with the other');
});

test('a prefix in use is refused at once', async () => {
  const { sets } = await start();
  await sets.create(caller, INDEX_SET_REQUEST);
  await expect(sets.create(caller, { ...INDEX_SET_REQUEST, index_prefix: 'we' })).rejects.toThrow(
    'Index prefix "we" would conflict with the existing index set prefix "web": neither may begin with the other.',
  );
});

test('a set that streams write to stays writable, and the error says which', async () => {
  const { sets, streams } = await start();
  const created = await sets.create(caller, INDEX_SET_REQUEST);
  const readOnly = { ...INDEX_SET_REQUEST, writable: false };
  const stream = await streams.insert(
    {
      title: 'Payments',
      description: '',
      matchingType: 'AND',
      removeMatches: false,
      indexSetId: created.id,
      creator: 'admin',
      contentPack: null,
      state: 'running',
    },
    [],
  );
  await expect(sets.change(caller, created.id, readOnly)).rejects.toThrow(
    `Index set "Web servers" is used by the streams "Payments" (${stream.id}). Assign them another index set first.`,
  );
  await streams.remove(stream.id);
  expect(await sets.change(caller, created.id, readOnly)).toMatchObject({ writable: false });
  // Another version of the program may have left such a set: it can still be changed.
  await streams.insert({ ...stream, indexSetId: created.id }, []);
  expect(await sets.change(caller, created.id, { ...readOnly, title: 'Old' })).toMatchObject({
    title: 'Old',
  });
});

test.each([true, false])(
  'a set that another node has made the default is not deleted',
  async (deleteIndices) => {
    const { sets, store, startedDeletion } = await start();
    const { id } = await sets.create(caller, INDEX_SET_REQUEST);
    let isStarted = false;
    void startedDeletion.then(() => {
      isStarted = true;
    });
    await store.indexSets.setDefault(id);
    await expect(sets.remove(caller, id, deleteIndices)).rejects.toThrow('cannot be deleted');
    expect(isStarted).toBe(false);
    expect(await store.indexSets.find(id)).toMatchObject({ isDefault: true, deleting: false });
  },
);

test.each([true, false])(
  'a set that is made the default while it is looked at is not deleted',
  async (deleteIndices) => {
    const { sets, store, streams, startedDeletion } = await start();
    const { id } = await sets.create(caller, INDEX_SET_REQUEST);
    let isStarted = false;
    void startedDeletion.then(() => {
      isStarted = true;
    });
    const { listByIndexSet } = streams;
    vi.spyOn(streams, 'listByIndexSet').mockImplementation(async (indexSetId) => {
      await store.indexSets.setDefault(indexSetId);
      return listByIndexSet(indexSetId);
    });
    await expect(sets.remove(caller, id, deleteIndices)).rejects.toThrow(StateConflictError);
    expect(isStarted).toBe(false);
    expect(await store.indexSets.find(id)).toMatchObject({ isDefault: true, deleting: false });
  },
);

test('a set that another node deletes, or makes read only, does not become the default', async () => {
  const { sets, store } = await start();
  const first = await sets.create(caller, INDEX_SET_REQUEST);
  await store.indexSets.markDeleting(first.id);
  await expect(sets.setDefault(caller, first.id)).rejects.toThrow(StateConflictError);
  const second = await sets.create(caller, { ...INDEX_SET_REQUEST, index_prefix: 'second' });
  const { id, isDefault, ...properties } = (await store.indexSets.find(second.id)) ?? expect.fail();
  await store.indexSets.update(id, { ...properties, writable: false });
  await expect(sets.setDefault(caller, id)).rejects.toThrow(StateConflictError);
  expect((await store.indexSets.find(id))?.isDefault).toBe(false);
});

test('the default set stays writable, also where another node has made it the default', async () => {
  const { sets, store } = await start();
  const { id } = await sets.create(caller, INDEX_SET_REQUEST);
  await store.indexSets.setDefault(id);
  await expect(sets.change(caller, id, { ...INDEX_SET_REQUEST, writable: false })).rejects.toThrow(
    'The default index set must be writable.',
  );
});
