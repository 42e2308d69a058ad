import type { NodeConfig } from '#config/index.ts';
import { type Clock, type Component, errorMessage, StartupError } from '#core/index.ts';
import {
  type ClickHouse,
  type ClickHouseEndpoint,
  createClickHouse,
  createEmbeddedEngine,
} from '#storage/index.ts';
import type { Logger } from '#telemetry/index.ts';

/** ClickHouse as this node uses it: the embedded one, or the servers the configuration names. */
export interface MessageStorage extends Component {
  /** Undefined until the first start is done: before that there is no address to speak to. */
  clickhouse(): ClickHouse | undefined;
  /** Calls `listener` with the servers as soon as they are known, and again whenever they may have moved. */
  onServers(listener: (servers: readonly ClickHouseEndpoint[]) => void): void;
  /** For people: what it is and how it is doing. */
  describe(): string;
}

const REACH_TIMEOUT_MS = 5000;
/** Searches and exports of many users at a time; each of them is limited by itself. */
const CONNECTIONS = { maxConnections: 256 };

export function createMessageStorage(
  deps: { readonly logger: Logger; readonly clock: Clock },
  config: NodeConfig,
): MessageStorage {
  if (config.clickhouse_uri === undefined) return embedded(deps, config);
  requireOneServer(config, config.clickhouse_uri);
  return external(config.clickhouse_uri);
}

/** Tables are neither sharded nor replicated yet: with several servers each would have a part of the messages. */
function requireOneServer(config: NodeConfig, servers: readonly ClickHouseEndpoint[]): void {
  const unsupported =
    servers.length > 1
      ? `clickhouse_uri names ${servers.length} servers`
      : config.clickhouse_cluster !== undefined
        ? 'clickhouse_cluster is set'
        : config.clickhouse_replicated
          ? 'clickhouse_replicated is set'
          : undefined;
  if (unsupported === undefined) return;
  throw new StartupError(
    `${unsupported}, but clusters of ClickHouse servers are not supported yet.`,
    'Name one server in clickhouse_uri, and leave clickhouse_cluster and clickhouse_replicated out.',
  );
}

function embedded(
  deps: { readonly logger: Logger; readonly clock: Clock },
  config: NodeConfig,
): MessageStorage {
  const engine = createEmbeddedEngine(
    { logger: deps.logger.child({ component: 'engine' }), clock: deps.clock },
    { dataDir: config.data_dir, maxMemoryBytes: config.clickhouse_max_memory },
  );
  let clickhouse: ClickHouse | undefined;
  return {
    name: 'message storage',
    clickhouse: () => clickhouse,
    onServers(listener) {
      const tell = () => listener([engine.endpoint()]);
      engine.onStateChange((state) => {
        if (state === 'running') tell();
      });
      if (engine.state === 'running') tell();
    },
    async start() {
      await engine.start();
      clickhouse = createClickHouse(() => [engine.endpoint()], CONNECTIONS);
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

function external(servers: readonly ClickHouseEndpoint[]): MessageStorage {
  const clickhouse = createClickHouse(servers, CONNECTIONS);
  return {
    name: 'message storage',
    clickhouse: () => clickhouse,
    onServers: (listener) => listener(servers),
    async start() {
      for (const server of clickhouse.servers) {
        try {
          await server.ping(AbortSignal.timeout(REACH_TIMEOUT_MS));
        } catch (error) {
          throw new StartupError(
            `ClickHouse at ${server.url} cannot be used: ${errorMessage(error)}`,
            'Start that server and check address, user and password in clickhouse_uri, or remove clickhouse_uri to use the embedded ClickHouse.',
            { cause: error },
          );
        }
      }
    },
    stop: () => clickhouse.close(),
    describe: () => `ClickHouse at ${servers.map((server) => server.url).join(', ')}`,
  };
}
