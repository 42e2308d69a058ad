import { errorMessage } from './errors.ts';
import type { Startable } from './startable.ts';

export interface Lifecycle {
  /** Starts a part after those before it. Rejects, and starts nothing, once `stop` was called. */
  start(component: Startable): Promise<void>;
  /** Stops everything in reverse order; a part that fails to stop does not keep the others running. */
  stop(): Promise<void>;
}

export interface LifecycleObserver {
  started?(component: Startable): void;
  stopped?(component: Startable): void;
  stopFailed?(component: Startable, reason: string): void;
}

/** Ordered start, reverse stop. A part counts from the moment its start begins, so it is always stopped. */
export function createLifecycle(observer: LifecycleObserver = {}): Lifecycle {
  const startables: Startable[] = [];
  let stopping: Promise<void> | undefined;

  async function stopAll(): Promise<void> {
    for (const part of startables.toReversed()) {
      try {
        await part.stop();
        observer.stopped?.(part);
      } catch (error) {
        observer.stopFailed?.(part, errorMessage(error));
      }
    }
  }

  return {
    async start(part) {
      if (stopping) throw new Error(`cannot start ${part.name}: the node is stopping`);
      startables.push(part);
      await part.start();
      observer.started?.(part);
    },
    stop() {
      stopping ??= stopAll();
      return stopping;
    },
  };
}
