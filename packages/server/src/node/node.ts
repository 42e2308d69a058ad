/**
 * The composition root: builds every part of a node, starts them in order and stops them in reverse. Parts know only
 * the interfaces they are given here.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { NotificationsService } from '#alerts/notifications/service.ts';
import type { AlertsService } from '#alerts/service.ts';
import { type Api, allRoutes, apiBrowserRoutes, createApi } from '#api/index.ts';
import { createAuth, createPasswordHasher, DEFAULT_PASSWORD_COST } from '#auth/index.ts';
import { createCluster } from '#cluster/service.ts';
import { createMessageParser } from '#codecs/index.ts';
import {
  type NodeConfig,
  openNodeFiles,
  prepareDataDirectory,
  readProduct,
  requireRestored,
} from '#config/index.ts';
import {
  type Clock,
  createLifecycle,
  createSecretCipher,
  type Lifecycle,
  lockDirectory,
  monotonicClock,
  type Startable,
} from '#core/index.ts';
import { openMetadata } from '#metadata/index.ts';
import { createPluginsService, type PluginsService } from '#plugins/service.ts';
import {
  createExtractorsService,
  createPipelinesService,
  createStockGrokPatterns,
  type Simulations,
} from '#processing/service.ts';
import { createSearchService, type SearchService } from '#search/service.ts';
import { createMessageStorage } from '#storage/service.ts';
import { countCluster, createSystem, createUrlAllowlist } from '#system/service.ts';
import {
  createMetrics,
  type Logger,
  type LogLevels,
  type RecentLogLines,
  registerProcessMetrics,
} from '#telemetry/index.ts';
import { createSimulationThreads } from '#workers/index.ts';
import { createNodeAlerts, STORED_UNTIL_DETAIL } from './alerts.ts';
import type { StartedNode } from './announcement.ts';
import { closing } from './closing.ts';
import { createNodeClusterConfigs } from './cluster-config.ts';
import { COMPONENT_TYPES, createIntake, type Intake } from './intake.ts';
import { createNodeLiveTail, type NodeLiveTail } from './live-tail.ts';
import { createNodeLookup, type NodeLookup } from './lookup.ts';
import { createMessagePath, type MessagePath } from './message-path.ts';
import { createNodeNotifications } from './notifications.ts';
import {
  alertSettings,
  apiSettings,
  authSettings,
  exposedConfiguration,
  intakeSettings,
  liveTailSettings,
  messagePathSettings,
  messageStorageSettings,
  notificationSettings,
  pluginSettings,
  publishedAddress,
  searchSettings,
} from './settings.ts';

/**
 * How long the announcement waits for the message tables: the embedded engine usually has them in a fraction of a second.
 * People need not wait for a slower one: messages are accepted without it.
 */
const STORAGE_PATIENCE_MS = 1000;

export interface NodeDeps {
  readonly logger: Logger;
  readonly levels: LogLevels;
  readonly recentLogLines: RecentLogLines;
  readonly clock: Clock;
  /** Stops the process cleanly: for the API, when an operator asks for it. */
  readonly stopNode: () => void;
  /** Called when a part that was still starting after the announcement has failed. */
  readonly startFailed: (error: unknown) => void;
}

export interface Node {
  /** Rejects with a `StartupError` when the node cannot start; call `stop` then as well. */
  start(): Promise<StartedNode>;
  stop(): Promise<void>;
  /** True: a plugin threw this error, which nobody caught. The node may go on. */
  contain(error: unknown): boolean;
}

export async function startAll(lifecycle: Lifecycle, startables: readonly Startable[]): Promise<void> {
  for (const part of startables) await lifecycle.start(part);
}

/** The same, in the background. A failure is seen by whoever awaits the promise later. */
export function startInBackground(lifecycle: Lifecycle, startables: readonly Startable[]): Promise<void> {
  const started = startAll(lifecycle, startables);
  started.catch(() => {});
  return started;
}

export function createNode(deps: NodeDeps, config: NodeConfig): Node {
  const logger = deps.logger.child({ component: 'node' });
  const lifecycle = createLifecycle({
    started: (part) => logger.debug({ part: part.name }, 'started'),
    stopFailed: (part, reason) => logger.error({ part: part.name, reason }, 'did not stop cleanly'),
  });
  let stopping = false;
  let plugins: PluginsService | undefined;
  // A start that was interrupted by a stop has not failed.
  const startFailed = (error: unknown) => {
    if (!stopping) deps.startFailed(error);
  };
  return {
    start: () =>
      startNode({ ...deps, startFailed }, config, lifecycle, (loaded) => {
        plugins = loaded;
      }),
    contain: (error) => plugins?.contain(error) ?? false,
    stop() {
      stopping = true;
      return lifecycle.stop();
    },
  };
}

