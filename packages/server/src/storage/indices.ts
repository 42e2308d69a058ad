/** Indices in the shapes of Graylog's API, and the operations on single indices. */
import type {
  AllIndices,
  ClosedIndices,
  DeflectorView,
  IndexerHealth,
  IndexerOverview,
  IndexInfo,
  IndexRangeView,
  IndexSetStats,
  IndexSummary,
  OpenIndices,
  ShardFigures,
} from '@millrace/contract';
import {
  type AuditLog,
  type Caller,
  type Clock,
  ForbiddenError,
  type Principal,
  partOf,
} from '#core/index.ts';
import type { IndexSetDirectory, KnownIndex } from './index-sets/directory.ts';
import type { Maintenance } from './index-sets/maintenance.ts';
import { type IndexSetStore, indexName, tableOf } from './index-sets/stored.ts';
import type { MessageDatabase } from './message-database.ts';
import type { PartFigures, TimeRange } from './message-tables.ts';

type Reader = Pick<Principal, 'can'>;

export interface IndexAdministration {
  /** The number of messages in open indices, of one index set or of all. */
  messageCount(indexSetId?: string): Promise<number>;
  stats(indexSetId: string): Promise<IndexSetStats>;
  /** Of all index sets that the reader may read. */
  statsOfAll(reader: Reader): Promise<ReadonlyMap<string, IndexSetStats>>;
  deflector(indexSetId: string): DeflectorView;
  ranges(reader: Reader): Promise<IndexRangeView[]>;
  range(name: string): Promise<IndexRangeView>;
  /** Of one index set, or of all that the reader may read. */
  all(reader: Reader, indexSetId?: string): Promise<AllIndices>;
  open(reader: Reader, indexSetId?: string): Promise<OpenIndices>;
  inState(reader: Reader, state: 'closed' | 'reopened', indexSetId?: string): ClosedIndices;
  info(name: string): Promise<IndexInfo>;
  /** The named indices that are open and that the reader may read. */
  infoOf(reader: Reader, names: readonly string[]): Promise<OpenIndices>;
  close(caller: Caller, name: string): Promise<void>;
  reopen(caller: Caller, name: string): Promise<void>;
  remove(caller: Caller, name: string): Promise<void>;
  /** Of all its indices, or of some of them, the newest first. */
  overview(
    indexSetId: string,
    part?: { readonly skip: number; readonly limit: number },
  ): Promise<IndexerOverview>;
  health(): Promise<IndexerHealth>;
  /** The version of ClickHouse; of several servers that of the first. */
  version(): Promise<string>;
}

export interface IndexAdministrationDeps {
  readonly store: IndexSetStore;
  readonly directory: IndexSetDirectory;
  readonly database: MessageDatabase;
  readonly maintenance: Maintenance;
  readonly audit: AuditLog;
  readonly clock: Clock;
}

const NO_PARTS = { messages: 0, bytes: 0, parts: 0 };
const NOTHING = { total: 0, time_seconds: 0 };

type Figures = Pick<PartFigures, 'messages' | 'bytes' | 'parts'>;

export function createIndexAdministration(deps: IndexAdministrationDeps): IndexAdministration {
  return { ...createCounts(deps), ...createRanges(deps), ...createLists(deps), ...createActions(deps) };
}

/** The figures of each index, by its name. */
async function figuresByName({
  database,
  directory,
}: IndexAdministrationDeps): Promise<Map<string, Figures>> {
  const figures = await database.tables().figures();
  const prefixes = new Map(directory.list().map((indexSet) => [tableOf(indexSet), indexSet]));
  return new Map(
    figures.flatMap((each) => {
      const indexSet = prefixes.get(each.table);
      return indexSet === undefined ? [] : [[indexName(indexSet, each.number), each] as const];
    }),
  );
}

const nameOf = ({ indexSet, index }: KnownIndex) => indexName(indexSet, index.number);

