import { createTurns } from '#core/index.ts';
import type { RemoteAdapter } from '../adapter-type.ts';
import type { FetchedAnswer } from './answer-cache.ts';
import { bytesOfChange, type LookupChange } from './change.ts';

/**
 * Calls of one remote adapter: a key that several want is fetched once, few keys at the same time, and changes are made
 * one after the other.
 */
export interface AdapterCalls {
  /** Rejects with what is wrong. */
  fetch(key: string): Promise<FetchedAnswer>;
  change(key: string, change: LookupChange): Promise<FetchedAnswer>;
}

/** More keys than this are not fetched: workers ask for them again later. */
const MAX_WAITING = 10_000;
/** More changes than this are lost. */
const MAX_WAITING_CHANGES = 50_000;
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

export function createAdapterCalls(adapter: RemoteAdapter): AdapterCalls {
  const turns = createTurns({
    max: adapter.maxConcurrent,
    maxWaiting: MAX_WAITING,
    refusal: `more than ${MAX_WAITING} keys wait for the data adapter; they are asked for again later`,
  });
  const fetching = new Map<string, Promise<FetchedAnswer>>();
  /** What keys are that were changed while they were fetched. */
  const overtaken = new Map<string, FetchedAnswer>();
  let changing: Promise<unknown> = Promise.resolve();
  let waitingChanges = 0;
  let waitingBytes = 0;

  async function fetchNow(key: string): Promise<FetchedAnswer> {
    await turns.take();
    try {
      const found = await adapter.fetch(key);
      return overtaken.get(key) ?? found;
    } finally {
      turns.end();
    }
  }

  return {
    fetch(key) {
      let call = fetching.get(key);
      if (call === undefined) {
        call = fetchNow(key).finally(() => {
          fetching.delete(key);
          overtaken.delete(key);
        });
        fetching.set(key, call);
      }
      return call;
    },
    async change(key, change) {
      const bytes = bytesOfChange(key, change);
      if (waitingChanges >= MAX_WAITING_CHANGES || waitingBytes + bytes > MAX_WAITING_BYTES)
        throw new Error(
          `${waitingChanges} changes are waiting, as many as there can be; further ones are lost`,
        );
      waitingChanges += 1;
      waitingBytes += bytes;
      const made = changing.then(() => adapter.change?.(key, change));
      changing = made.catch(() => {});
      try {
        const answer = await made;
        if (answer === undefined) throw new Error('rules cannot change the values of this data adapter');
        if (fetching.has(key)) overtaken.set(key, answer);
        return answer;
      } finally {
        waitingChanges -= 1;
        waitingBytes -= bytes;
      }
    },
  };
}
