import { pino } from 'pino';
import type { Route } from '#api/index.ts';
import {
  type AuditLog,
  type Caller,
  DEFAULT_INDEX_SET_ID,
  DEFAULT_STREAM_ID,
  EVENT_INDEX_SET_ID,
  EVENT_STREAM_ID,
  FAILURE_INDEX_SET_ID,
  FAILURE_STREAM_ID,
  type Message,
  type Principal,
} from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import { createSearchService, type SearchService, type SearchServiceSettings } from '#search/service.ts';
import { createMessageBlock, INSERT_SETTINGS } from '#storage/index.ts';
import { SeenFields } from '#storage/seen-fields.ts';
import { createStorageService, type StorageService } from '#storage/service.ts';
import { createJobs, createSystemMessages } from '#system/service.ts';
import { principalFor } from './api-fixture.ts';
import { type AuthFixture, createAuthFixture } from './auth-fixture.ts';
import type { TestClickHouse } from './clickhouse.ts';
import { ManualClock } from './manual-clock.ts';
import { type MessageParts, testMessage, testMessageId } from './messages.ts';
import { openTestMetadata } from './metadata.ts';

/** The time of the fixture's clock: a Wednesday. */
export const SEARCH_NOW = Date.UTC(2026, 5, 10, 12);

export interface FixtureMessage extends MessageParts {
  /** Titles or ids of streams; the default stream without. */
  readonly streams?: readonly string[];
  /** Prefixes of index sets; the default one without. */
  readonly indexSets?: readonly string[];
}

/**
 * Search over real tables: index sets and streams in SQLite in memory, messages in blocks as the writer makes them.
 * The sets have the prefixes `millrace` (the default), `failures`, `web` and `audit`, in this order; the streams
 * `web` and `audit` exist beside the built-in ones.
 */
export interface SearchFixture {
  readonly clock: ManualClock;
  readonly metadata: Metadata;
  readonly storage: StorageService;
  readonly search: SearchService;
  readonly auth: AuthFixture;
  /** As `admin` unless told otherwise. */
  readonly call: AuthFixture['call'];
  readonly admin: Principal;
  readonly caller: Caller;
  /** A user with nothing but these permissions (`streams:read:<id>`, …). */
  user(...permissions: string[]): Principal;
  streamId(title: string): string;
  indexSetId(prefix: string): string;
  /** Into the active indices of their sets, in the order given. What they lack is filled in: see `testMessage`. */
  store(messages: readonly FixtureMessage[]): Promise<Message[]>;
  /** Merges every table of messages into as few parts as there are indices. */
  merge(): Promise<void>;
  close(): Promise<void>;
}

export interface SearchFixtureParts {
  readonly search: SearchService;
  readonly storage: StorageService;
  readonly metadata: Metadata;
  readonly audit: AuditLog;
  readonly clock: ManualClock;
}

export interface SearchFixtureOptions {
  readonly limits?: Partial<SearchServiceSettings>;
  readonly routes?: (parts: SearchFixtureParts) => readonly Route[];
  /**
   * Whether `web` and `audit` are the default set. A statement over one table takes half the time of one over three, which
   * counts under an emulator.
   */
  readonly hasOneIndexSet?: boolean;
}

export const FIXTURE_LIMITS: SearchServiceSettings = {
  timeoutMs: 100_000,
  maxMemoryBytes: 2 ** 30,
  maxParallel: 8,
  exportTimeoutMs: 100_000,
};

export async function createSearchFixture(
  server: TestClickHouse,
  options: SearchFixtureOptions = {},
): Promise<SearchFixture> {
  const clock = new ManualClock(SEARCH_NOW);
  const metadata = await openTestMetadata(clock);
  const logger = pino({ level: 'silent' });
  const jobs = createJobs({ clock, logger }, { nodeId: 'node-1' });
  const systemMessages = createSystemMessages({ ...metadata.repositories, logger }, { nodeId: 'node-1' });
  const made = Promise.withResolvers<{ storage: StorageService; search: SearchService }>();
  const auth = await createAuthFixture({
    metadata,
    clock,
    moreRoutes: async ({ audit }) => {
      const storage = createStorageService(
        {
          metadata,
          clickhouse: () => server.clickhouse,
          jobs,
          systemMessages,
          audit,
          isLeader: () => true,
          clock,
          logger,
        },
        {
          database: server.database,
          rotationIntervalMs: 3_600_000,
          retentionIntervalMs: 3_600_000,
          newPartsIntervalMs: 3_600_000,
        },
      );
      await storage.start();
      await storage.whenReady();
      const search = createSearchService(
        { storage, metadata, audit, clock },
        { ...FIXTURE_LIMITS, ...options.limits },
      );
      made.resolve({ storage, search });
      return options.routes?.({ search, storage, metadata, audit, clock }) ?? [];
    },
  });
  const { storage, search } = await made.promise;
  const admin = requirePrincipal(principalFor({ admin: ['*'] }, 'admin'));
  const caller: Caller = { principal: admin, remoteAddress: '127.0.0.1' };
  const indexSetIds = await createIndexSets(storage, caller, options.hasOneIndexSet ?? false);
  const streamIds = await createStreams(metadata, indexSetIds);

  return {
    clock,
    metadata,
    storage,
    search,
    auth,
    call: (method, path, call = {}) => auth.call(method, path, { as: 'admin', ...call }),
    admin,
    caller,
    user: (...permissions) => requirePrincipal(principalFor({ limited: permissions }, 'limited')),
    streamId: (title) => lookUp(streamIds, title),
    indexSetId: (prefix) => lookUp(indexSetIds, prefix),
    store: createStore(server, storage, { streamIds, indexSetIds }),
    async merge() {
      for (const { table } of storage.searchTargets()) {
        await server.clickhouse.commandOnEach(`OPTIMIZE TABLE ${table} FINAL`);
      }
    },
    async close() {
      await jobs.stop();
      await storage.stop();
      await auth.close();
    },
  };
}

