/** Lookup tables on the main thread: how people manage them, and the data of their adapters for the workers. */
import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises';
import type { LookupErrorStates, LookupErrorStatesRequest, LookupResultView } from '@millrace/contract';
import {
  type AllowedUrls,
  type AuditLog,
  type Clock,
  type ComponentSecrets,
  createAllowedTargets,
  createComponentSecrets,
  createPeriodicJob,
  errorMessage,
  InvalidConfiguration,
  readAfterChanges,
  type SecretCipher,
  type Startable,
  unreadableSecrets,
} from '#core/index.ts';
import type { LookupPartRecord, LookupTableRecord, Metadata } from '#metadata/index.ts';
import type { Logger } from '#telemetry/index.ts';
import { type LookupAnswer, NO_ANSWER } from './answer.ts';
import type { CachePolicy } from './cache-type.ts';
import { NO_CACHE } from './caches/none.ts';
import { createLookupFiles } from './files.ts';
import { defaultAnswer } from './management/defaults.ts';
import { createLookupEntries, type LookupEntries } from './management/entries.ts';
import { createLookupParts, type LookupParts } from './management/parts.ts';
import { createRareLog } from './management/rare-log.ts';
import { createRunningAdapters, type RunningAdapters } from './management/running-adapters.ts';
import { createLookupTables, type LookupTables } from './management/tables.ts';
import { resultView, typeViews } from './management/views.ts';
import { ADAPTER_TYPES, CACHE_TYPES } from './registry.ts';
import { requireKey } from './remote/change.ts';
import type { ForgottenKey } from './remote/messages.ts';
import {
  createRemoteLookups,
  type RemoteLookups,
  type Reply,
  type ServedTable,
} from './remote/remote-lookups.ts';
import { answerFrom, answerOr, type LookupSnapshot, type LookupSource, type TableData } from './source.ts';

export type { LookupEntries } from './management/entries.ts';
export type { LookupParts } from './management/parts.ts';
export type { LookupTables } from './management/tables.ts';
export type { ForgottenKey, LookupRequests, RemoteAnswer } from './remote/messages.ts';
export type { Reply } from './remote/remote-lookups.ts';
export type { LookupSnapshot } from './source.ts';

/**
 * While it runs, it follows changes in the database, whichever node made them, and loads the data of adapters again when
 * it changes.
 */
export interface LookupService extends Startable {
  readonly tables: LookupTables;
  readonly adapters: LookupParts;
  readonly caches: LookupParts;
  /** Of key-value stores. */
  readonly entries: LookupEntries;
  readonly types: { adapters(): ReturnType<typeof typeViews>; caches(): ReturnType<typeof typeViews> };
  /**
   * Called at once with the current snapshot, if there is one, and with every newer one. `news` is the same without the
   * sources that were in the snapshot before.
   */
  onSnapshot(listener: (snapshot: LookupSnapshot, news: LookupSnapshot) => void): void;
  /** Called with keys whose answers threads must forget, other than the one that `by` replies to. */
  onForget(listener: (forgotten: ForgottenKey, by?: Reply) => void): void;
  /** Answers what a thread wants to know of remote tables, and changes them. */
  serve: RemoteLookups['serve'];
  /** How many changes of rules are not made yet. */
  changesUnderWay: RemoteLookups['changesUnderWay'];
  /** Undefined until the service has started. */
  snapshot(): LookupSnapshot | undefined;
  queryTable(idOrName: string, key: string): Promise<LookupResultView>;
  queryAdapter(idOrName: string, key: string): Promise<LookupResultView>;
  /** Loads the data of the table again; forgets what was fetched for the key, or for all keys. */
  purge(idOrName: string, key?: string): Promise<void>;
  errorStates(request: LookupErrorStatesRequest): Promise<LookupErrorStates>;
}

