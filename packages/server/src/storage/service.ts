/**
 * The storage of messages on the main thread: index sets and their management, rotation and retention, the snapshot for
 * the workers, and what is known about the stored messages.
 */
import type { IndexSetList, IndexSetsQuery, IndexSetView, StrategyView } from '@millrace/contract';
import {
  type AuditLog,
  type Caller,
  type Clock,
  type ComponentRegistry,
  createPeriodicJob,
  InvalidError,
  monotonicClock,
  NotFoundError,
  type PeriodicJob,
  type Principal,
  type Startable,
} from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import type { Jobs, SystemMessages } from '#system/service.ts';
import type { Logger } from '#telemetry/index.ts';
import type { ClickHouse } from './clickhouse/index.ts';
import { type CataloguedField, createFieldCatalogue } from './field-catalogue.ts';
import { BUILT_IN_INDEX_SETS } from './index-sets/built-in.ts';
import {
  createIndexSetAdministration,
  type IndexSetAdministration,
  type IndexSetChangeDeps,
} from './index-sets/changes.ts';
import { createIndexSetDirectory, type IndexSetDirectory } from './index-sets/directory.ts';
import {
  createFieldMappings,
  type FieldMappingAdministration,
  type FieldMappingDeps,
} from './index-sets/field-mappings.ts';
import { listIndexSets } from './index-sets/list.ts';
import { createMaintenance } from './index-sets/maintenance.ts';
import { createIndexSetOutlooks, type IndexSetOutlooks } from './index-sets/outlook.ts';
import { RETENTION_STRATEGIES, ROTATION_STRATEGIES } from './index-sets/registry.ts';
import type { IndexSetSnapshot } from './index-sets/snapshot.ts';
import { type StoredIndexSet, tableOf } from './index-sets/stored.ts';
import type { StrategyType } from './index-sets/strategy.ts';
import { createIndexSetTemplates, type IndexSetTemplates } from './index-sets/templates.ts';
import { indexSetView, strategyView } from './index-sets/view.ts';
import { createIndexAdministration, type IndexAdministration } from './indices.ts';
import { createMessageDatabase, type MessageDatabase } from './message-database.ts';
import type { StorageTiers } from './message-tables.ts';
import { createNewPartsMerge } from './new-parts.ts';
import { createOwnMessages, type OwnMessages } from './own-messages.ts';
import type { TakeTurn } from './schema/migrate-table.ts';
import { type SearchTarget, searchTargets } from './search-targets.ts';
import type { SeenField } from './seen-fields.ts';
import { createStoredFields } from './stored-fields.ts';
import { createStoredMessages, type StoredMessages } from './stored-messages.ts';
import { createTableWatch } from './table-watch.ts';

export type { CataloguedField } from './field-catalogue.ts';
export type { FieldMappingAdministration } from './index-sets/field-mappings.ts';
export { RETENTION_STRATEGIES, ROTATION_STRATEGIES } from './index-sets/registry.ts';
export type { IndexSetSnapshot } from './index-sets/snapshot.ts';
export { tableOf } from './index-sets/stored.ts';
export type {
  IndexFigures,
  Retention,
  Rotation,
  StrategyDefinition,
  StrategyType,
} from './index-sets/strategy.ts';
export { defineRetention, defineRotation } from './index-sets/strategy.ts';
export type { IndexSetTemplates } from './index-sets/templates.ts';
export type { IndexAdministration } from './indices.ts';
export type { MessageStorage, MessageStorageDeps, MessageStorageSettings } from './message-storage.ts';
export { createMessageStorage } from './message-storage.ts';
export type { OwnMessages } from './own-messages.ts';
export type { SearchTarget } from './search-targets.ts';
export type { SeenField } from './seen-fields.ts';
export type { StoredMessage, StoredMessages } from './stored-messages.ts';

type Reader = Pick<Principal, 'can'>;

