import type { QueryNode } from '@millrace/query';
import { createVersionWaiters } from '#core/index.ts';
import type { TailDelivery, WantedTail, WantedTails } from './protocol.ts';
import { SharedTail, type SharedTailDeps, type TailListener } from './shared-tail.ts';

/** The messages that a follower wants to see. */
export interface TailSelection {
  readonly query: QueryNode;
  /** The text of the query. */
  readonly text: string;
  readonly timeZone: string;
  /** In ascending order; undefined for all streams. */
  readonly streams: readonly string[] | undefined;
  /** The streams that messages and conditions name; undefined for all. In ascending order. */
  readonly visibleStreams: readonly string[] | undefined;
  readonly includesFailures: boolean;
  readonly fields: readonly string[] | undefined;
}

/**
 * The tails of this node and their listeners. Listeners with the same selection share one tail in the workers, so a
 * hundred followers of one query cost the workers no more than one.
 */
export interface TailHub {
  /** Adds a listener, or changes its selection. */
  join(listener: TailListener, selection: TailSelection): void;
  leave(listener: TailListener): void;
  /** Call it when a listener was paused or resumed. */
  listenersChanged(): void;
  /** Resolves when all workers know every change so far, or after a timeout. */
  settled(): Promise<void>;
  /** Call it with every delivery of a worker. */
  delivered(worker: number, delivery: TailDelivery): void;
  /** Messages wait in the journal of at least one worker. */
  isStalled(): boolean;
}

export interface TailHubDeps extends SharedTailDeps {
  /** Sends all wanted tails to all workers. Returns the number of workers. */
  readonly publish: (wanted: WantedTails) => number;
  readonly now: () => number;
}

export function createTailHub(deps: TailHubDeps, config: { readonly nodeId: string }): TailHub {
  const byKey = new Map<string, SharedTail<TailSelection>>();
  const byId = new Map<number, SharedTail<TailSelection>>();
  const tailOfListener = new Map<TailListener, SharedTail<TailSelection>>();
  const stalled = new Map<number, boolean>();
  const versions = createWorkerVersions();
  let lastId = 0;
  let isPublishing = false;

  /** Publishes changes of the same tick together. */
  function publishSoon(): void {
    if (isPublishing) return;
    isPublishing = true;
    versions.startChange();
    queueMicrotask(() => {
      isPublishing = false;
      const tails = [...byId.values()].map(wantedTail);
      versions.published(deps.publish({ version: versions.newest, nodeId: config.nodeId, tails }));
    });
  }

  function sharedTail(selection: TailSelection): SharedTail<TailSelection> {
    const key = JSON.stringify([
      selection.text,
      selection.timeZone,
      selection.streams ?? null,
      selection.visibleStreams ?? null,
      selection.fields ?? null,
    ]);
    const known = byKey.get(key);
    if (known !== undefined) return known;
    const tail = new SharedTail(deps, { id: ++lastId, key, selection, since: deps.now() });
    byKey.set(key, tail);
    byId.set(tail.id, tail);
    return tail;
  }

  function leave(listener: TailListener): void {
    const tail = tailOfListener.get(listener);
    if (tail === undefined) return;
    tailOfListener.delete(listener);
    tail.listeners.delete(listener);
    if (tail.listeners.size === 0) {
      byKey.delete(tail.key);
      byId.delete(tail.id);
      tail.close();
    }
    if (byId.size === 0) stalled.clear();
    publishSoon();
  }

  return {
    join(listener, selection) {
      leave(listener);
      const tail = sharedTail(selection);
      tail.listeners.add(listener);
      tailOfListener.set(listener, tail);
      publishSoon();
    },
    leave,
    listenersChanged: publishSoon,
    settled: versions.settled,
    delivered(worker, delivery) {
      versions.reported(worker, delivery.version);
      if (byId.size > 0) stalled.set(worker, delivery.stalled);
      for (const update of delivery.tails) {
        // The tail may have been closed meanwhile.
        byId.get(update.id)?.found(update, delivery.texts);
      }
    },
    isStalled: () => [...stalled.values()].some(Boolean),
  };
}

/** A worker that is restarting does not answer; do not wait for it any longer. */
const MAX_WAIT_MS = 1000;

/** The versions that the workers know. */
function createWorkerVersions() {
  const knownBy = new Map<number, number>();
  let newest = 0;
  let workers = Number.POSITIVE_INFINITY;

  const waiters = createVersionWaiters(
    (version) => [...knownBy.values()].filter((known) => known >= version).length >= workers,
  );

  return {
    get newest() {
      return newest;
    },
    /** A change is about to be published. */
    startChange() {
      newest += 1;
      workers = Number.POSITIVE_INFINITY;
    },
    published(count: number) {
      workers = count;
      waiters.check();
    },
    reported(worker: number, version: number) {
      knownBy.set(worker, version);
      waiters.check();
    },
    settled: (): Promise<void> => waiters.until(newest, MAX_WAIT_MS),
  };
}

function wantedTail({ id, selection, since, rate }: SharedTail<TailSelection>): WantedTail {
  return {
    id,
    query: selection.query,
    queryKey: JSON.stringify([selection.timeZone, selection.text, selection.visibleStreams ?? null]),
    now: since,
    timeZone: selection.timeZone,
    streams: selection.streams,
    visibleStreams: selection.visibleStreams,
    includesFailures: selection.includesFailures,
    fields: selection.fields,
    rate,
  };
}