function createCounts(deps: IndexAdministrationDeps) {
  const { directory } = deps;

  function sum(indexSetId: string, figures: ReadonlyMap<string, Figures>): IndexSetStats {
    const open = directory.indicesOf(indexSetId).filter(({ index }) => index.state !== 'closed');
    const own = open.map((known) => figures.get(nameOf(known)) ?? NO_PARTS);
    return {
      indices: open.length,
      documents: own.reduce((total, each) => total + each.messages, 0),
      size: own.reduce((total, each) => total + each.bytes, 0),
    };
  }

  async function stats(indexSetId: string): Promise<IndexSetStats> {
    directory.get(indexSetId);
    return sum(indexSetId, await figuresByName(deps));
  }

  return {
    stats,
    async statsOfAll(reader: Reader) {
      const figures = await figuresByName(deps);
      const readable = directory.list().filter(({ id }) => reader.can('indexsets:read', id));
      return new Map(readable.map(({ id }) => [id, sum(id, figures)]));
    },
    async messageCount(indexSetId?: string): Promise<number> {
      if (indexSetId !== undefined) return (await stats(indexSetId)).documents;
      const figures = await figuresByName(deps);
      return directory.list().reduce((total, { id }) => total + sum(id, figures).documents, 0);
    },
  };
}

function createRanges(deps: IndexAdministrationDeps) {
  const { directory, database, clock } = deps;

  async function rangesOf(indexSetId: string): Promise<Map<string, IndexRangeView>> {
    const startedAt = clock.now();
    const ranges = await database.tables().ranges(tableOf(directory.get(indexSetId)));
    const took = Math.max(0, clock.now() - startedAt);
    const open = directory.indicesOf(indexSetId).filter(({ index }) => index.state !== 'closed');
    return new Map(
      open.map((known) => [
        nameOf(known),
        rangeView(known, ranges.get(known.index.number), clock.now(), took),
      ]),
    );
  }

  function deflector(indexSetId: string): DeflectorView {
    return { is_up: true, current_target: nameOf(directory.active(indexSetId)) };
  }

  return {
    deflector,
    async ranges(reader: Reader): Promise<IndexRangeView[]> {
      const all = await Promise.all(directory.list().map(({ id }) => rangesOf(id)));
      return all
        .flatMap((ranges) => [...ranges.values()])
        .filter(({ index_name: name }) => reader.can('indexranges:read', name));
    },
    async range(name: string): Promise<IndexRangeView> {
      const known = directory.index(name);
      const range = (await rangesOf(known.indexSet.id)).get(name);
      return range ?? rangeView(known, undefined, clock.now(), 0);
    },
    async overview(
      indexSetId: string,
      part: { readonly skip: number; readonly limit: number } = { skip: 0, limit: 0 },
    ): Promise<IndexerOverview> {
      const [figures, ranges] = await Promise.all([figuresByName(deps), rangesOf(indexSetId)]);
      const indices = directory
        .indicesOf(indexSetId)
        .toSorted((one, other) => other.index.number - one.index.number);
      const summaries = indices.map(
        (known) =>
          [nameOf(known), summary(known, figures.get(nameOf(known)), ranges.get(nameOf(known)))] as const,
      );
      const events = summaries.reduce((total, [, { size }]) => total + (size?.events ?? 0), 0);
      return {
        deflector: deflector(indexSetId),
        indexer_cluster: { health: await healthOf(database), name: database.name },
        counts: { events },
        indices: Object.fromEntries(partOf(summaries, part)),
        total: indices.length,
      };
    },
    health: () => healthOf(database),
    version: () => versionOf(database),
  };
}

function rangeView(
  known: KnownIndex,
  range: TimeRange | undefined,
  calculatedAt: number,
  took: number,
): IndexRangeView {
  return {
    index_name: nameOf(known),
    begin: new Date(range?.begin ?? 0).toISOString(),
    end: new Date(range?.end ?? 0).toISOString(),
    calculated_at: new Date(calculatedAt).toISOString(),
    took_ms: Math.round(took),
  };
}

function summary(
  { index, isActive }: KnownIndex,
  figures: Figures | undefined,
  range: IndexRangeView | undefined,
): IndexSummary {
  const { messages, bytes } = figures ?? NO_PARTS;
  const isClosed = index.state === 'closed';
  return {
    size: isClosed ? null : { events: messages, deleted: 0, bytes },
    range: range ?? null,
    is_deflector: isActive,
    is_closed: isClosed,
    is_reopened: index.state === 'reopened',
  };
}

const PING_TIMEOUT_MS = 3000;

async function healthOf(database: MessageDatabase): Promise<IndexerHealth> {
  const shards = { active: 0, initializing: 0, relocating: 0, unassigned: 0 };
  try {
    const { servers } = database.clickhouse();
    // One of several that hangs must not hang the answer.
    const signal = servers.length > 1 ? AbortSignal.timeout(PING_TIMEOUT_MS) : undefined;
    const answers = await Promise.allSettled(servers.map((server) => server.ping(signal)));
    const active = answers.filter(({ status }) => status === 'fulfilled').length;
    const status = active === servers.length ? 'green' : active > 0 ? 'yellow' : 'red';
    return { status, shards: { ...shards, active, unassigned: servers.length - active } };
  } catch {
    return { status: 'red', shards };
  }
}