async function startNode(
  deps: NodeDeps,
  config: NodeConfig,
  lifecycle: Lifecycle,
  usePlugins: (plugins: PluginsService) => void,
): Promise<StartedNode> {
  const { clock, logger } = deps;
  const identity = await openIdentity(config, lifecycle);
  // The engine starts in the background. If that fails, the node stops.
  const messageStorage = createMessageStorage({ logger, clock }, messageStorageSettings(config));
  const storageStarted = startInBackground(lifecycle, [messageStorage]);
  const patience = delay(STORAGE_PATIENCE_MS);
  const services = await startServices(deps, config, lifecycle, identity);
  const { audit, cluster, metadata, metrics, system } = services;
  const { jobs, notifications, systemMessages } = system;
  const { nodeId } = cluster;
  const plugins = await startPlugins({ deps, services }, config, lifecycle);
  usePlugins(plugins);
  const messagePath = createMessagePath(
    {
      messageStorage,
      metadata,
      audit,
      jobs,
      notifications,
      systemMessages,
      isLeader: () => cluster.registry.isLeader(),
      outputViews: () => intake.outputs.views(),
      attachments: () => alerts.ofStreams,
      metrics,
      clock,
      logger,
    },
    messagePathSettings(config, nodeId),
  );
  await createStockGrokPatterns(metadata);
  await startAll(lifecycle, messagePath.startables);
  const liveTail = createNodeLiveTail(
    { streamIds: () => messagePath.streams.snapshot()?.streamIds ?? [], clock, logger },
    liveTailSettings(config, nodeId),
  );
  const lookup = createNodeLookup({ ...services, clock, logger }, identity.files, config);
  const path = { messagePath, liveTail, lookup };
  const intake = createNodeIntake({ deps, services, plugins, ...path }, config, identity);
  await startAll(lifecycle, [lookup.service, intake.outputs]);
  lookup.inform(intake.workers);
  messagePath.inform(intake.workers, intake.outputs.ensureKnown);
  liveTail.inform(intake.workers);
  await lifecycle.start(plugins.inform(intake.workers));
  // Workers take as long to start as the API, so both start at the same time.
  const intakeStarted = startInBackground(lifecycle, intake.startables);

  services.reportStoredUntil(intake.storedUntil);
  const alertNotifications = createNotifications({ deps, services, messagePath }, config, identity);
  const parts = { deps, services, plugins, intake, messagePath, alertNotifications };
  const { search, alerts } = createSearchAndAlerts(parts, config);
  const simulations = createSimulations({ deps, plugins, lookup });
  await lifecycle.start(simulations);
  const more = { search, alerts, simulations };
  const api = await createNodeApi({ ...parts, ...path, ...more }, config, identity);
  await lifecycle.start(api);
  services.publish(publishedAddress(config, api.address()));
  await startAll(lifecycle, [...system.startables, ...cluster.startables, alerts, alertNotifications]);
  await intakeStarted;

  await Promise.race([storageStarted.then(() => messagePath.storage.whenReady()), patience]);
  storageStarted.catch(deps.startFailed);
  cluster.status.running();
  return {
    address: `${api.address()}/`,
    dataDir: config.data_dir,
    product: identity.product,
    storage: messageStorage.describe(),
    metadata: metadata.kind === 'sqlite' ? 'SQLite in the data directory' : 'PostgreSQL',
    inputs: intake.inputs.overview(),
    newAdministrator: newAdministrator(config, identity),
  };
}

function newAdministrator(config: NodeConfig, { files }: Identity): StartedNode['newAdministrator'] {
  return files.generatedPassword && { username: config.root_username, ...files.generatedPassword };
}

export function createNodeIntake(
  {
    deps,
    services,
    plugins,
    messagePath,
    liveTail,
    lookup,
  }: Pick<ApiParts, 'deps' | 'services' | 'plugins' | 'messagePath' | 'liveTail' | 'lookup'>,
  config: NodeConfig,
  { files }: Identity,
): Intake {
  const { audit, cluster, metadata, metrics, system } = services;
  const { notifications, systemMessages } = system;
  return createIntake(
    {
      status: cluster.status,
      notifications,
      systemMessages,
      metadata,
      audit,
      metrics,
      clock: deps.clock,
      logger: deps.logger,
      levels: deps.levels,
      cipher: createSecretCipher(files.passwordSecret),
      urlAllowlist: services.urlAllowlist,
      events: { ...messagePath.events, ...liveTail.events, ...lookup.events, pluginFaulted: plugins.faulted },
      streamsChanged: messagePath.streams.refresh,
    },
    intakeSettings(config, cluster.nodeId, plugins.assignment()),
  );
}