export interface IndexSets extends IndexSetAdministration, IndexSetOutlooks {
  list(reader: Reader, query: IndexSetsQuery): Promise<IndexSetList>;
  get(id: string): IndexSetView;
  /** The id of the default index set. */
  defaultId(): string;
  /** Starts a new index and returns its name. Throws `InvalidError` for an index set that is not writable. */
  cycle(caller: Caller, id: string): Promise<string>;
  rotationStrategies(): StrategyView[];
  retentionStrategies(): StrategyView[];
  /** By class name or short id. Both throw `NotFoundError`. */
  rotationStrategy(name: string): StrategyView;
  retentionStrategy(name: string): StrategyView;
}

/**
 * Start it after the metadata database and before the streams, which refer to the built-in index sets. It does not wait
 * for ClickHouse: what needs it throws `UnavailableError` until the tables exist.
 */
export interface StorageService extends Startable {
  readonly indexSets: IndexSets;
  readonly templates: IndexSetTemplates;
  readonly fieldMappings: FieldMappingAdministration;
  readonly indices: IndexAdministration;
  readonly messages: StoredMessages;
  /** Stores messages that the program itself makes. */
  readonly ownMessages: OwnMessages;
  /** Calls `listener` with the current snapshot, if there is one, and with every newer one. */
  onSnapshot(listener: (snapshot: IndexSetSnapshot) => void): () => void;
  snapshot(): IndexSetSnapshot | undefined;
  /** Call it with what workers report. Never rejects. */
  fieldsSeen(fields: readonly SeenField[]): Promise<void>;
  /**
   * The fields of the messages in these index sets, or in all; sorted by name.
   *
   * @param streamIds only what messages of these streams have
   */
  fields(indexSetIds?: readonly string[], streamIds?: readonly string[]): readonly CataloguedField[];
  /** Ordered by id: the order decides which copy of a message is shown. */
  searchTargets(): readonly SearchTarget[];
  /** For searches: every statement must set `readonly`. Throws `UnavailableError` until the tables exist. */
  clickhouse(): ClickHouse;
  /** Resolves when all tables exist. */
  whenReady(): Promise<void>;
}

