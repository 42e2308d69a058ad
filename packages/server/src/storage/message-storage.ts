import { type Clock, errorMessage, PermanentError, type Startable, StartupError } from '#core/index.ts';
import type { Logger } from '#telemetry/index.ts';
import {
  type ClickHouse,
  type ClickHouseEndpoint,
  type ClickHouseServer,
  createClickHouse,
  type Replication,
  replicasOf,
} from './clickhouse/index.ts';
import { createEmbeddedEngine } from './embedded/index.ts';

/** The ClickHouse that this node uses: the embedded one, or the configured servers. */
export interface MessageStorage extends Startable {
  /** Undefined until the first start is done: before that there is no address. */
  clickhouse(): ClickHouse | undefined;
  /** Calls `listener` with the servers as soon as they are known, and again whenever they may have moved. */
  onServers(
    listener: (servers: readonly ClickHouseEndpoint[], replication: Replication | undefined) => void,
  ): void;
  /** What it is and its state, for people. */
  describe(): string;
}

const REACH_TIMEOUT_MS = 5000;
/** Enough for the searches and exports of many users at once; each of these has limits of its own. */
const CONNECTIONS = { maxConnections: 256 };

export interface MessageStorageSettings {
  /** `clickhouse_uri`. Undefined: the embedded ClickHouse. */
  readonly servers: readonly ClickHouseEndpoint[] | undefined;
  /** Of the tables on these servers. Undefined: they are not replicated. */
  readonly replication: Replication | undefined;
  /** Where the embedded ClickHouse keeps its data. */
  readonly dataDir: string;
  /** The memory limit of the embedded ClickHouse. */
  readonly maxMemoryBytes: number;
  /** Where the embedded ClickHouse may write and read backups. */
  readonly backupDir: string;
  /** Where the embedded ClickHouse keeps old messages. */
  readonly coldDir: string | undefined;
}

export interface MessageStorageDeps {
  readonly logger: Logger;
  readonly clock: Clock;
}

export function createMessageStorage(
  deps: MessageStorageDeps,
  settings: MessageStorageSettings,
): MessageStorage {
  if (settings.servers === undefined) return embedded(deps, settings);
  return external(deps, settings.servers, settings.replication);
}

function embedded(deps: MessageStorageDeps, settings: MessageStorageSettings): MessageStorage {
  const engine = createEmbeddedEngine(
    { logger: deps.logger.child({ component: 'engine' }), clock: deps.clock },
    {
      dataDir: settings.dataDir,
      maxMemoryBytes: settings.maxMemoryBytes,
      backupDir: settings.backupDir,
      coldDir: settings.coldDir,
    },
  );
  let clickhouse: ClickHouse | undefined;
  return {
    name: 'message storage',
    clickhouse: () => clickhouse,
    onServers(listener) {
      const notify = () => listener([engine.endpoint()], undefined);
      engine.onStateChange((state) => {
        if (state === 'running') notify();
      });
      if (engine.state === 'running') notify();
    },
    async start() {
      await engine.start();
      clickhouse = createClickHouse(() => [engine.endpoint()], {
        ...CONNECTIONS,
        afterCommand: () => engine.saveDefinitions(),
      });
    },
    async stop() {
      await clickhouse?.close();
      await engine.stop();
    },
    describe() {
      const emulated = engine.emulated ? ' under emulation: slow, for trying out only' : '';
      const state = engine.state === 'running' ? '' : '; still starting, messages wait in the journal';
      return `embedded ClickHouse${emulated}${state}`;
    },
  };
}

function external(
  deps: MessageStorageDeps,
  shards: readonly ClickHouseEndpoint[],
  replication: Replication | undefined,
): MessageStorage {
  const clickhouse = createClickHouse(shards, { ...CONNECTIONS, replication });
  const servers = clickhouse.servers.flatMap(replicasOf);
  const unreachable = new Set<string>();

  /** A server that is away at the start may come later, as it may go and come back at any other time. */
  async function tryOut(server: ClickHouseServer): Promise<void> {
    try {
      await server.ping(AbortSignal.timeout(REACH_TIMEOUT_MS));
    } catch (error) {
      if (error instanceof PermanentError) throw unusable(server, error);
      unreachable.add(server.url);
      deps.logger.warn(
        { url: server.url, reason: errorMessage(error) },
        servers.length === 1
          ? 'ClickHouse is not reachable; messages wait in the journal until it is'
          : replication !== undefined
            ? 'ClickHouse is not reachable; the other replicas are used'
            : 'ClickHouse is not reachable; messages go to the other servers, and searches need to allow partial answers',
      );
    }
  }

  return {
    name: 'message storage',
    clickhouse: () => clickhouse,
    onServers: (listener) => listener(shards, replication),
    async start() {
      await Promise.all(servers.map(tryOut));
    },
    stop: () => clickhouse.close(),
    describe() {
      const urls = servers.map(({ url }) => url).join(', ');
      const away = [...unreachable].join(', ');
      const state =
        unreachable.size === servers.length
          ? '; not reachable, messages wait in the journal'
          : unreachable.size > 0
            ? `; ${away} not reachable, messages go to the others`
            : '';
      return `ClickHouse at ${urls}${state}`;
    },
  };
}

/** A server that answers and refuses needs a person; waiting would not help. */
function unusable(server: ClickHouseServer, error: PermanentError): StartupError {
  return new StartupError(
    `ClickHouse at ${server.url} cannot be used: ${errorMessage(error)}`,
    'Check user and password in clickhouse_uri, or remove clickhouse_uri to use the embedded ClickHouse.',
    { cause: error },
  );
}
