import type { Component } from './component.ts';
import { errorMessage } from './errors.ts';

export interface Lifecycle {
  /** Starts a part after those before it. Rejects, and starts nothing, once `stop` was called. */
  start(component: Component): Promise<void>;
  /** Stops everything in reverse order; a part that fails to stop does not keep the others running. */
  stop(): Promise<void>;
}

export interface LifecycleObserver {
  started?(component: Component): void;
  stopped?(component: Component): void;
  stopFailed?(component: Component, reason: string): void;
}

/** Ordered start, reverse stop. A part counts from the moment its start begins, so it is always stopped. */
export function createLifecycle(observer: LifecycleObserver = {}): Lifecycle {
  const components: Component[] = [];
  let stopping: Promise<void> | undefined;

  async function stopAll(): Promise<void> {
    for (const component of components.toReversed()) {
      try {
        await component.stop();
        observer.stopped?.(component);
      } catch (error) {
        observer.stopFailed?.(component, errorMessage(error));
      }
    }
  }

  return {
    async start(component) {
      if (stopping) throw new Error(`cannot start ${component.name}: the node is stopping`);
      components.push(component);
      await component.start();
      observer.started?.(component);
    },
    stop() {
      stopping ??= stopAll();
      return stopping;
    },
  };
}
