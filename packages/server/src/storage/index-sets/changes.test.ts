import { expect, onTestFinished, test } from 'vitest';
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
  const looked = Promise.withResolvers<void>();
  const database = { tables: () => undefined, whenReady: async () => {} } as unknown as MessageDatabase;
  const sets = createIndexSetAdministration(
    {
      store,
      directory: {
        ...directory,
        deleting() {
          const found = directory.deleting();
          if (found.length > 0) looked.resolve();
          return found;
        },
      },
      database,
      audit: { record: async () => {} },
      templates: { apply: async (request) => request },
      startDeletion: started.resolve,
    },
    settings,
  );
  return {
    sets,
    async deleteOnceSeen() {
      await looked.promise;
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

test('a prefix in use is refused at once', async () => {
  const { sets } = await start();
  await sets.create(caller, INDEX_SET_REQUEST);
  await expect(sets.create(caller, { ...INDEX_SET_REQUEST, index_prefix: 'we' })).rejects.toThrow(
    'Index prefix "we" would conflict with the existing index set prefix "web": neither may begin with the other.',
  );
});
