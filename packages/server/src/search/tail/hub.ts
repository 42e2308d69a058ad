import type { QueryNode } from '@millrace/query';
import { createVersionWaiters } from '#core/index.ts';
import type { TailDelivery, WantedTail, WantedTails } from './protocol.ts';
import { SharedTail, type SharedTailDeps, type TailAudience } from './shared-tail.ts';

/** What a follower wants to see, as far as it can be decided by looking at a message. */
export interface TailTerms {
  readonly query: QueryNode;
  /** The query as it was written. */
  readonly text: string;
  readonly timeZone: string;
  /** Undefined: of all streams. In ascending order. */
  readonly streams: readonly string[] | undefined;
  readonly includesFailures: boolean;
  readonly fields: readonly string[] | undefined;
}

/**
 * Who follows what on this node. Those who want the same share one tail in the workers, and the workers know
 * only the tails: a hundred followers of one query cost them what one costs.
 */
export interface TailHub {
  /** Lets somebody follow, or follow something else than before. */
  join(audience: TailAudience, terms: TailTerms): void;
  leave(audience: TailAudience): void;
  /** To be called when somebody was paused or goes on. */
  audienceChanged(): void;
  /** Resolves when all workers know of every change so far, or after a while. */
  settled(): Promise<void>;
  /** What a worker has found. */
  delivered(worker: number, delivery: TailDelivery): void;
  /** Messages wait in the journal of at least one worker. */
  isStalled(): boolean;
}

export interface TailHubDeps extends SharedTailDeps {
  /** Tells all workers what is wanted from now on. Returns how many there are. */
  readonly tell: (wanted: WantedTails) => number;
  readonly now: () => number;
}

export function createTailHub(deps: TailHubDeps, config: { readonly nodeId: string }): TailHub {
  const byKey = new Map<string, SharedTail<TailTerms>>();
  const byId = new Map<number, SharedTail<TailTerms>>();
  const ofAudience = new Map<TailAudience, SharedTail<TailTerms>>();
  const stalled = new Map<number, boolean>();
  const changes = createChanges();
  let lastId = 0;
  let isTelling = false;

  /** Changes of one moment are told together. */
  function tellSoon(): void {
    if (isTelling) return;
    isTelling = true;
    changes.begin();
    queueMicrotask(() => {
      isTelling = false;
      const tails = [...byId.values()].map(wantedTail);
      changes.told(deps.tell({ version: changes.newest, nodeId: config.nodeId, tails }));
    });
  }

  function sharedTail(terms: TailTerms): SharedTail<TailTerms> {
    const key = JSON.stringify([terms.text, terms.timeZone, terms.streams ?? null, terms.fields ?? null]);
    const known = byKey.get(key);
    if (known !== undefined) return known;
    const tail = new SharedTail(deps, { id: ++lastId, key, terms, since: deps.now() });
    byKey.set(key, tail);
    byId.set(tail.id, tail);
    return tail;
  }

  function leave(audience: TailAudience): void {
    const tail = ofAudience.get(audience);
    if (tail === undefined) return;
    ofAudience.delete(audience);
    tail.audiences.delete(audience);
    if (tail.audiences.size === 0) {
      byKey.delete(tail.key);
      byId.delete(tail.id);
      tail.close();
    }
    if (byId.size === 0) stalled.clear();
    tellSoon();
  }

  return {
    join(audience, terms) {
      leave(audience);
      const tail = sharedTail(terms);
      tail.audiences.add(audience);
      ofAudience.set(audience, tail);
      tellSoon();
    },
    leave,
    audienceChanged: tellSoon,
    settled: changes.settled,
    delivered(worker, delivery) {
      changes.known(worker, delivery.version);
      if (byId.size > 0) stalled.set(worker, delivery.stalled);
      for (const news of delivery.tails) {
        // What was found for a tail that nobody has any more is shown to nobody.
        byId.get(news.id)?.found(news, delivery.texts);
      }
    },
    isStalled: () => [...stalled.values()].some(Boolean),
  };
}

/** A worker that is being started again says nothing for a while; nobody shall wait for it. */
const MAX_WAIT_MS = 1000;

/** Which changes the workers know of. */
function createChanges() {
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
    /** A change will be told in a moment. */
    begin() {
      newest += 1;
      workers = Number.POSITIVE_INFINITY;
    },
    told(count: number) {
      workers = count;
      waiters.check();
    },
    known(worker: number, version: number) {
      knownBy.set(worker, version);
      waiters.check();
    },
    settled: (): Promise<void> => waiters.until(newest, MAX_WAIT_MS),
  };
}

function wantedTail({ id, terms, since, rate }: SharedTail<TailTerms>): WantedTail {
  return {
    id,
    query: terms.query,
    queryKey: `${terms.timeZone} ${terms.text}`,
    now: since,
    timeZone: terms.timeZone,
    streams: terms.streams,
    includesFailures: terms.includesFailures,
    fields: terms.fields,
    rate,
  };
}
