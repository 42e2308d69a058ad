import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/index.ts';
import { busyDelay, RUN_REQUESTS, type Run, retryWhenBusy, searchedOf } from '../run.ts';

/** Bars at most. */
const MAX_BARS = 120;
/** All levels; of other fields more than are drawn, so that the rest is known. */
const LEVELS = 20;
const VALUES = 6;

export function histogramQuery(run: Run | undefined, by: string) {
  return queryOptions({
    queryKey: [RUN_REQUESTS, 'histogram', run, by],
    staleTime: Number.POSITIVE_INFINITY,
    retry: retryWhenBusy,
    retryDelay: busyDelay,
    enabled: run !== undefined,
    queryFn: async ({ signal }) => {
      const asked = run as Run;
      const answer = await call('POST /search/histogram', {
        body: {
          ...searchedOf(asked),
          ...(by === 'none' ? {} : { by }),
          buckets: MAX_BARS,
          size: by === 'level' ? LEVELS : VALUES,
        },
        signal,
      });
      return { answer, span: asked.span, by };
    },
    placeholderData: keepPreviousData,
  });
}

/** The same search in the period of the same length just before. */
export function runBefore(run: Run): Run {
  const { from, to } = run.span;
  const length = to - from + 1;
  return { ...run, span: { from: from - length, to: to - length } };
}
