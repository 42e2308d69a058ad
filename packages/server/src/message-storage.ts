import type { NodeConfig } from '#config/index.ts';
import { type Clock, type Component, errorMessage, StartupError } from '#core/index.ts';
import {
  type ClickHouse,
  createClickHouse,
  createEmbeddedEngine,
  type EmbeddedEngine,
} from '#storage/index.ts';
import type { Logger } from '#telemetry/index.ts';

/** ClickHouse as this node uses it: the embedded one, or the servers the configuration names. */
export interface MessageStorage extends Component {
  /** Only once the first start is done; until then there is no address to speak to. */
  clickhouse(): ClickHouse;
  /** Undefined when the servers are the user's own. */
  readonly engine: EmbeddedEngine | undefined;
  /** For people: what it is and how it is doing. */
  describe(): string;
}

const REACH_TIMEOUT_MS = 5000;

export function createMessageStorage(
  deps: { readonly logger: Logger; readonly clock: Clock },
  config: NodeConfig,
): MessageStorage {
  return config.clickhouse_uri === undefined ? embedded(deps, config) : external(config.clickhouse_uri);
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
    clickhouse() {
      clickhouse ??= createClickHouse(() => [engine.endpoint()]);
      return clickhouse;
    },
    engine,
    start: () => engine.start(),
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

function external(servers: NonNullable<NodeConfig['clickhouse_uri']>): MessageStorage {
  const clickhouse = createClickHouse(servers);
  return {
    name: 'message storage',
    clickhouse: () => clickhouse,
    engine: undefined,
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
