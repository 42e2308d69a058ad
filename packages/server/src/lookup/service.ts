/** Lookup tables on the main thread: how people manage them, and the data of their adapters for the workers. */
import type { LookupErrorStates, LookupErrorStatesRequest, LookupResultView } from '@millrace/contract';
import {
  type AuditLog,
  type Clock,
  type ComponentSecrets,
  createComponentSecrets,
  createPeriodicJob,
  errorMessage,
  type SecretCipher,
  type Startable,
  unreadableSecrets,
} from '#core/index.ts';
import type { LookupPartRecord, LookupTableRecord, Metadata } from '#metadata/index.ts';
import type { Logger } from '#telemetry/index.ts';
import { type LookupAnswer, NO_ANSWER } from './answer.ts';
import { createLookupFiles } from './files.ts';
import { defaultAnswer } from './management/defaults.ts';
import { createLookupParts, type LookupParts } from './management/parts.ts';
import { createRunningAdapters } from './management/running-adapters.ts';
import { createLookupTables, type LookupTables } from './management/tables.ts';
import { resultView, typeViews } from './management/views.ts';
import { ADAPTER_TYPES, CACHE_TYPES } from './registry.ts';
import { answerFrom, answerOfTable, type LookupSnapshot, type TableData } from './source.ts';

export type { LookupParts } from './management/parts.ts';
export type { LookupTables } from './management/tables.ts';
export type { LookupSnapshot } from './source.ts';

/**
 * While it runs, it follows changes in the database, whichever node made them, and loads the data of adapters again when
 * it changes.
 */
export interface LookupService extends Startable {
  readonly tables: LookupTables;
  readonly adapters: LookupParts;
  readonly caches: LookupParts;
  readonly types: { adapters(): ReturnType<typeof typeViews>; caches(): ReturnType<typeof typeViews> };
  /** Called at once with the current snapshot, if there is one, and with every newer one. */
  onSnapshot(listener: (snapshot: LookupSnapshot) => void): void;
  /** Undefined until the service has started. */
  snapshot(): LookupSnapshot | undefined;
  queryTable(idOrName: string, key: string): Promise<LookupResultView>;
  queryAdapter(idOrName: string, key: string): Promise<LookupResultView>;
  /** Loads the data of the table again. */
  purge(idOrName: string): Promise<void>;
  errorStates(request: LookupErrorStatesRequest): Promise<LookupErrorStates>;
}

export interface LookupServiceDeps {
  readonly metadata: Metadata;
  readonly audit: AuditLog;
  /** Encrypts the secrets in stored configurations. */
  readonly cipher: SecretCipher;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface LookupServiceSettings {
  /** Below which adapters may read files. */
  readonly filesDirectory: string;
  /** How often to look for changes of other nodes and of files. */
  readonly refreshIntervalMs?: number;
}

const REFRESH_INTERVAL_MS = 1000;

export function createLookupService(deps: LookupServiceDeps, settings: LookupServiceSettings): LookupService {
  const { metadata, clock } = deps;
  const { lookupTables, lookupAdapters } = metadata.repositories;
  const logger = deps.logger.child({ component: 'lookup' });
  const adapterSecrets = createComponentSecrets(deps.cipher, 'lookup-adapter');
  const running = createRunningAdapters({
    context: { files: createLookupFiles(settings.filesDirectory) },
    decrypted: (record) => decrypted(adapterSecrets, record),
    clock,
    logger,
  });
  const listeners: ((snapshot: LookupSnapshot) => void)[] = [];
  let current: LookupSnapshot | undefined;
  let currentTables = '';
  let queue: Promise<void> = Promise.resolve();

  async function read(): Promise<void> {
    const stored = await lookupTables.list();
    const isChanged = await running.follow(await lookupAdapters.list());
    const text = JSON.stringify(stored.map(forWorkers));
    if (!isChanged && text === currentTables) return;
    currentTables = text;
    current = { tables: stored.map((table) => dataOf(table)) };
    for (const listener of listeners) listener(current);
  }

  const dataOf = (table: LookupTableRecord): TableData => ({
    name: table.name,
    source: running.source(table.adapterId),
    fallback: defaultAnswer(table),
  });

  const resultOf = (adapterId: string, answer: () => LookupAnswer) =>
    lookedUp(answer, running.error(adapterId) !== null, logger);

  /** One at a time: older data must never follow newer data. */
  const changed = (): Promise<void> => {
    queue = queue.then(read, read);
    return queue;
  };
  const refreshing = createPeriodicJob(
    { run: changed, logger },
    { name: 'refreshing lookup tables', intervalMs: settings.refreshIntervalMs ?? REFRESH_INTERVAL_MS },
  );

  const entities = createEntities(deps, adapterSecrets, changed);

  return {
    name: 'lookup tables',
    ...entities,
    types: { adapters: () => typeViews(ADAPTER_TYPES), caches: () => typeViews(CACHE_TYPES) },
    onSnapshot(listener) {
      listeners.push(listener);
      if (current !== undefined) listener(current);
    },
    snapshot: () => current,
    async queryTable(idOrName, key) {
      const table = await entities.tables.require(idOrName);
      return resultOf(table.adapterId, () => answerOfTable(dataOf(table), key));
    },
    async queryAdapter(idOrName, key) {
      const { id } = await entities.adapters.require(idOrName);
      const source = running.source(id);
      return resultOf(id, () => (source === undefined ? NO_ANSWER : answerFrom(source, key)));
    },
    async purge(idOrName) {
      running.reload((await entities.tables.require(idOrName)).adapterId);
      await changed();
    },
    errorStates: (request) => errorStatesOf(metadata, running.error, request),
    async start() {
      await changed();
      refreshing.start();
    },
    async stop() {
      await refreshing.stop();
      await queue.catch(() => {});
    },
  };
}

function lookedUp(answer: () => LookupAnswer, hasError: boolean, logger: Logger): LookupResultView {
  try {
    return resultView(answer(), hasError);
  } catch (error) {
    // A record of the file is damaged; others may be well.
    logger.warn({ reason: errorMessage(error) }, 'a key cannot be looked up');
    return resultView(NO_ANSWER, true);
  }
}

/** Without titles and descriptions, which do not matter to them. */
function forWorkers({ name, adapterId, defaultSingle, defaultMulti }: LookupTableRecord) {
  return { name, adapterId, defaultSingle, defaultMulti };
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