function createSimulations({ deps, plugins, lookup }: Pick<ApiParts, 'deps' | 'plugins' | 'lookup'>) {
  const { logger } = deps;
  return createSimulationThreads({ logger, plugins: plugins.assignment(), lookup: lookup.service });
}

/** Before anything looks for a type of component. */
export async function startPlugins(
  { deps, services }: Pick<ApiParts, 'deps' | 'services'>,
  config: NodeConfig,
  lifecycle: Lifecycle,
): Promise<PluginsService> {
  const { audit, cluster, metadata, metrics, system } = services;
  const { notifications, systemMessages } = system;
  const plugins = createPluginsService(
    { metadata, notifications, systemMessages, audit, metrics, logger: deps.logger },
    pluginSettings(config, cluster.nodeId),
  );
  await lifecycle.start(plugins);
  return plugins;
}

/** The identity of this node, and the lock on its data directory. */
export async function openIdentity(config: NodeConfig, lifecycle: Lifecycle) {
  prepareDataDirectory(config.data_dir);
  const lock = lockDirectory(config.data_dir);
  await lifecycle.start(closing('data directory lock', () => lock.release()));
  requireRestored(config.data_dir);
  const hashPassword = createPasswordHasher(DEFAULT_PASSWORD_COST).hash;
  return { product: readProduct(), files: await openNodeFiles({ hashPassword }, config) };
}

type Identity = Awaited<ReturnType<typeof openIdentity>>;

/** The base of everything else: metadata, users, and the node's membership in its cluster. */
export async function startServices(
  deps: NodeDeps,
  config: NodeConfig,
  lifecycle: Lifecycle,
  { files, product }: Identity,
) {
  const { logger, clock } = deps;
  const metrics = createMetrics({ clock });
  registerProcessMetrics(metrics);
  const metadata = await openMetadata({ logger, clock }, { uri: config.metadata_uri.reveal() });
  await lifecycle.start(closing('metadata database', () => metadata.close()));
  const auth = createAuth(
    // The cluster is created below, long before anything is old.
    { metadata, clock, monotonic: monotonicClock, logger, isLeader: () => cluster.registry.isLeader() },
    authSettings(config, files),
  );
  await lifecycle.start(auth);
  let address = config.http_publish_uri;
  let storedUntil: (() => number) | undefined;
  const { nodeId } = files;
  const { apiVersion: version, codename } = product;
  const cluster = createCluster(
    { metadata, logger, clock, monotonic: monotonicClock },
    {
      nodeId,
      publishUri: () => address,
      version,
      details: () => ({ [STORED_UNTIL_DETAIL]: storedUntil?.() }),
      throttleThresholdPercentage: config.lb_throttle_threshold_percentage,
    },
  );
  const { status, registry } = cluster;
  const system = createSystem(
    {
      status,
      registry,
      metadata,
      metrics,
      logger,
      levels: deps.levels,
      recentLogLines: deps.recentLogLines,
      clock,
      audit: auth.audit,
      stopNode: deps.stopNode,
    },
    { nodeId, version, codename, directories: [config.data_dir, config.message_journal_dir] },
  );
  status.starting();
  const urlAllowlist = createUrlAllowlist({ metadata, audit: auth.audit, logger });
  await lifecycle.start(urlAllowlist);
  return {
    metrics,
    metadata,
    auth,
    audit: auth.audit,
    urlAllowlist,
    cluster,
    system,
    clusterId: await metadata.repositories.clusterSettings.clusterId(),
    /** Where others reach this node. */
    address: () => address,
    /** The port may not be known before the API listens. */
    publish: (actual: string) => {
      address = actual;
    },
    /** The workers do not exist yet. */
    reportStoredUntil: (time: () => number) => {
      storedUntil = time;
    },
  };
}

type Services = Awaited<ReturnType<typeof startServices>>;

