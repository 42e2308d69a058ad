import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/index.ts';

export const PER_PAGE = 25;

/** Those that the user may read, with their titles. */
export const streamsQuery = queryOptions({
  queryKey: ['streams'],
  queryFn: ({ signal }) => call('GET /streams', { signal }),
  staleTime: 30_000,
});
