/** Joins the live tail of this node with the workers, which see the messages. */
import { parseQuery } from '@millrace/query';
import { type Clock, monotonicClock } from '#core/index.ts';
import {
  asksForFailures,
  createLiveTail,
  type LiveTail,
  type LiveTailSettings,
  queryParseError,
} from '#search/service.ts';
import type { Logger } from '#telemetry/index.ts';
import type { FollowMessage, WorkerEvents } from '#workers/index.ts';

export interface NodeLiveTail {
  readonly tail: LiveTail;
  readonly events: Pick<WorkerEvents, 'tailed'>;
  /** Keeps the workers informed from now on. */
  inform(workers: FollowingWorkers): void;
}

interface FollowingWorkers {
  tell(message: FollowMessage): number;
}

export interface NodeLiveTailDeps {
  /** Ids of all streams that exist now. */
  readonly streamIds: () => readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
}

export function createNodeLiveTail(deps: NodeLiveTailDeps, settings: LiveTailSettings): NodeLiveTail {
  let workers: FollowingWorkers | undefined;
  const tail = createLiveTail(
    {
      publish: (wanted) => workers?.tell({ kind: 'tails', wanted }) ?? 0,
      parse(text) {
        const { query, problems } = parseQuery(text);
        if (query === undefined) throw queryParseError(text, problems);
        return { query, warnings: problems };
      },
      asksForFailures,
      streamIds: deps.streamIds,
      clock: deps.clock,
      monotonic: monotonicClock,
      logger: deps.logger.child({ component: 'live tail' }),
    },
    settings,
  );
  return {
    tail,
    events: { tailed: (worker, delivery) => tail.delivered(worker, delivery) },
    inform(following) {
      workers = following;
    },
  };
}