function createSearchAndAlerts(
  {
    deps,
    services,
    intake,
    messagePath,
    alertNotifications,
  }: Omit<ApiParts, 'plugins' | 'liveTail' | 'search' | 'alerts' | 'simulations' | 'lookup'>,
  config: NodeConfig,
): Pick<ApiParts, 'search' | 'alerts'> {
  const { audit, cluster, metadata, metrics, system } = services;
  const { clock, logger } = deps;
  const { notifications } = system;
  const search = createSearchService(
    { storage: messagePath.storage, metadata, audit, clock },
    searchSettings(config),
  );
  const alerts = createNodeAlerts(
    {
      metadata,
      audit,
      search,
      alertNotifications,
      eventStore: messagePath.storage.ownMessages,
      cluster,
      notifications,
      storedUntil: intake.storedUntil,
      metrics,
      clock,
      logger,
    },
    alertSettings(config),
  );
  return { search, alerts };
}

function createNotifications(
  { deps, services, messagePath }: Pick<ApiParts, 'deps' | 'services' | 'messagePath'>,
  config: NodeConfig,
  { files }: Identity,
): NotificationsService {
  const { audit, cluster, metadata, metrics, system } = services;
  const { clock, logger } = deps;
  return createNodeNotifications(
    {
      streams: messagePath.streams,
      metadata,
      audit,
      cipher: createSecretCipher(files.passwordSecret),
      urls: services.urlAllowlist,
      notifications: system.notifications,
      isLeader: () => cluster.registry.isLeader(),
      metrics,
      clock,
      logger,
    },
    notificationSettings(config, files.nodeId, services.address),
  );
}

interface ApiParts {
  readonly deps: NodeDeps;
  readonly services: Services;
  readonly plugins: PluginsService;
  readonly intake: Intake;
  readonly messagePath: MessagePath;
  readonly liveTail: NodeLiveTail;
  readonly search: SearchService;
  readonly alerts: AlertsService;
  readonly alertNotifications: NotificationsService;
  readonly simulations: Simulations;
  readonly lookup: NodeLookup;
}

function createNodeApi(parts: ApiParts, config: NodeConfig, { files, product }: Identity): Promise<Api> {
  const { deps, services, intake, messagePath, liveTail, search, alerts, alertNotifications, simulations } =
    parts;
  const { audit, auth, cluster, metrics, system } = services;
  const { storage, streams } = messagePath;
  const { clock, logger } = deps;
  const { nodeId } = files;
  const pipelines = createPipelinesService({
    metadata: services.metadata,
    audit,
    changed: streams.refresh,
    notifications: system.notifications,
    simulations,
    snapshot: streams.snapshot,
    readMessage: search.singleMessages.read,
    readHistory: search.samples.newest,
    clock,
  });
  const routes = allRoutes({
    root: { clusterId: services.clusterId, nodeId, version: product.apiVersion },
    auth,
    urlAllowlist: services.urlAllowlist,
    node: {
      ...cluster,
      ...system,
      audit,
      metrics,
      exposedConfiguration: () => exposedConfiguration(config),
      journalSummary: intake.journalSummary,
      processingStatus: intake.processingStatus,
      messageCount: storage.indices.messageCount,
    },
    inputs: { inputs: intake.inputs, nodeCalls: cluster.nodeCalls },
    streams: { streams: streams.streams, preview: streams.createPreview(search.samples.newest) },
    outputs: { outputs: intake.outputs, nodeCalls: cluster.nodeCalls },
    plugins: { nodeId, plugins: parts.plugins },
    pipelines,
    clusterConfigs: createNodeClusterConfigs({ ...services, ...pipelines, templates: storage.templates }),
    extractors: createExtractorsService(
      {
        metadata: services.metadata,
        audit,
        metrics,
        changed: streams.refresh,
        notifications: system.notifications,
        snapshot: streams.snapshot,
        clock,
      },
      { timeoutMs: config.stream_processing_timeout, version: product.version },
    ),
    lookup: parts.lookup.service,
    storage: {
      storage,
      clusterCounts: (principal) => countCluster(services.metadata, principal, COMPONENT_TYPES),
      indexerName: config.clickhouse_database,
    },
    search,
    alerts,
    parseMessage: createMessageParser({ clock }),
    alertNotifications,
    tail: { tail: liveTail.tail, nodeCalls: cluster.nodeCalls },
  });
  const { authenticator } = auth;
  const { answerMemory } = search;
  return createApi({ logger, metrics, nodeId, authenticator, answerMemory }, apiSettings(config), [
    ...routes,
    ...apiBrowserRoutes(routes, product),
  ]);
}
