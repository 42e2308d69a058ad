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
import type { IndexSetStore, StoredIndexSet } from './stored.ts';
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

export function createIndexSetAdministration(deps: IndexSetChangeDeps): IndexSetAdministration {
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
    await directory.refresh();
    requireFreePrefix(indexSet.prefix, [...directory.list(), ...directory.deleting()]);
    const stored = await store.indexSets.insert(indexSet).catch((error: unknown) => {
      throw error instanceof ConflictError ? prefixTaken(indexSet.prefix, indexSet.prefix) : error;
    });
    await directory.refresh();
    await database.whenReady();
    await record(caller, 'create', stored.id, undefined, stored);
    return indexSetView(stored);
  }

  async function change(caller: Caller, id: string, request: IndexSetChanges): Promise<IndexSetView> {
    const before = directory.get(id);
    const properties = propertiesOf(request, before);
    if (before.isDefault && !properties.writable) {
      throw new StateConflictError(
        'The default index set must be writable. Make another one the default first.',
      );
    }
    const after = await store.indexSets.update(id, properties, (stored) =>
      requireUnchanged(stored, request.revision),
    );
    await directory.refresh();
    if (after === undefined) return indexSetView(directory.get(id));
    await record(caller, 'update', id, before, after);
    return indexSetView(after);
  }

  async function setDefault(caller: Caller, id: string): Promise<IndexSetView> {
    const indexSet = directory.get(id);
    requireFitForDefault(indexSet);
    await store.indexSets.setDefault(id);
    await directory.refresh();
    const after = directory.get(id);
    await record(caller, 'set_default', id, indexSet, after);
    return indexSetView(after);
  }

  async function remove(caller: Caller, id: string, deleteIndices: boolean): Promise<void> {
    const indexSet = directory.get(id);
    await requireRemovable(indexSet, store);
    if (deleteIndices) {
      // To delete the data the engine must be running; without it nothing is started.
      database.tables();
      await store.indexSets.markDeleting(id);
    } else await store.indexSets.remove(id);
    await directory.refresh();
    await record(caller, 'delete', id, indexSet);
    if (deleteIndices) deps.startDeletion(indexSet);
  }

  return { create, change, setDefault, remove };
}

function requireUnchanged(stored: StoredIndexSet, wanted: string | null | undefined): void {
  requireRevision({ what: `index set "${stored.title}"`, revision: indexSetRevision(stored), wanted });
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
  const streams = await store.streams.listByIndexSet(indexSet.id);
  if (streams.length > 0) {
    const names = streams.map(({ id, title }) => `"${title}" (${id})`).join(', ');
    throw new InvalidError(
      `Index set "${indexSet.title}" is used by the streams ${names}. Assign them another index set first.`,
    );
  }
}

/** With `web` and `web_shop` the index `web_shop_1` could belong to either. */
function requireFreePrefix(prefix: string, indexSets: readonly StoredIndexSet[]): void {
  const conflict = indexSets.find(
    (other) => other.prefix.startsWith(prefix) || prefix.startsWith(other.prefix),
  );
  if (conflict !== undefined) throw prefixTaken(prefix, conflict.prefix);
}

function prefixTaken(prefix: string, taken: string): InvalidError {
  return new InvalidError(
    `Index prefix "${prefix}" would conflict with the existing index set prefix "${taken}": neither may begin with the other.`,
    { path: 'index_prefix' },
  );
}
