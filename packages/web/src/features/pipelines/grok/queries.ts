import type { GrokImportStrategy, GrokPatternRequest } from '@millrace/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/index.ts';
import { type ListValues, listParams, pagingOf } from '../list-params.ts';

const GROK = ['grok'];
/** The name of the pattern that is tried: what it finds as a whole has this name too. */
export const TRIED = 'TRIED';

export function patternPageQuery(values: ListValues) {
  return queryOptions({
    queryKey: [...GROK, 'page', values],
    queryFn: ({ signal }) => call('GET /system/grok/paginated', { query: pagingOf(values), signal }),
    placeholderData: keepPreviousData,
  });
}

export function patternQuery(patternId: string) {
  return queryOptions({
    queryKey: [...GROK, 'one', patternId],
    queryFn: ({ signal }) => call('GET /system/grok/{patternId}', { path: { patternId }, signal }),
  });
}

/** How many there are, whatever the list shows. */
export function patternCountQuery() {
  return queryOptions({
    ...patternPageQuery(listParams.read({}).values),
    select: ({ total }) => total,
  });
}

/** What a pattern that need not be stored finds in a text. */
export function patternTestQuery(pattern: string, sample: string) {
  return queryOptions({
    queryKey: [...GROK, 'test', pattern, sample],
    queryFn: ({ signal }) =>
      call('POST /system/grok/test', {
        body: { grok_pattern: { name: TRIED, pattern }, sample_data: sample },
        signal,
      }),
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });
}

function useGrokMutation<Given, Answer>(mutationFn: (given: Given) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => client.invalidateQueries({ queryKey: GROK }) });
}

export function useSavePattern(patternId: string | undefined) {
  return useGrokMutation((body: GrokPatternRequest) =>
    patternId === undefined
      ? call('POST /system/grok', { body })
      : call('PUT /system/grok/{patternId}', { path: { patternId }, body }),
  );
}

export function useDeletePattern() {
  return useGrokMutation((patternId: string) =>
    call('DELETE /system/grok/{patternId}', { path: { patternId } }),
  );
}

export interface PatternImport {
  readonly patterns: readonly GrokPatternRequest[];
  readonly strategy: GrokImportStrategy;
}

export function useImportPatterns() {
  return useGrokMutation(({ patterns, strategy }: PatternImport) =>
    call('PUT /system/grok', {
      query: { 'import-strategy': strategy },
      body: { patterns: [...patterns] },
    }),
  );
}
