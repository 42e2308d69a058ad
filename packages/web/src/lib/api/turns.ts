/** Lets so many at a time work; the others wait for their turn, first come first served. */
export interface Turns {
  /** Rejects with the reason of the signal when it is aborted while waiting. */
  readonly run: <Result>(signal: AbortSignal | undefined, work: () => Promise<Result>) => Promise<Result>;
}

export function createTurns(atOnce: number): Turns {
  let running = 0;
  const waiting: (() => void)[] = [];

  function enter(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (running < atOnce) {
      running += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.splice(waiting.indexOf(go), 1);
        reject(signal?.reason);
      };
      const go = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      signal?.addEventListener('abort', leave, { once: true });
      waiting.push(go);
    });
  }

  return {
    async run(signal, work) {
      await enter(signal);
      try {
        return await work();
      } finally {
        // The turn passes to the next one, so as many are running as before.
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}