/** Stores as the writer does: a block for each index set, into its active index; message by message in turn on each server. */
function createStore(
  server: TestClickHouse,
  storage: StorageService,
  ids: { readonly streamIds: ReadonlyMap<string, string>; readonly indexSetIds: ReadonlyMap<string, string> },
): SearchFixture['store'] {
  let stored = 0;
  return async (messages) => {
    const rows = messages.map((parts) => ({
      message: testMessage({
        id: testMessageId(++stored, parts.receivedAt ?? SEARCH_NOW - 1000),
        receivedAt: SEARCH_NOW - 1000,
        ...parts,
      }),
      target: {
        streamIds: (parts.streams ?? [DEFAULT_STREAM_ID])
          .map((title) => ids.streamIds.get(title) ?? title)
          .sort(),
        indexSetIds: (parts.indexSets ?? ['millrace'])
          .map((prefix) => lookUp(ids.indexSetIds, prefix))
          .sort(),
        outputIds: [],
      },
    }));
    for (const indexSet of storage.snapshot()?.indexSets ?? []) {
      const seenFields = new SeenFields(indexSet.id);
      const { servers } = server.clickhouse;
      for (const [shard, each] of servers.entries()) {
        const block = createMessageBlock({ indexSetId: indexSet.id, nodeId: 'node-1', seenFields });
        for (const [row, { message, target }] of rows.entries()) {
          if (row % servers.length !== shard) continue;
          if (target.indexSetIds.includes(indexSet.id)) block.append(message, target);
        }
        if (block.rows === 0) continue;
        await storage.fieldsSeen(seenFields.takeNews());
        await each.insertNative({
          database: server.database,
          table: indexSet.table,
          block: block.encode(indexSet.indices.at(-1)?.number ?? 0),
          settings: INSERT_SETTINGS,
        });
      }
    }
    return rows.map(({ message }) => message);
  };
}

async function createIndexSets(
  storage: StorageService,
  caller: Caller,
  isOne: boolean,
): Promise<Map<string, string>> {
  const ids = new Map([
    ['millrace', DEFAULT_INDEX_SET_ID],
    ['failures', FAILURE_INDEX_SET_ID],
    ['gl_events', EVENT_INDEX_SET_ID],
  ]);
  for (const prefix of ['web', 'audit']) {
    if (isOne) {
      ids.set(prefix, DEFAULT_INDEX_SET_ID);
      continue;
    }
    const { id } = await storage.indexSets.create(caller, {
      title: prefix,
      description: null,
      index_prefix: prefix,
      index_analyzer: 'standard',
      shards: 1,
      replicas: 0,
      writable: true,
      index_optimization_max_num_segments: 1,
      index_optimization_disabled: false,
      field_type_refresh_interval: 5000,
    });
    if (id !== null && id !== undefined) ids.set(prefix, id);
  }
  return ids;
}

async function createStreams(
  { repositories }: Metadata,
  indexSetIds: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const stream = (title: string, prefix: string) => ({
    title,
    description: '',
    matchingType: 'AND' as const,
    removeMatches: false,
    indexSetId: lookUp(indexSetIds, prefix),
    creator: 'admin',
    state: 'running' as const,
    contentPack: null,
  });
  await repositories.streams.ensure(DEFAULT_STREAM_ID, stream('All messages', 'millrace'));
  await repositories.streams.ensure(FAILURE_STREAM_ID, stream('Processing failures', 'failures'));
  await repositories.streams.ensure(EVENT_STREAM_ID, stream('All events', 'gl_events'));
  const ids = new Map([
    ['All messages', DEFAULT_STREAM_ID],
    ['All events', EVENT_STREAM_ID],
    ['Processing failures', FAILURE_STREAM_ID],
  ]);
  for (const title of ['web', 'audit']) {
    ids.set(title, (await repositories.streams.insert(stream(title, title), [])).id);
  }
  return ids;
}

function lookUp(ids: ReadonlyMap<string, string>, name: string): string {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`the fixture has no ${name}`);
  return id;
}

function requirePrincipal(principal: Principal | undefined): Principal {
  if (principal === undefined) throw new Error('no such user');
  return principal;
}
