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
  /** The position of the server for a new batch. Looks now and then whether those that are away have come back. */
  choose(clickhouse: ClickHouse): number;
  /** Whether there are several servers, and one for new batches to go to. */
  hasOthers(servers: readonly ClickHouseServer[]): boolean;
}

const LOOK_AGAIN_MS = 1000;
const PING_TIMEOUT_MS = 3000;

/** @param monotonic for durations */
export function createAwayShards(deps: { readonly monotonic: Clock; readonly logger: Logger }): AwayShards {
  const { monotonic, logger } = deps;
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

  return {
    isBack,
    isAway(server) {
      if (!away.has(server)) {
        logger.warn(
          { url: server.url },
          'ClickHouse is away; what it was sent waits in the journal, other messages go to the other servers',
        );
      }
      away.set(server, away.get(server) ?? monotonic.now());
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