export interface LookupServiceDeps {
  readonly metadata: Metadata;
  readonly audit: AuditLog;
  /** Encrypts the secrets in stored configurations. */
  readonly cipher: SecretCipher;
  /** Which URLs administrators let lookup tables ask. */
  readonly urls?: AllowedUrls;
  /** Only the leader deletes expired values. Left out: this node does. */
  readonly isLeader?: () => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface LookupServiceSettings {
  /** Below which adapters may read files. */
  readonly filesDirectory: string;
  /** Networks that are not public and that adapters may ask over HTTP nevertheless. */
  readonly allowedNetworks: readonly string[];
  /** How often to look for changes of other nodes and of files. */
  readonly refreshIntervalMs?: number;
}

const REFRESH_INTERVAL_MS = 1000;
/** How often entries that have expired are deleted; until then nobody sees them. */
const CLEAN_INTERVAL_MS = 60_000;
/** So long a node that stops waits for the changes of its rules. */
const MAX_SETTLE_MS = 30_000;

export function createLookupService(deps: LookupServiceDeps, settings: LookupServiceSettings): LookupService {
  const { metadata, clock } = deps;
  const logger = deps.logger.child({ component: 'lookup' });
  const adapterSecrets = createComponentSecrets(deps.cipher, 'lookup-adapter');
  const running = createAdapters(deps, settings, adapterSecrets, logger);
  const listeners: ((snapshot: LookupSnapshot, news: LookupSnapshot) => void)[] = [];
  const forgetting = createForgetting();
  const remote = createRemote(clock, logger, forgetting.forget);
  let current: LookupSnapshot | undefined;
  let currentTables = '';
  let queue: Promise<void> = Promise.resolve();
  const readStored = createStoredRead(metadata);

  async function read(): Promise<void> {
    const { stored, caches, adapters } = await readStored();
    const isChanged = await running.follow(adapters);
    const text = JSON.stringify([stored.map(forWorkers), caches.map(({ configuration }) => configuration)]);
    if (!isChanged && text === currentTables) return;
    currentTables = text;
    const policies = new Map(caches.map((cache) => [cache.id, policyOf(cache)]));
    const tables = stored.map((table) => tableData(running, table, policies.get(table.cacheId) ?? NO_CACHE));
    remote.use(stored.flatMap((table, index) => served(running, table.adapterId, tables[index])));
    const before = current?.sources;
    current = { tables, sources: sourcesOf(running, stored) };
    const news = new Map([...current.sources].filter(([id]) => before?.has(id) !== true));
    for (const listener of listeners) listener(current, { tables, sources: news });
    running.closeReplaced();
  }

  /** One at a time: older data must never follow newer data. */
  const changed = (): Promise<void> => {
    queue = queue.then(read, read);
    return queue;
  };
  const refreshing = createPeriodicJob(
    { run: changed, logger },
    { name: 'refreshing lookup tables', intervalMs: settings.refreshIntervalMs ?? REFRESH_INTERVAL_MS },
  );

  const cleaning = createCleaning(deps, logger);
  const entities = createEntities(deps, adapterSecrets, changed);

  return {
    name: 'lookup tables',
    ...entities,
    entries: createEntries(deps, entities.adapters, running, remote),
    types: { adapters: () => typeViews(ADAPTER_TYPES), caches: () => typeViews(CACHE_TYPES) },
    onSnapshot(listener) {
      listeners.push(listener);
      if (current !== undefined) listener(current, current);
    },
    onForget: forgetting.onForget,
    serve: remote.serve,
    changesUnderWay: remote.changesUnderWay,
    snapshot: () => current,
    ...createQueries({ ...entities, running, remote, logger }),
    async purge(idOrName, key) {
      const table = await entities.tables.require(idOrName);
      const forgotten = { table: table.name, key };
      remote.forget(forgotten);
      // After the answers that are being sent.
      await nextTurn();
      forgetting.forget(forgotten);
      running.reload(table.adapterId);
      await changed();
    },
    errorStates: async (request) => errorStatesOf(metadata, running.error, request),
    async start() {
      await changed();
      refreshing.start();
      cleaning.start();
    },
    async stop() {
      await Promise.all([refreshing.stop(), cleaning.stop()]);
      await queue.catch(() => {});
      await settle(remote, logger);
      running.close();
    },
  };
}

function createStoredRead(metadata: Metadata) {
  const { lookupTables, lookupAdapters, lookupCaches } = metadata.repositories;
  return readAfterChanges(metadata, async () => ({
    stored: await lookupTables.list(),
    caches: await lookupCaches.list(),
    adapters: await lookupAdapters.list(),
  }));
}

function createEntries(
  { metadata, audit }: LookupServiceDeps,
  adapters: LookupParts,
  running: RunningAdapters,
  remote: RemoteLookups,
): LookupEntries {
  return createLookupEntries({
    adapters,
    repository: metadata.repositories.lookupEntries,
    audit,
    change: (adapterId, key, change) =>
      running
        .source(adapterId)
        ?.calls?.change(key, change)
        .then(() => remote.entryChanged(adapterId, key)),
  });
}

function createForgetting() {
  const listeners: ((forgotten: ForgottenKey, by?: Reply) => void)[] = [];
  return {
    onForget: (listener: (forgotten: ForgottenKey, by?: Reply) => void) => void listeners.push(listener),
    forget(forgotten: ForgottenKey, by?: Reply): void {
      for (const listener of listeners) listener(forgotten, by);
    },
  };
}

function createRemote(
  clock: Clock,
  logger: Logger,
  changed: (key: ForgottenKey, by?: Reply) => void,
): RemoteLookups {
  const lost = createRareLog(clock, (table, times) =>
    logger.warn({ table, times }, 'changes of rules are lost: their lookup table is gone'),
  );
  return createRemoteLookups({ clock, changed, lost });
}

/** Waits for the changes of rules: their messages are not processed again. */
async function settle(remote: RemoteLookups, logger: Logger): Promise<void> {
  const waiting = new AbortController();
  const timeUp = setTimeout(MAX_SETTLE_MS, undefined, { signal: waiting.signal }).catch(() => {});
  await Promise.race([remote.settled(), timeUp]);
  waiting.abort();
  const changes = remote.changesUnderWay();
  if (changes > 0) logger.error({ changes }, 'changes of rules to lookup tables are lost: the node stops');
}

function createCleaning({ metadata, isLeader }: LookupServiceDeps, logger: Logger) {
  const run = async () => void (await metadata.repositories.lookupEntries.removeExpired());
  return createPeriodicJob(
    { run, logger, ...(isLeader && { isLeader }) },
    { name: 'deleting expired values of lookup tables', intervalMs: CLEAN_INTERVAL_MS },
  );
}

function createAdapters(
  { metadata, clock, urls }: LookupServiceDeps,
  { filesDirectory, allowedNetworks }: LookupServiceSettings,
  secrets: ComponentSecrets,
  logger: Logger,
): RunningAdapters {
  const { lookupEntries: entries } = metadata.repositories;
  return createRunningAdapters({
    context: {
      files: createLookupFiles(filesDirectory),
      targets: createAllowedTargets(allowedNetworks, urls),
      entries,
      clock,
    },
    decrypted: (record) => decrypted(secrets, record),
    clock,
    logger,
  });
}

interface QueryParts extends Pick<LookupService, 'tables' | 'adapters'> {
  readonly running: RunningAdapters;
  readonly remote: RemoteLookups;
  readonly logger: Logger;
}

function createQueries({
  tables,
  adapters,
  running,
  remote,
  logger,
}: QueryParts): Pick<LookupService, 'queryTable' | 'queryAdapter'> {
  async function answered(adapterId: string, asked: Promise<LookupAnswer>, fallback: LookupAnswer) {
    try {
      const answer = await asked;
      // A remote adapter has answered for this key, whatever became of others.
      const hasError =
        running.source(adapterId)?.source.kind !== 'remote' && running.error(adapterId) !== null;
      return resultView(answerOr(fallback, answer), hasError);
    } catch (error) {
      const reason = errorMessage(error);
      running.source(adapterId)?.report(reason);
      // A record of a file may be damaged while others are well.
      logger.warn({ reason }, 'a key cannot be looked up');
      return resultView(fallback, true);
    }
  }
  return {
    async queryTable(idOrName, key) {
      requireKey(key);
      const table = await tables.require(idOrName);
      const asked = remote.ask(table.name, key) ?? ownAnswer(running, table.adapterId, key);
      return answered(table.adapterId, asked, defaultAnswer(table));
    },
    async queryAdapter(idOrName, key) {
      requireKey(key);
      const { id } = await adapters.require(idOrName);
      return answered(id, ownAnswer(running, id, key), NO_ANSWER);
    },
  };
}

const tableData = (running: RunningAdapters, table: LookupTableRecord, cache: CachePolicy): TableData => ({
  name: table.name,
  sourceId: running.source(table.adapterId)?.id,
  fallback: defaultAnswer(table),
  cache,
});

function sourcesOf(running: RunningAdapters, tables: readonly LookupTableRecord[]) {
  const found = tables.map(({ adapterId }) => running.source(adapterId));
  return new Map<string, LookupSource>(found.flatMap((each) => (each ? [[each.id, each.source]] : [])));
}

function served(
  running: RunningAdapters,
  adapterId: string,
  table: TableData | undefined,
): readonly ServedTable[] {
  const found = running.source(adapterId);
  if (table === undefined || found?.calls === undefined) return [];
  const { id: sourceId, calls, report } = found;
  return [{ name: table.name, sourceId, adapterId, calls, cache: table.cache, report }];
}

/** From the adapter, without what is known. */
async function ownAnswer(running: RunningAdapters, adapterId: string, key: string): Promise<LookupAnswer> {
  const found = running.source(adapterId);
  if (found === undefined) return NO_ANSWER;
  const { source, calls } = found;
  if (source.kind !== 'remote') return answerFrom(source, key);
  return calls === undefined ? NO_ANSWER : (await calls.fetch(key)).answer;
}

/** A cache that this version does not know, or that is not right any more, is none. */
function policyOf({ type, configuration }: LookupPartRecord): CachePolicy {
  const policy = CACHE_TYPES.find(type)?.create(undefined, configuration);
  return policy === undefined || policy instanceof InvalidConfiguration ? NO_CACHE : policy;
}

/** Without titles and descriptions, which do not matter to them. */
function forWorkers({ name, adapterId, cacheId, defaultSingle, defaultMulti }: LookupTableRecord) {
  return { name, adapterId, cacheId, defaultSingle, defaultMulti };
}

function createEntities(
  { metadata, audit, cipher, clock }: LookupServiceDeps,
  adapterSecrets: ComponentSecrets,
  changed: () => Promise<void>,
): Pick<LookupService, 'tables' | 'adapters' | 'caches'> {
  const { lookupTables, lookupAdapters, lookupCaches } = metadata.repositories;
  const shared = { audit, clock, changed };
  const adapters = createLookupParts({
    ...shared,
    kind: 'lookup_adapter',
    label: 'data adapter',
    repository: lookupAdapters,
    types: ADAPTER_TYPES,
    secrets: adapterSecrets,
  });
  const caches = createLookupParts({
    ...shared,
    kind: 'lookup_cache',
    label: 'lookup cache',
    repository: lookupCaches,
    types: CACHE_TYPES,
    secrets: createComponentSecrets(cipher, 'lookup-cache'),
  });
  const tables = createLookupTables({ ...shared, repository: lookupTables, adapters, caches });
  return { tables, adapters, caches };
}

function decrypted(secrets: ComponentSecrets, record: LookupPartRecord): LookupPartRecord {
  const fields = ADAPTER_TYPES.find(record.type)?.fields ?? {};
  const { configuration, unreadable } = secrets.decrypt(record.id, fields, record.configuration);
  if (unreadable.length > 0) throw new Error(unreadableSecrets(unreadable));
  return { ...record, configuration };
}

/** Names that do not exist are left out. */
async function errorStatesOf(
  { repositories }: Metadata,
  errorOf: (adapterId: string) => string | null,
  request: LookupErrorStatesRequest,
): Promise<LookupErrorStates> {
  const [tables, adapters, caches] = await Promise.all([
    repositories.lookupTables.list(),
    repositories.lookupAdapters.list(),
    repositories.lookupCaches.list(),
  ]);
  const states = <T extends { readonly name: string }>(
    all: readonly T[],
    wanted: readonly string[] | null | undefined,
    state: (each: T) => string | null,
  ) =>
    Object.fromEntries(
      all.filter(({ name }) => wanted?.includes(name)).map((each) => [each.name, state(each)]),
    );
  return {
    tables: states(tables, request.tables, ({ adapterId }) => errorOf(adapterId)),
    data_adapters: states(adapters, request.data_adapters, ({ id }) => errorOf(id)),
    caches: states(caches, request.caches, () => null),
  };
}
