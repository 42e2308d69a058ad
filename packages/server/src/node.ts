/**
 * The composition root: builds every part of a node, starts them in order and stops them in reverse. Parts
 * know only the interfaces they are given here.
 */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type ApiSettings, apiBrowserRoutes, createApi, DEFAULT_API_SETTINGS } from '#api/index.ts';
import { type AuthConfig, createAuth, createPasswordHasher, DEFAULT_PASSWORD_COST } from '#auth/index.ts';
import {
  type NodeConfig,
  type NodeFiles,
  openNodeFiles,
  prepareDataDirectory,
  readProduct,
} from '#config/index.ts';
import {
  type Clock,
  createLifecycle,
  errorMessage,
  type Lifecycle,
  lockDirectory,
  Secret,
  StartupError,
} from '#core/index.ts';
import { openMetadata } from '#metadata/index.ts';
import { createMetrics, type Logger, registerProcessMetrics } from '#telemetry/index.ts';
import type { StartedNode } from './announcement.ts';
import { createMessageStorage } from './message-storage.ts';
import { allRoutes } from './routes.ts';

const WEB_DIRECTORY = path.resolve(import.meta.dirname, '../../web/dist');

/**
 * How long the announcement waits for the embedded engine, which takes a fraction of a second. A slower one
 * need not keep people waiting: messages are accepted without it.
 */
const STORAGE_PATIENCE_MS = 1500;

export interface NodeDeps {
  readonly logger: Logger;
  readonly clock: Clock;
}

export interface Node {
  /** Rejects with a `StartupError` when the node cannot start; call `stop` then as well. */
  start(): Promise<StartedNode>;
  stop(): Promise<void>;
}

/** Something that only has to be closed at the right moment of the stop. */
function closing(name: string, stop: () => void | Promise<void>) {
  return { name, start: async () => {}, stop: async () => stop() };
}

export function createNode(deps: NodeDeps, config: NodeConfig): Node {
  const logger = deps.logger.child({ component: 'node' });
  const lifecycle = createLifecycle({
    started: (part) => logger.debug({ part: part.name }, 'started'),
    stopFailed: (part, reason) => logger.error({ part: part.name, reason }, 'did not stop cleanly'),
  });
  return {
    start: () => startNode(deps, config, lifecycle),
    stop: () => lifecycle.stop(),
  };
}

async function startNode(deps: NodeDeps, config: NodeConfig, lifecycle: Lifecycle): Promise<StartedNode> {
  const { logger, clock } = deps;
  prepareDataDirectory(config.data_dir);
  const lock = lockDirectory(config.data_dir);
  await lifecycle.start(closing('data directory lock', () => lock.release()));

  const product = readProduct();
  const files = await openNodeFiles(
    { hashPassword: createPasswordHasher(DEFAULT_PASSWORD_COST).hash },
    config,
  );
  const metrics = createMetrics({ clock });
  registerProcessMetrics(metrics);

  // Everything up to the API goes on while the engine starts; a failed start of it ends the node all the same.
  const storage = createMessageStorage(deps, config);
  const storageStarted = lifecycle.start(storage);
  storageStarted.catch(() => {});

  const metadata = await openMetadata({ logger, clock }, { uri: config.metadata_uri.reveal() });
  await lifecycle.start(closing('metadata database', () => metadata.close()));
  const clusterId = await metadata.repositories.clusterSettings.clusterId();
  const auth = createAuth({ metadata, clock, logger }, authConfig(config, files));
  await lifecycle.start(auth);

  const { version } = product;
  const routes = allRoutes({ root: { clusterId, nodeId: files.nodeId, version }, auth });
  const api = await createApi(
    { logger, metrics, nodeId: files.nodeId, authenticator: auth.authenticator },
    apiSettings(config),
    [...routes, ...apiBrowserRoutes(routes, { version })],
  );
  await lifecycle.start(api);

  await Promise.race([storageStarted, delay(STORAGE_PATIENCE_MS)]);
  return {
    address: `${api.address()}/`,
    dataDir: config.data_dir,
    product,
    storage: storage.describe(),
    metadata: metadata.kind === 'sqlite' ? 'SQLite in the data directory' : 'PostgreSQL',
    newAdministrator: files.generatedPassword && {
      username: config.root_username,
      ...files.generatedPassword,
    },
  };
}

function authConfig(config: NodeConfig, files: NodeFiles): AuthConfig {
  return {
    root: {
      username: config.root_username,
      password: files.rootPassword,
      email: config.root_email ?? '',
      timezone: config.root_timezone,
      sessionTimeoutMs: config.session_timeout,
    },
  };
}

function apiSettings(config: NodeConfig): ApiSettings {
  return {
    ...DEFAULT_API_SETTINGS,
    host: config.http_bind_address.host,
    port: config.http_bind_address.port,
    ...tlsSettings(config),
    maxBodySize: config.http_max_body_size,
    maxHeaderSize: config.http_max_header_size,
    enableGzip: config.http_enable_gzip,
    corsOrigins: config.http_enable_cors ? (config.http_allowed_origins ?? []) : [],
    trustedProxies: config.trusted_proxies ?? [],
    ...(fs.existsSync(path.join(WEB_DIRECTORY, 'index.html')) && { webDirectory: WEB_DIRECTORY }),
  };
}

function tlsSettings(config: NodeConfig): Pick<ApiSettings, 'tls'> {
  const { http_tls_cert_file: certificate, http_tls_key_file: key } = config;
  if (!config.http_enable_tls || certificate === undefined || key === undefined) return {};
  return {
    tls: {
      certificate: readConfiguredFile('http_tls_cert_file', certificate),
      key: new Secret(readConfiguredFile('http_tls_key_file', key)),
      ...(config.http_tls_key_password && { keyPassword: config.http_tls_key_password }),
    },
  };
}

function readConfiguredFile(setting: string, file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartupError(
      `${setting} names the file ${file}, which cannot be read: ${errorMessage(error)}`,
      `Correct ${setting}, or make the file readable for the user that runs Millrace.`,
      { cause: error },
    );
  }
}
