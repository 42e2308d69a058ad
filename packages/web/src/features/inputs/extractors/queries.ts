import type { ExportedExtractor, ExtractorRequest, ExtractorTrialRequest } from '@millrace/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/index.ts';

const REFRESH_MS = 10_000;

export function extractorsQuery(inputId: string) {
  return queryOptions({
    queryKey: ['extractors', inputId],
    queryFn: ({ signal }) => call('GET /system/inputs/{inputId}/extractors', { path: { inputId }, signal }),
    select: ({ extractors }) => extractors,
    // What they count goes on.
    refetchInterval: REFRESH_MS,
    meta: { isBackground: true },
  });
}

export const extractorTypesQuery = queryOptions({
  queryKey: ['extractor-types'],
  queryFn: ({ signal }) => call('GET /system/extractors/types', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** What an extractor, which need not be stored, does to a message. */
export function trialQuery(inputId: string, body: ExtractorTrialRequest) {
  return queryOptions({
    queryKey: ['extractor-trial', inputId, body],
    queryFn: ({ signal }) =>
      call('POST /system/inputs/{inputId}/extractors/test', { path: { inputId }, body, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
}

function useExtractorMutation<Given, Answer>(inputId: string, mutationFn: (given: Given) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => client.invalidateQueries({ queryKey: ['extractors', inputId] }),
  });
}

/** Without an id a new one. */
export function useSaveExtractor(inputId: string, extractorId: string | undefined) {
  return useExtractorMutation(inputId, async (body: ExtractorRequest) => {
    if (extractorId === undefined) {
      await call('POST /system/inputs/{inputId}/extractors', { path: { inputId }, body });
    } else {
      const path = { inputId, extractorId };
      await call('PUT /system/inputs/{inputId}/extractors/{extractorId}', { path, body });
    }
  });
}

export function useDeleteExtractor(inputId: string) {
  return useExtractorMutation(inputId, (extractorId: string) =>
    call('DELETE /system/inputs/{inputId}/extractors/{extractorId}', { path: { inputId, extractorId } }),
  );
}

/** Ids from first to last. */
export function useOrderExtractors(inputId: string) {
  return useExtractorMutation(inputId, (ids: readonly string[]) =>
    call('POST /system/inputs/{inputId}/extractors/order', {
      path: { inputId },
      body: { order: Object.fromEntries(ids.map((id, place) => [String(place), id])) },
    }),
  );
}

export function useImportExtractors(inputId: string) {
  return useExtractorMutation(inputId, (extractors: ExportedExtractor[]) =>
    call('POST /system/inputs/{inputId}/extractors/import', { path: { inputId }, body: { extractors } }),
  );
}

export function useExportExtractors(inputId: string) {
  return useMutation({
    mutationFn: () => call('GET /system/inputs/{inputId}/extractors/export', { path: { inputId } }),
  });
}
