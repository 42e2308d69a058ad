import { setTimeout as delay } from 'node:timers/promises';
import type { IndexSetChanges, IndexSetView, NewIndexSetRequest } from '@millrace/contract';
import {
  type AuditLog,
  type Caller,
  ConflictError,
  InvalidError,
  requireRevision,
  StateConflictError,
} from '#core/index.ts';
import type { MessageDatabase } from '../message-database.ts';
import { isReserved } from './built-in.ts';
import type { IndexSetDirectory } from './directory.ts';
import type { IndexSetStore, NewStoredIndexSet, StoredIndexSet } from './stored.ts';
import type { IndexSetTemplates } from './templates.ts';
import { indexSetRevision, indexSetView, newIndexSetOf, propertiesOf } from './view.ts';

/** What people do to index sets. Every change is stored, sent to the workers and recorded in the audit log. */
export interface IndexSetAdministration {
  create(caller: Caller, request: NewIndexSetRequest): Promise<IndexSetView>;
  change(caller: Caller, id: string, request: IndexSetChanges): Promise<IndexSetView>;
  setDefault(caller: Caller, id: string): Promise<IndexSetView>;
  /** Its data is deleted in the background, or stays in ClickHouse. */
  remove(caller: Caller, id: string, deleteIndices: boolean): Promise<void>;
}

export interface IndexSetChangeDeps {
  readonly store: IndexSetStore;
  readonly directory: IndexSetDirectory;
  readonly database: MessageDatabase;
  readonly audit: AuditLog;
  readonly templates: Pick<IndexSetTemplates, 'apply'>;
  /** Starts the job that deletes a set that is marked. */
  readonly startDeletion: (indexSet: StoredIndexSet) => void;
}

/** Whoever deletes a set and creates it again waits rather than learns that deleting takes a moment. */
const DELETION_PATIENCE_MS = 10_000;
const DELETION_LOOK_MS = 100;

export function createIndexSetAdministration(
  deps: IndexSetChangeDeps,
  { deletionPatienceMs = DELETION_PATIENCE_MS } = {},
): IndexSetAdministration {
  const { store, directory, database, audit } = deps;

  function record(
    caller: Caller,
    verb: string,
    id: string,
    before?: StoredIndexSet,
    after?: StoredIndexSet,
  ): Promise<void> {
    return audit.record({
      actor: caller.principal.username,
      address: caller.remoteAddress,
      action: `index_set.${verb}`,
      objectType: 'index_set',
      objectId: id,
      ...(before && { before: indexSetView(before) }),
      ...(after && { after: indexSetView(after) }),
    });
  }

  async function create(caller: Caller, request: NewIndexSetRequest): Promise<IndexSetView> {
    database.tables();
    const indexSet = newIndexSetOf(await deps.templates.apply(request));
    const stored = await insertOnceFree(indexSet, store, deletionPatienceMs);
    await directory.refresh();
    await database.whenReady();
    await record(caller, 'create', stored.id, undefined, stored);
    return indexSetView(stored);
  }

  async function change(caller: Caller, id: string, request: IndexSetChanges): Promise<IndexSetView> {
    const before = directory.get(id);
    const properties = propertiesOf(request, before);
    requireWritableDefault(before, properties);
    if (before.writable && !properties.writable) await requireUnused(before, store);
    const after = await store.indexSets.update(id, properties, (stored) => {
      requireUnchanged(stored, request.revision);
      // Another request may have made it the default.
      requireWritableDefault(stored, properties);
    });
    await directory.refresh();
    if (after === undefined) return indexSetView(directory.get(id));
    await record(caller, 'update', id, before, after);
    return indexSetView(after);
  }

  async function setDefault(caller: Caller, id: string): Promise<IndexSetView> {
    const indexSet = directory.get(id);
    requireFitForDefault(indexSet);
    if (!(await store.indexSets.setDefault(id))) throw changedMeanwhile(indexSet);
    await directory.refresh();
    const after = directory.get(id);
    await record(caller, 'set_default', id, indexSet, after);
    return indexSetView(after);
  }

  async function remove(caller: Caller, id: string, deleteIndices: boolean): Promise<void> {
    // Another node may have made it the default.
    await directory.refresh();
    const indexSet = directory.get(id);
    await requireRemovable(indexSet, store);
    // To delete the data the engine must be running; without it nothing is started.
    if (deleteIndices) database.tables();
    const isDone = await (deleteIndices ? store.indexSets.markDeleting(id) : store.indexSets.remove(id));
    if (!isDone) throw changedMeanwhile(indexSet);
    await directory.refresh();
    await record(caller, 'delete', id, indexSet);
    if (deleteIndices) deps.startDeletion(indexSet);
  }

  return { create, change, setDefault, remove };
}

