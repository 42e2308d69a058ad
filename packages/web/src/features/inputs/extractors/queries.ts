import type { ExportedExtractor, ExtractorRequest, ExtractorTrialRequest } from '@millrace/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/index.ts';

const REFRESH_MS = 10_000;

export const PER_PAGE = 50;

export interface ListValues {
  readonly find: string;
  readonly page: number;
}

/** A page of them, in the order in which they run. */
export function extractorPageQuery(inputId: string, { find, page }: ListValues) {
  return queryOptions({
    queryKey: ['extractors', inputId, 'page', find, page],
    queryFn: ({ signal }) =>
      call('GET /system/inputs/{inputId}/extractors', {
        path: { inputId },
        query: { query: find, skip: (page - 1) * PER_PAGE, limit: PER_PAGE },
        signal,
        isBackground: true,
      }),
    // What they count goes on.
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
    meta: { isBackground: true },
  });
}

/** All of them, to know where one more goes. */
export function allExtractorsQuery(inputId: string) {
  return queryOptions({
    queryKey: ['extractors', inputId, 'all'],
    queryFn: ({ signal }) => call('GET /system/inputs/{inputId}/extractors', { path: { inputId }, signal }),
  });
}

export function extractorQuery(inputId: string, extractorId: string) {
  return queryOptions({
    queryKey: ['extractors', inputId, 'one', extractorId],
    queryFn: ({ signal }) =>
      call('GET /system/inputs/{inputId}/extractors/{extractorId}', {
        path: { inputId, extractorId },
        signal,
      }),
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

/** Puts one a place further up or down, among those that are there now: the neighbour may be on another page. */
export function useMoveExtractor(inputId: string) {
  const client = useQueryClient();
  return useExtractorMutation(inputId, async ({ id, by }: { readonly id: string; readonly by: 1 | -1 }) => {
    const { extractors } = await client.fetchQuery({ ...allExtractorsQuery(inputId), staleTime: 0 });
    const ids = extractors.map((each) => each.id);
    const from = ids.indexOf(id);
    const other = ids[from + by];
    if (from < 0 || other === undefined) return;
    const order = ids.with(from, other).with(from + by, id);
    await call('POST /system/inputs/{inputId}/extractors/order', {
      path: { inputId },
      body: { order: Object.fromEntries(order.map((each, place) => [String(place), each])) },
    });
  });
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
