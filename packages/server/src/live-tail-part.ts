/** The live tail of this node: between the API, which has followers, and the intake threads, which see messages. */
import { parseQuery } from '@millrace/query';
import type { NodeConfig } from '#config/index.ts';
import { type Clock, monotonicClock } from '#core/index.ts';
import { asksForFailures, queryParseError } from '#search/execution/index.ts';
import { createLiveTail, type LiveTail } from '#search/tail/index.ts';
import type { Logger } from '#telemetry/index.ts';
import type { FollowMessage, IntakeWorkersDeps } from './intake-workers.ts';
import type { MessagePath } from './message-path.ts';

export interface LiveTailPart {
  readonly tail: LiveTail;
  /** What the intake threads notice. */
  readonly fromThreads: Required<Pick<IntakeWorkersDeps, 'tailed'>>;
  /** Keeps the intake threads informed from now on. */
  inform(threads: FollowingThreads): void;
}

interface FollowingThreads {
  tell(message: FollowMessage): number;
}

export interface LiveTailPartDeps {
  readonly nodeId: string;
  readonly processing: Pick<MessagePath['processing'], 'snapshot'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function createLiveTailPart(deps: LiveTailPartDeps, config: NodeConfig): LiveTailPart {
  let threads: FollowingThreads | undefined;
  const tail = createLiveTail(
    {
      tell: (wanted) => threads?.tell({ kind: 'tails', wanted }) ?? 0,
      parse(text) {
        const { query, problems } = parseQuery(text);
        if (query === undefined) throw queryParseError(text, problems);
        return { query, warnings: problems };
      },
      asksForFailures,
      streamIds: () => deps.processing.snapshot()?.streamIds ?? [],
      clock: deps.clock,
      monotonic: monotonicClock,
      logger: deps.logger.child({ component: 'live tail' }),
    },
    {
      nodeId: deps.nodeId,
      maxFollowers: config.live_tail_max_followers,
      maxFollowersPerUser: config.live_tail_max_followers_per_user,
    },
  );
  return {
    tail,
    fromThreads: { tailed: (thread, delivery) => tail.delivered(thread, delivery) },
    inform(intake) {
      threads = intake;
    },
  };
}
