/** Asks for several things in one request; what is not there is left out. */
type Ask<Answer> = (
  keys: readonly string[],
  signal: AbortSignal,
) => Promise<Iterable<readonly [string, Answer]>>;

interface Waiting<Answer> {
  readonly key: string;
  readonly signal: AbortSignal;
  readonly resolve: (answer: Answer | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Things that are asked for in the same moment, with the same name of the batch, share one request. It ends when nobody
 * waits for it any more.
 */
export function createBatches<Answer>(most: number) {
  const batches = new Map<string, Waiting<Answer>[]>();

  async function send(waiting: readonly Waiting<Answer>[], ask: Ask<Answer>): Promise<void> {
    const controller = new AbortController();
    const onAbort = () => {
      if (waiting.every(({ signal }) => signal.aborted)) controller.abort();
    };
    for (const { signal } of waiting) signal.addEventListener('abort', onAbort);
    try {
      const keys = [...new Set(waiting.map(({ key }) => key))];
      const answers = new Map(await ask(keys, controller.signal));
      for (const { key, resolve } of waiting) resolve(answers.get(key));
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    } finally {
      for (const { signal } of waiting) signal.removeEventListener('abort', onAbort);
    }
  }

  return function answerTo(
    batch: string,
    key: string,
    signal: AbortSignal,
    ask: Ask<Answer>,
  ): Promise<Answer | undefined> {
    return new Promise((resolve, reject) => {
      const waiting = batches.get(batch);
      const one = { key, signal, resolve, reject };
      if (waiting !== undefined && waiting.length < most) {
        waiting.push(one);
        return;
      }
      const fresh = [one];
      batches.set(batch, fresh);
      queueMicrotask(() => {
        if (batches.get(batch) === fresh) batches.delete(batch);
        void send(fresh, ask);
      });
    });
  };
}