async function versionOf(database: MessageDatabase): Promise<string> {
  const [row] = await database.clickhouse().query<{ version: string }>('SELECT version() AS version');
  return `ClickHouse ${row?.version ?? ''}`;
}

function createLists(deps: IndexAdministrationDeps) {
  const { directory } = deps;

  /** Of one index set, for which the route has checked the permission; or of all that the reader may read. */
  function known(reader: Reader, indexSetId: string | undefined): readonly KnownIndex[] {
    if (indexSetId !== undefined) return directory.indicesOf(indexSetId);
    return directory
      .list()
      .flatMap(({ id }) => directory.indicesOf(id))
      .filter((each) => reader.can('indices:read', nameOf(each)));
  }

  function inState(reader: Reader, state: 'closed' | 'reopened', indexSetId?: string): ClosedIndices {
    const names = known(reader, indexSetId)
      .filter(({ index }) => index.state === state)
      .map(nameOf);
    return { indices: names, total: names.length };
  }

  async function infos(indices: readonly KnownIndex[]): Promise<OpenIndices> {
    const figures = await figuresByName(deps);
    const open = indices.filter(({ index }) => index.state !== 'closed');
    return {
      indices: Object.fromEntries(
        open.map((each) => [nameOf(each), infoView(each, figures.get(nameOf(each)))]),
      ),
    };
  }

  return {
    inState,
    open: (reader: Reader, indexSetId?: string) => infos(known(reader, indexSetId)),
    async all(reader: Reader, indexSetId?: string): Promise<AllIndices> {
      return {
        closed: inState(reader, 'closed', indexSetId),
        reopened: inState(reader, 'reopened', indexSetId),
        all: await infos(known(reader, indexSetId)),
      };
    },
    async info(name: string): Promise<IndexInfo> {
      const found = directory.index(name);
      return infoView(found, (await figuresByName(deps)).get(name));
    },
    infoOf: (reader: Reader, names: readonly string[]) =>
      infos(known(reader, undefined).filter((each) => names.includes(nameOf(each)))),
  };
}

function infoView({ index }: KnownIndex, figures: Figures = NO_PARTS): IndexInfo {
  const shards: ShardFigures = {
    flush: NOTHING,
    get: NOTHING,
    index: NOTHING,
    merge: NOTHING,
    refresh: NOTHING,
    search_query: NOTHING,
    search_fetch: NOTHING,
    open_search_contexts: 0,
    store_size_bytes: figures.bytes,
    segments: figures.parts,
    documents: { count: figures.messages, deleted: 0 },
  };
  return {
    primary_shards: shards,
    all_shards: shards,
    routing: [],
    is_reopened: index.state === 'reopened',
  };
}

function createActions(deps: IndexAdministrationDeps) {
  const { directory, store, maintenance, audit } = deps;

  function record(caller: Caller, verb: string, name: string): Promise<void> {
    return audit.record({
      actor: caller.principal.username,
      address: caller.remoteAddress,
      action: `index.${verb}`,
      objectType: 'index',
      objectId: name,
    });
  }

  /** Graylog answers 403 for the index that is being written to. */
  function requireInactive(name: string, verb: string): KnownIndex {
    const known = directory.index(name);
    if (known.isActive) {
      throw new ForbiddenError(
        `Index [${name}] is being written to and cannot be ${verb}. Cycle the deflector first.`,
      );
    }
    return known;
  }

  return {
    async close(caller: Caller, name: string): Promise<void> {
      const { index } = requireInactive(name, 'closed');
      await store.indices.setState(index.indexSetId, index.number, 'closed');
      await directory.refresh();
      await record(caller, 'close', name);
    },
    async reopen(caller: Caller, name: string): Promise<void> {
      const { index } = directory.index(name);
      if (index.state === 'closed') {
        await store.indices.setState(index.indexSetId, index.number, 'reopened');
        await directory.refresh();
      }
      await record(caller, 'reopen', name);
    },
    async remove(caller: Caller, name: string): Promise<void> {
      const { indexSet, index } = requireInactive(name, 'deleted');
      await maintenance.deleteIndex(indexSet, index.number);
      await record(caller, 'delete', name);
    },
  };
}
