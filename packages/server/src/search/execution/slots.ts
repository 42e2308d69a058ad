/**
 * Limits how many searches of one user run at the same time. Further ones wait in a queue. A search is refused, with the
 * time to wait before the next attempt, when the queue is full or the wait takes too long.
 */
import { TooManyRequestsError } from '#core/index.ts';

/** The right to run one search. */
export interface SearchSlot {
  /** Idempotent. */
  release(): void;
  /** Calls the function when the slot is released. */
  onRelease(callback: () => void): void;
}

export interface SearchSlots {
  /** Rejects with `TooManyRequestsError`, or with the signal's reason. */
  enter(userId: string, signal?: AbortSignal): Promise<SearchSlot>;
}

export interface SearchSlotsSettings {
  /** `search_max_parallel` */
  readonly maxParallel: number;
  /** Searches of one user that may wait. */
  readonly maxWaiting?: number;
  readonly maxWaitMs?: number;
  /** The message of the `TooManyRequestsError`. */
  readonly refusalMessage?: string;
}

interface Queue {
  running: number;
  readonly waiting: (() => void)[];
}

const MAX_WAIT_MS = 5000;
const WAITING_PER_SLOT = 4;

export function createSearchSlots(config: SearchSlotsSettings): SearchSlots {
  const { maxParallel, maxWaiting = maxParallel * WAITING_PER_SLOT, maxWaitMs = MAX_WAIT_MS } = config;
  const refusalMessage =
    config.refusalMessage ??
    `You are already running ${maxParallel} searches, the limit set by search_max_parallel. Try again when one of them is done.`;
  const queues = new Map<string, Queue>();

  function slotOf(userId: string, queue: Queue): SearchSlot {
    let isHeld = true;
    const callbacks: (() => void)[] = [];
    return {
      onRelease: (callback) => void callbacks.push(callback),
      release() {
        if (!isHeld) return;
        isHeld = false;
        for (const callback of callbacks) callback();
        const next = queue.waiting.shift();
        if (next !== undefined) return next();
        queue.running -= 1;
        if (queue.running === 0) queues.delete(userId);
      },
    };
  }

  function refuse(): TooManyRequestsError {
    return new TooManyRequestsError(refusalMessage, Math.ceil(maxWaitMs / 1000));
  }

  /** A released slot passes directly to the next one in the queue, so `running` stays the same. */
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
