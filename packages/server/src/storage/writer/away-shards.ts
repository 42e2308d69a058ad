import { randomInt } from 'node:crypto';
import type { Clock } from '#core/index.ts';
import type { Logger } from '#telemetry/index.ts';
import type { ClickHouseServer } from '../clickhouse/index.ts';

/**
 * Which of several servers are away or store nothing, as far as a writer has noticed. A batch that was sent to such a
 * server waits for it: what became of it is not known. New batches go to the others.
 */
export interface AwayShards {
  isAway(server: ClickHouseServer): void;
  isBack(server: ClickHouseServer): void;
  /**
   * Looks after the server that works on a request: one that hangs counts as away long before the request times out.
   * `onAway` is called when that happens. Returns a function that ends the watch.
   */
  watch(server: () => ClickHouseServer, onAway: (server: ClickHouseServer) => void): () => void;
  /** A batch waits for the server, which therefore gets no new ones. Returns a function that ends this. */
  waitFor(server: ClickHouseServer, reason?: string): () => void;
  isWaitedFor(server: ClickHouseServer): boolean;
  /**
   * One of these servers for a new batch. One that has not answered lately is asked first whether it is there, so that no
   * batch is bound to one that is away; the promise resolves with undefined if it is, and the caller chooses again. Looks
   * now and then whether those that are away have come back.
   */
  choose(
    open: readonly ClickHouseServer[],
  ): ClickHouseServer | Promise<ClickHouseServer | undefined> | undefined;
  /** Whether there are several servers, and one for new batches to go to. */
  hasOthers(servers: readonly ClickHouseServer[]): boolean;
}

const LOOK_AGAIN_MS = 1000;
const PING_TIMEOUT_MS = 3000;
/** A server that has answered since then gets a batch without being asked. */
const LATELY_MS = 100;

export interface AwayShardsDeps {
  /** For durations. */
  readonly monotonic: Clock;
  readonly logger: Logger;
  /** A batch has begun or ended to wait for a server. */
  readonly changed: () => void;
}

/** @param slowAfterMs how long a request may take before its server is asked whether it is still there */
export function createAwayShards(
  { monotonic, logger, changed }: AwayShardsDeps,
  { slowAfterMs }: { readonly slowAfterMs: number },
): AwayShards {
  /** When each was last asked. */
  const away = new Map<ClickHouseServer, number>();
  const answeredAt = new Map<ClickHouseServer, number>();
  const waits = createWaits({ logger, changed }, (server) => away.has(server));

  function isBack(server: ClickHouseServer): void {
    answeredAt.set(server, monotonic.now());
    if (away.delete(server)) logger.info({ url: server.url }, 'ClickHouse is back and gets messages again');
  }

  function look(server: ClickHouseServer): void {
    away.set(server, monotonic.now());
    ping(server).then(
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

  const hasAnsweredLately = (server: ClickHouseServer) =>
    monotonic.now() - (answeredAt.get(server) ?? Number.NEGATIVE_INFINITY) <= LATELY_MS;

  const isOpen = (server: ClickHouseServer) => !away.has(server) && !waits.isWaitedFor(server);

  return {
    isBack,
    isAway,
    watch(server, onAway) {
      let isOver = false;
      const ask = () => {
        const asked = server();
        return ping(asked).catch(() => {
          if (isOver) return;
          isAway(asked);
          onAway(asked);
        });
      };
      const timer = setInterval(() => void ask(), slowAfterMs);
      return () => {
        isOver = true;
        clearInterval(timer);
      };
    },
    ...waits,
    choose(open) {
      for (const [server, askedAt] of away) {
        if (monotonic.now() - askedAt > LOOK_AGAIN_MS) look(server);
      }
      const present = open.filter((server) => !away.has(server));
      // When none of them answers, one is as good as the other: its batch notices when it is back.
      if (present.length === 0) return anyOf(open);
      const chosen = anyOf(present);
      if (chosen === undefined || hasAnsweredLately(chosen)) return chosen;
      return ping(chosen).then(
        () => {
          isBack(chosen);
          return chosen;
        },
        () => {
          isAway(chosen);
          return undefined;
        },
      );
    },
    hasOthers: (servers) => servers.length > 1 && servers.some(isOpen),
  };
}

function createWaits(
  { logger, changed }: Pick<AwayShardsDeps, 'logger' | 'changed'>,
  isAway: (server: ClickHouseServer) => boolean,
): Pick<AwayShards, 'waitFor' | 'isWaitedFor'> {
  /** How many requests wait for each. */
  const waiting = new Map<ClickHouseServer, number>();
  return {
    waitFor(server, reason) {
      const before = waiting.get(server) ?? 0;
      if (before === 0 && reason !== undefined && !isAway(server)) {
        logger.warn(
          { url: server.url, reason },
          'ClickHouse does not store what it was sent, which waits in the journal; other messages go to the other servers',
        );
      }
      waiting.set(server, before + 1);
      changed();
      return () => {
        const left = (waiting.get(server) ?? 1) - 1;
        if (left > 0) waiting.set(server, left);
        else waiting.delete(server);
        changed();
      };
    },
    isWaitedFor: (server) => waiting.has(server),
  };
}

function ping(server: ClickHouseServer): Promise<void> {
  return server.ping(AbortSignal.timeout(PING_TIMEOUT_MS));
}

function anyOf(servers: readonly ClickHouseServer[]): ClickHouseServer | undefined {
  return servers.length === 0 ? undefined : servers[randomInt(servers.length)];
}
