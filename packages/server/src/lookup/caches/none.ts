import { type CachePolicy, defineCache, MIN_KEPT_MS } from '../cache-type.ts';

/** Also for tables whose cache cannot be used. */
export const NO_CACHE: CachePolicy = {
  maxEntries: 1000,
  afterAccessMs: Number.POSITIVE_INFINITY,
  afterWriteMs: MIN_KEPT_MS,
  emptyAfterWriteMs: MIN_KEPT_MS,
};

export const noCache = defineCache({
  id: 'none',
  name: 'No cache',
  description: 'Every key is looked up anew. A remote answer counts as new for a second.',
  fields: {},
  policy: () => NO_CACHE,
});
