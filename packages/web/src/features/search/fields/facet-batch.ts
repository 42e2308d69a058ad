import type { FacetResponse } from '@millrace/contract';

/** With the servers that its request was answered without. */
export type Facet = FacetResponse['facets'][number] & Pick<FacetResponse, 'missing_servers'>;

/** Asks for several fields in one request. */
type AskFacets = (fields: readonly string[], signal: AbortSignal) => Promise<readonly Facet[]>;

/** Fields of one request. */
export const MAX_FIELDS = 20;

interface Waiting {
  readonly field: string;
  readonly signal: AbortSignal;
  readonly resolve: (facet: Facet | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Fields that are asked for in the same moment share one request. It ends when nobody waits for it any more. */
export function createFacetBatches() {
  const batches = new Map<string, Waiting[]>();

  async function send(waiting: readonly Waiting[], ask: AskFacets): Promise<void> {
    const controller = new AbortController();
    const onAbort = () => {
      if (waiting.every(({ signal }) => signal.aborted)) controller.abort();
    };
    for (const { signal } of waiting) signal.addEventListener('abort', onAbort);
    try {
      const fields = [...new Set(waiting.map(({ field }) => field))];
      const facets = new Map((await ask(fields, controller.signal)).map((facet) => [facet.field, facet]));
      for (const { field, resolve } of waiting) resolve(facets.get(field));
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    } finally {
      for (const { signal } of waiting) signal.removeEventListener('abort', onAbort);
    }
  }

  return function facetOf(
    batch: string,
    field: string,
    signal: AbortSignal,
    ask: AskFacets,
  ): Promise<Facet | undefined> {
    return new Promise((resolve, reject) => {
      const waiting = batches.get(batch);
      const one = { field, signal, resolve, reject };
      if (waiting !== undefined && waiting.length < MAX_FIELDS) {
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