export interface StorageServiceDeps {
  readonly metadata: Metadata;
  /** Undefined while the engine has not started yet. */
  readonly clickhouse: () => ClickHouse | undefined;
  readonly jobs: Jobs;
  readonly systemMessages: SystemMessages;
  readonly audit: AuditLog;
  /** Only the leader of a cluster rotates and retains. */
  readonly isLeader: () => boolean;
  /** For changes of existing tables. Undefined: nobody else is there. */
  readonly takeTurn?: TakeTurn | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface StorageServiceConfig {
  /** `clickhouse_database` */
  readonly database: string;
  readonly tiers?: StorageTiers | undefined;
  readonly rotationIntervalMs?: number;
  readonly retentionIntervalMs?: number;
  /** How often to look for tables whose intake has paused. */
  readonly newPartsIntervalMs?: number;
  /** How often to look for field names that other nodes have stored, and for deleted streams. */
  readonly fieldsIntervalMs?: number;
  /** How often to look for indices whose messages have yet to be read for the field names of their streams. */
  readonly storedFieldsIntervalMs?: number;
  /** How often to look for changes by other nodes; undefined if there are no others. */
  readonly refreshIntervalMs?: number | undefined;
}

const ROTATION_INTERVAL_MS = 10_000;
const RETENTION_INTERVAL_MS = 5 * 60_000;
const NEW_PARTS_INTERVAL_MS = 5000;
const FIELDS_INTERVAL_MS = 30_000;
const STORED_FIELDS_INTERVAL_MS = 10_000;

export function createStorageService(deps: StorageServiceDeps, config: StorageServiceConfig): StorageService {
  const { audit, isLeader, clock } = deps;
  const logger = deps.logger.child({ component: 'storage' });
  const store = deps.metadata.repositories;
  const directory = createIndexSetDirectory({ store, logger });
  const database = createMessageDatabase({ ...deps, logger }, config);
  const tables = () => database.tables();
  const maintenance = createMaintenance({ ...deps, store, directory, tables, logger });
  const deletions = createDeletions({ ...maintenance, jobs: deps.jobs, directory });
  const fields = createFieldParts({ ...deps, logger, directory, database }, config);
  const indices = createIndexAdministration({ store, directory, database, maintenance, audit, clock });
  const startDeletion = deletions.start;
  const newParts = createNewPartsMerge({ clickhouse: database.clickhouse, logger }, config);
  const watch = createTableWatch({ clickhouse: database.clickhouse, clock: monotonicClock }, config);
  const { rotationIntervalMs = ROTATION_INTERVAL_MS, retentionIntervalMs = RETENTION_INTERVAL_MS } = config;
  const jobs: PeriodicJob[] = [
    createPeriodicJob(
      {
        async run() {
          deletions.resume();
          await maintenance.rotateDue();
        },
        isLeader,
        logger,
      },
      { name: 'index rotation', intervalMs: rotationIntervalMs },
    ),
    createPeriodicJob(
      { run: () => maintenance.retain(), isLeader, logger },
      { name: 'index retention', intervalMs: retentionIntervalMs },
    ),
    createPeriodicJob(
      { run: () => newParts.run(), isLeader, logger },
      { name: 'merging new parts', intervalMs: config.newPartsIntervalMs ?? NEW_PARTS_INTERVAL_MS },
    ),
    ...fields.jobs,
  ];
  if (config.refreshIntervalMs !== undefined) {
    jobs.push(
      createPeriodicJob(
        { run: () => directory.refresh(), logger },
        { name: 'refreshing index sets', intervalMs: config.refreshIntervalMs },
      ),
    );
  }

  const outlooks = createIndexSetOutlooks({ directory, tables, clock }, { retentionIntervalMs });
  const parts = { store, directory, database, indices, maintenance, audit, clock, startDeletion, outlooks };

  return {
    name: 'storage',
    ...createIndexSetParts({ ...parts, fields: fields.catalogue.list }),
    indices,
    messages: createStoredMessages({ directory, database }),
    ownMessages: createOwnMessages(
      { directory, database, fieldsSeen: fields.catalogue.report },
      { database: config.database },
    ),
    onSnapshot: directory.onSnapshot,
    snapshot: directory.snapshot,
    fieldsSeen: fields.catalogue.report,
    fields: fields.catalogue.list,
    searchTargets: () => searchTargets({ directory, watch }, config.database),
    clickhouse: database.clickhouse,
    whenReady: () => database.whenReady(),
    async start() {
      for (const builtIn of BUILT_IN_INDEX_SETS) await store.indexSets.insertBuiltIn(builtIn);
      directory.onSnapshot(({ indexSets }) => database.want(indexSets.map(({ table }) => table)));
      await directory.refresh();
      await fields.catalogue.refresh();
      for (const job of jobs) job.start();
    },
    async stop() {
      database.stop();
      newParts.stop();
      fields.stored.stop();
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}

function createFieldParts(
  deps: Pick<StorageServiceDeps, 'metadata' | 'isLeader' | 'logger'> & {
    readonly directory: IndexSetDirectory;
    readonly database: MessageDatabase;
  },
  config: Pick<StorageServiceConfig, 'fieldsIntervalMs' | 'storedFieldsIntervalMs'>,
) {
  const { metadata, directory, database, isLeader, logger } = deps;
  const { fieldsIntervalMs = FIELDS_INTERVAL_MS, storedFieldsIntervalMs = STORED_FIELDS_INTERVAL_MS } =
    config;
  const store = metadata.repositories;
  const catalogue = createFieldCatalogue({ store, directory, logger });
  const stored = createStoredFields({ store, directory, database, save: catalogue.save });
  const jobs: PeriodicJob[] = [
    createPeriodicJob(
      { run: () => catalogue.refresh(), logger },
      { name: 'refreshing field names', intervalMs: fieldsIntervalMs },
    ),
    createPeriodicJob(
      { run: () => stored.read(), isLeader, logger },
      { name: 'reading field names of stored messages', intervalMs: storedFieldsIntervalMs },
    ),
  ];
  return { catalogue, stored, jobs };
}

function createIndexSetParts(
  deps: ReadDeps &
    Omit<IndexSetChangeDeps, 'templates'> &
    Omit<FieldMappingDeps, 'cycle'> & { readonly clock: Clock; readonly outlooks: IndexSetOutlooks } & {
      readonly store: Metadata['repositories'];
    },
): Pick<StorageService, 'indexSets' | 'templates' | 'fieldMappings'> {
  const templates = createIndexSetTemplates(deps);
  const reads = createReads(deps);
  return {
    indexSets: { ...createIndexSetAdministration({ ...deps, templates }), ...deps.outlooks, ...reads },
    templates,
    fieldMappings: createFieldMappings({ ...deps, cycle: reads.cycle }),
  };
}

interface ReadDeps {
  readonly directory: IndexSetDirectory;
  readonly indices: IndexAdministration;
  readonly maintenance: { cycle(id: string): Promise<string> };
  readonly audit: AuditLog;
}

function createReads({ directory, indices, maintenance, audit }: ReadDeps) {
  return {
    list: (reader: Reader, query: IndexSetsQuery): Promise<IndexSetList> => {
      const readable = directory.list().filter(({ id }) => reader.can('indexsets:read', id));
      return listIndexSets(readable, query, () => indices.statsOfAll(reader));
    },
    get: (id: string) => indexSetView(directory.get(id)),
    defaultId: () => directory.default().id,
    async cycle(caller: Caller, id: string): Promise<string> {
      const indexSet = directory.get(id);
      if (!indexSet.writable) throw new InvalidError(`Index set "${indexSet.title}" is not writable.`);
      const name = await maintenance.cycle(id);
      await audit.record({
        actor: caller.principal.username,
        address: caller.remoteAddress,
        action: 'index_set.cycle',
        objectType: 'index_set',
        objectId: id,
        after: { index: name },
      });
      return name;
    },
    rotationStrategies: () => ROTATION_STRATEGIES.types.map(strategyView),
    retentionStrategies: () => RETENTION_STRATEGIES.types.map(strategyView),
    rotationStrategy: (name: string) => requireStrategy(ROTATION_STRATEGIES, name),
    retentionStrategy: (name: string) => requireStrategy(RETENTION_STRATEGIES, name),
  };
}

function requireStrategy(strategies: ComponentRegistry<StrategyType<unknown>>, name: string): StrategyView {
  const strategy = strategies.find(name);
  if (strategy === undefined) throw new NotFoundError(`Couldn't find a strategy for given type ${name}`);
  return strategyView(strategy);
}

/** Jobs that delete index sets. When a node stops, its jobs are lost; the next leader starts them again. */
function createDeletions(deps: {
  readonly jobs: Jobs;
  readonly directory: IndexSetDirectory;
  readonly deleteIndexSet: ReturnType<typeof createMaintenance>['deleteIndexSet'];
}) {
  const running = new Map<string, string>();

  function start(indexSet: StoredIndexSet): void {
    const job = running.get(indexSet.id);
    if (job !== undefined && deps.jobs.find(job)?.state === 'running') return;
    const id = deps.jobs.start({
      name: 'delete-index-set',
      description: `Deletes index set "${indexSet.title}" (${indexSet.id}) and its messages`,
      info: `Deleting ${tableOf(indexSet)}`,
      providesProgress: true,
      run: (progress) => deps.deleteIndexSet(indexSet, progress),
    });
    running.set(indexSet.id, id);
  }

  return {
    start,
    resume(): void {
      for (const indexSet of deps.directory.deleting()) start(indexSet);
    },
  };
}
