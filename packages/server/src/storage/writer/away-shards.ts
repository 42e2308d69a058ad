import { randomInt } from 'node:crypto';
import type { Clock } from '#core/index.ts';
import type { Logger } from '#telemetry/index.ts';
import type { ClickHouse, ClickHouseServer } from '../clickhouse/index.ts';

/**
 * Which of several servers are away, as far as a writer has noticed. A batch that was sent to such a server waits for it:
 * what became of it is not known. New batches go to the others.
 */
export interface AwayShards {
  isAway(server: ClickHouseServer): void;
  isBack(server: ClickHouseServer): void;
  /**
   * Looks after a server while it works on a request: one that hangs counts as away long before the request times out.
   * `onAway` is called when that happens. Returns a function that ends the watch.
   */
  watch(server: ClickHouseServer, onAway: () => void): () => void;
  /** The position of the server for a new batch. Looks now and then whether those that are away have come back. */
  choose(clickhouse: ClickHouse): number;
  /** Whether there are several servers, and one for new batches to go to. */
  hasOthers(servers: readonly ClickHouseServer[]): boolean;
}

const LOOK_AGAIN_MS = 1000;
const PING_TIMEOUT_MS = 3000;

export interface AwayShardsDeps {
  /** For durations. */
  readonly monotonic: Clock;
  readonly logger: Logger;
}

/** @param slowAfterMs how long a request may take before its server is asked whether it is still there */
export function createAwayShards(
  { monotonic, logger }: AwayShardsDeps,
  { slowAfterMs }: { readonly slowAfterMs: number },
): AwayShards {
  /** When each was last asked. */
  const away = new Map<ClickHouseServer, number>();

  function isBack(server: ClickHouseServer): void {
    if (away.delete(server)) logger.info({ url: server.url }, 'ClickHouse is back and gets messages again');
  }

  function look(server: ClickHouseServer): void {
    away.set(server, monotonic.now());
    server.ping(AbortSignal.timeout(PING_TIMEOUT_MS)).then(
      () => isBack(server),
      () => {},
    );
  }

  function isAway(server: ClickHouseServer): void {
    if (!away.has(server)) {
      logger.warn(
        { url: server.url },
        'ClickHouse is away; what it was sent waits in the journal, other messages go to the other servers',
      );
    }
    away.set(server, away.get(server) ?? monotonic.now());
  }

  return {
    isBack,
    isAway,
    watch(server, onAway) {
      let isOver = false;
      const ask = () =>
        server.ping(AbortSignal.timeout(PING_TIMEOUT_MS)).catch(() => {
          if (isOver) return;
          isAway(server);
          onAway();
        });
      const timer = setInterval(() => void ask(), slowAfterMs);
      return () => {
        isOver = true;
        clearInterval(timer);
      };
    },
    choose({ servers }) {
      for (const [server, askedAt] of away) {
        if (monotonic.now() - askedAt > LOOK_AGAIN_MS) look(server);
      }
      const present = servers.filter((server) => !away.has(server));
      const among = present.length === 0 ? servers : present;
      const chosen = among[randomInt(among.length)];
      return chosen === undefined ? 0 : servers.indexOf(chosen);
    },
    hasOthers: (servers) => servers.length > 1 && servers.some((server) => !away.has(server)),
  };
}