function requireUnchanged(stored: StoredIndexSet, wanted: string | null | undefined): void {
  requireRevision({ what: `index set "${stored.title}"`, revision: indexSetRevision(stored), wanted });
}

function requireWritableDefault(
  { isDefault }: StoredIndexSet,
  { writable }: Pick<StoredIndexSet, 'writable'>,
): void {
  if (!isDefault || writable) return;
  throw new StateConflictError('The default index set must be writable. Make another one the default first.');
}

function requireFitForDefault({ id, title, writable }: StoredIndexSet): void {
  if (!writable) {
    throw new StateConflictError(`Index set "${title}" is not writable and cannot be the default.`);
  }
  if (isReserved(id)) {
    throw new InvalidError(
      `The index set "${title}" is for messages of the program itself and cannot be the default.`,
    );
  }
}

async function requireRemovable(indexSet: StoredIndexSet, store: IndexSetStore): Promise<void> {
  if (indexSet.isDefault) {
    throw new InvalidError('The default index set cannot be deleted. Make another one the default first.');
  }
  if (isReserved(indexSet.id)) {
    throw new InvalidError(`The index set "${indexSet.title}" is built in and cannot be deleted.`);
  }
  await requireUnused(indexSet, store);
}

/** Another request, or another node, was faster. */
function changedMeanwhile({ title }: StoredIndexSet): StateConflictError {
  return new StateConflictError(
    `Index set "${title}" was changed or deleted by another request just now. Look at it again.`,
  );
}

async function requireUnused(indexSet: StoredIndexSet, store: IndexSetStore): Promise<void> {
  const streams = await store.streams.listByIndexSet(indexSet.id);
  if (streams.length > 0) {
    const names = streams.map(({ id, title }) => `"${title}" (${id})`).join(', ');
    throw new InvalidError(
      `Index set "${indexSet.title}" is used by the streams ${names}. Assign them another index set first.`,
    );
  }
}

/** Waits for a set with such a prefix that is being deleted, here or by another node. */
async function insertOnceFree(
  indexSet: NewStoredIndexSet,
  { indexSets }: IndexSetStore,
  patienceMs: number,
): Promise<StoredIndexSet> {
  const { prefix } = indexSet;
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await indexSets.insert(indexSet, (stored) => requireFreePrefix(prefix, stored));
    } catch (error) {
      if (error instanceof ConflictError) throw prefixTaken(prefix, prefix);
      if (!(error instanceof StateConflictError) || performance.now() >= deadline) throw error;
    }
    await delay(DELETION_LOOK_MS);
  }
}

/** Throws `StateConflictError` where it takes no more than waiting. */
function requireFreePrefix(prefix: string, stored: readonly StoredIndexSet[]): void {
  const conflicting = stored.filter((other) => couldBeEither(prefix, other.prefix));
  const taken = conflicting.find(({ deleting }) => !deleting);
  if (taken !== undefined) throw prefixTaken(prefix, taken.prefix);
  const [deleting] = conflicting;
  if (deleting === undefined) return;
  throw new StateConflictError(
    `Index set "${deleting.title}" with the prefix "${deleting.prefix}" is still being deleted. Try again when the job that deletes it has ended, or use another prefix.`,
    { path: 'index_prefix' },
  );
}

/** With `web` and `web_shop` the index `web_shop_1` could belong to either. */
function couldBeEither(prefix: string, other: string): boolean {
  return other.startsWith(prefix) || prefix.startsWith(other);
}

function prefixTaken(prefix: string, taken: string): InvalidError {
  return new InvalidError(
    `Index prefix "${prefix}" would conflict with the existing index set prefix "${taken}": neither may begin with the other.`,
    { path: 'index_prefix' },
  );
}
