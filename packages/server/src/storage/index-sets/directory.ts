/**
 * The index sets and indices that this node knows, and the snapshot of them that its workers follow. The database has
 * the truth: it is read again after every change made here, and periodically, because other nodes change it too.
 */
import { DEFAULT_INDEX_SET_ID, NotFoundError } from '#core/index.ts';
import type { Logger } from '#telemetry/index.ts';
import type { IndexSetSnapshot } from './snapshot.ts';
import {
  type IndexSetStore,
  parseIndexName,
  type StoredIndex,
  type StoredIndexSet,
  tableOf,
} from './stored.ts';

export interface KnownIndex {
  readonly indexSet: StoredIndexSet;
  readonly index: StoredIndex;
  readonly isActive: boolean;
}

export interface IndexSetDirectory {
  /** Reads the database and notifies listeners when something has changed. */
  refresh(): Promise<void>;
  /** Those that are not being deleted, oldest first. */
  list(): readonly StoredIndexSet[];
  /** Those whose data has yet to be deleted. */
  deleting(): readonly StoredIndexSet[];
  find(id: string): StoredIndexSet | undefined;
  /** Throws `NotFoundError`. */
  get(id: string): StoredIndexSet;
  default(): StoredIndexSet;
  /** By number; the last one is the active one. */
  indicesOf(indexSetId: string): readonly KnownIndex[];
  /** Throws `NotFoundError` for a name that is not an index of any set. */
  index(name: string): KnownIndex;
  active(indexSetId: string): KnownIndex;
  snapshot(): IndexSetSnapshot | undefined;
  /** Called at once with the current snapshot, if there is one, and with every newer one. */
  onSnapshot(listener: (snapshot: IndexSetSnapshot) => void): () => void;
}

interface State {
  readonly indexSets: ReadonlyMap<string, StoredIndexSet>;
  readonly indices: ReadonlyMap<string, readonly StoredIndex[]>;
}

export interface DirectoryDeps {
  readonly store: Pick<IndexSetStore, 'indexSets' | 'indices'>;
  readonly logger: Logger;
}

export function createIndexSetDirectory(deps: DirectoryDeps): IndexSetDirectory {
  const publisher = createSnapshotPublisher(deps.logger);
  let state: State = { indexSets: new Map(), indices: new Map() };
  let reading: Promise<void> | undefined;
  let again = false;

  async function read(): Promise<void> {
    // Indices first: a set that is created in between is then missing as a whole, instead of having no index.
    const indices = await deps.store.indices.list();
    const indexSets = await deps.store.indexSets.list();
    state = {
      indexSets: new Map(indexSets.map((indexSet) => [indexSet.id, indexSet])),
      indices: Map.groupBy(indices, (index) => index.indexSetId),
    };
    publisher.publish(state);
  }

  async function readUntilNobodyWaits(): Promise<void> {
    try {
      do {
        again = false;
        await read();
      } while (again);
    } finally {
      // At once, and not when the promise is settled: nobody can wait for a read that has ended already.
      reading = undefined;
    }
  }

  return {
    refresh() {
      // A read in progress may have missed what the caller wrote just before, so it is followed by another.
      if (reading !== undefined) again = true;
      reading ??= readUntilNobodyWaits();
      return reading;
    },
    snapshot: publisher.snapshot,
    onSnapshot: publisher.onSnapshot,
    ...createLookUps(() => state),
  };
}

function createLookUps(state: () => State) {
  const list = () => [...state().indexSets.values()].filter((each) => isUsable(each, state()));
  const find = (id: string) => list().find((indexSet) => indexSet.id === id);

  function get(id: string): StoredIndexSet {
    const found = find(id);
    if (found === undefined) throw new NotFoundError(`Couldn't find index set with ID <${id}>`);
    return found;
  }

  function indicesOf(indexSetId: string): readonly KnownIndex[] {
    const indexSet = get(indexSetId);
    const indices = state().indices.get(indexSetId) ?? [];
    return indices.map((index, position) => ({ indexSet, index, isActive: position === indices.length - 1 }));
  }

  return {
    list,
    deleting: () => [...state().indexSets.values()].filter((indexSet) => indexSet.deleting),
    find,
    get,
    default(): StoredIndexSet {
      const found = list().find((indexSet) => indexSet.isDefault) ?? list()[0];
      if (found === undefined) throw new NotFoundError('There is no index set.');
      return found;
    },
    indicesOf,
    index(name: string): KnownIndex {
      const parsed = parseIndexName(name);
      const indexSet = list().find((each) => each.prefix === parsed?.prefix);
      const found = indexSet && indicesOf(indexSet.id).find(({ index }) => index.number === parsed?.number);
      if (found === undefined) throw new NotFoundError(`Index [${name}] doesn't exist.`);
      return found;
    },
    active(indexSetId: string): KnownIndex {
      const found = indicesOf(indexSetId).at(-1);
      if (found === undefined) throw new NotFoundError(`Index set <${indexSetId}> has no index.`);
      return found;
    },
  };
}

type SnapshotListener = (snapshot: IndexSetSnapshot) => void;

function createSnapshotPublisher(logger: Logger) {
  const listeners = new Set<SnapshotListener>();
  let snapshot: IndexSetSnapshot | undefined;

  return {
    publish(state: State): void {
      const newer = snapshotOf(state, snapshot);
      if (newer === snapshot) return;
      snapshot = newer;
      for (const listener of listeners) {
        try {
          listener(newer);
        } catch (error) {
          logger.error({ err: error }, 'a listener to changes of index sets failed');
        }
      }
    },
    snapshot: () => snapshot,
    onSnapshot(listener: SnapshotListener): () => void {
      listeners.add(listener);
      if (snapshot !== undefined) listener(snapshot);
      return () => void listeners.delete(listener);
    },
  };
}

function isUsable(indexSet: StoredIndexSet, state: State): boolean {
  return !indexSet.deleting && (state.indices.get(indexSet.id)?.length ?? 0) > 0;
}

/** The previous snapshot when nothing has changed. */
function snapshotOf(state: State, previous: IndexSetSnapshot | undefined): IndexSetSnapshot {
  const indexSets = [...state.indexSets.values()]
    .filter((indexSet) => isUsable(indexSet, state))
    .map((indexSet) => ({
      id: indexSet.id,
      table: tableOf(indexSet),
      indices: (state.indices.get(indexSet.id) ?? []).map(({ number, version }) => ({ number, version })),
      ...(Object.keys(indexSet.fieldTypes).length > 0 && { fieldTypes: indexSet.fieldTypes }),
    }));
  const defaultIndexSetId =
    state.indexSets.values().find(({ isDefault }) => isDefault)?.id ?? DEFAULT_INDEX_SET_ID;
  if (
    previous?.defaultIndexSetId === defaultIndexSetId &&
    JSON.stringify(previous.indexSets) === JSON.stringify(indexSets)
  )
    return previous;
  const versions = indexSets.flatMap(({ indices }) => indices.map(({ version }) => version));
  const revision = (previous?.revision ?? 0) + 1;
  return { revision, version: Math.max(0, ...versions), defaultIndexSetId, indexSets };
}
