/**
 * How many searches of one user run at the same time. More wait a moment for their turn, in the order they came; when
 * too many wait or the moment is over, they are refused with the time after which to try again.
 */
import { TooManyRequestsError } from '#core/index.ts';

/** One search that may run. Give it back when it is over; twice does no harm. */
export interface SearchSlot {
  release(): void;
}

export interface SearchSlots {
  /** Rejects with `TooManyRequestsError`, or with the signal's reason when the caller goes. */
  enter(userId: string, signal?: AbortSignal): Promise<SearchSlot>;
}

export interface SearchSlotsConfig {
  /** `search_max_parallel` */
  readonly maxParallel: number;
  /** How many of one user may wait. */
  readonly maxWaiting?: number;
  readonly maxWaitMs?: number;
  /** What those are told who have to come again. */
  readonly refusal?: string;
}

interface Queue {
  running: number;
  readonly waiting: (() => void)[];
}

const MAX_WAIT_MS = 5000;
const WAITING_FOR_EACH_SLOT = 4;

export function createSearchSlots(config: SearchSlotsConfig): SearchSlots {
  const { maxParallel, maxWaiting = maxParallel * WAITING_FOR_EACH_SLOT, maxWaitMs = MAX_WAIT_MS } = config;
  const refusal =
    config.refusal ??
    `${maxParallel} searches of yours are running already, which is as many as search_max_parallel allows. Try again when one of them is done.`;
  const queues = new Map<string, Queue>();

  function slotOf(userId: string, queue: Queue): SearchSlot {
    let isHeld = true;
    return {
      release() {
        if (!isHeld) return;
        isHeld = false;
        const next = queue.waiting.shift();
        if (next !== undefined) return next();
        queue.running -= 1;
        if (queue.running === 0) queues.delete(userId);
      },
    };
  }

  function refuse(): TooManyRequestsError {
    return new TooManyRequestsError(refusal, Math.ceil(maxWaitMs / 1000));
  }

  /** The turn is handed over with the slot still counted as running. */
  function waitForTurn(queue: Queue, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (reason: unknown) => {
        const position = queue.waiting.indexOf(enter);
        if (position >= 0) queue.waiting.splice(position, 1);
        settle();
        reject(reason);
      };
      const abandoned = () => leave(signal?.reason);
      const timer = setTimeout(() => leave(refuse()), maxWaitMs);
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abandoned);
      };
      const enter = () => {
        settle();
        resolve();
      };
      signal?.addEventListener('abort', abandoned, { once: true });
      queue.waiting.push(enter);
    });
  }

  return {
    async enter(userId, signal) {
      signal?.throwIfAborted();
      const queue = queues.get(userId) ?? { running: 0, waiting: [] };
      queues.set(userId, queue);
      if (queue.running < maxParallel) queue.running += 1;
      else if (queue.waiting.length >= maxWaiting) throw refuse();
      else await waitForTurn(queue, signal);
      return slotOf(userId, queue);
    },
  };
}
