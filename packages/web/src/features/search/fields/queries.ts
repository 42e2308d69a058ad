import type { FacetResponse } from '@millrace/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, createBatches } from '../../../lib/api/index.ts';
import { withoutIncluded } from '../../../lib/edit-query/index.ts';
import { busyDelay, RUN_REQUESTS, type Run, retryWhenBusy, searchedOf } from '../run.ts';

/** With the servers that its request was answered without. */
export type Facet = FacetResponse['facets'][number] & Pick<FacetResponse, 'missing_servers'>;

/** Fields of one request. */
export const MAX_FIELDS = 20;
const facetOf = createBatches<Facet>(MAX_FIELDS);

interface FacetOptions {
  /** Only in the messages that have one of the included values. */
  readonly isNarrowed?: boolean;
}

/**
 * The most frequent values of a field. Those of all open fields are asked for at once. Values that the query includes
 * do not hide the others: they can be added, which widens the query.
 */
export function facetQuery(
  run: Run | undefined,
  field: string,
  size: number,
  { isNarrowed = false }: FacetOptions = {},
) {
  return queryOptions({
    queryKey: [RUN_REQUESTS, 'facet', run, field, size, isNarrowed],
    staleTime: Number.POSITIVE_INFINITY,
    retry: retryWhenBusy,
    retryDelay: busyDelay,
    enabled: run !== undefined,
    queryFn: async ({ signal }) => {
      const whole = searchedOf(run as Run);
      const searched = isNarrowed ? whole : { ...whole, query: withoutIncluded(whole.query, field) };
      const batch = JSON.stringify([searched, size]);
      const ask = async (fields: readonly string[], ended: AbortSignal) => {
        const body = { ...searched, fields: [...fields], size };
        const { facets, missing_servers } = await call('POST /search/facets', { body, signal: ended });
        return facets.map((facet) => [facet.field, { ...facet, missing_servers }] as const);
      };
      return (await facetOf(batch, field, signal, ask)) ?? null;
    },
    placeholderData: keepPreviousData,
  });
}
