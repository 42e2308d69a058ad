import type { PipelineRuleView, PipelineView, SimulateRequest } from '@millrace/contract';
import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueries,
  useQueryClient,
} from '@tanstack/react-query';
import type { ChoiceSource } from '../../components/found-select.tsx';
import { call, createBatches } from '../../lib/api/index.ts';
import { type ListValues, pagingOf } from './list-params.ts';

const PIPELINES = ['pipelines'];
const MINUTE_MS = 60_000;

export function rulePageQuery(values: ListValues) {
  return queryOptions({
    queryKey: [...PIPELINES, 'rules', 'page', values],
    queryFn: ({ signal }) =>
      call('GET /system/pipelines/rule/paginated', { query: pagingOf(values), signal }),
    placeholderData: keepPreviousData,
  });
}

export function pipelinePageQuery(values: ListValues) {
  return queryOptions({
    queryKey: [...PIPELINES, 'page', values],
    queryFn: ({ signal }) =>
      call('GET /system/pipelines/pipeline/paginated', { query: pagingOf(values), signal }),
    placeholderData: keepPreviousData,
  });
}

/** To choose from, by title. */
export const ruleSource: ChoiceSource = {
  key: [...PIPELINES, 'rules', 'all'],
  find: async (query, count, signal) => {
    const { rules } = await call('GET /system/pipelines/rule/paginated', {
      query: { query, page: 1, per_page: count, sort: 'title', order: 'asc' },
      signal,
    });
    return rules.map(({ title }) => ({ value: title, label: title }));
  },
};

const MAX_NAMED = 100;
const ruleNamed = createBatches<string>(MAX_NAMED);

/** Ids of the rules with these titles; null for a title that no rule has, undefined until that is known. */
export function useRuleIds(titles: readonly string[]): Readonly<Record<string, string | null>> {
  return useQueries({
    queries: [...new Set(titles)].map((title) =>
      queryOptions({
        queryKey: [...PIPELINES, 'rules', 'all', 'id', title],
        queryFn: async ({ signal }) => ({
          title,
          id: (await ruleNamed('rules', title, signal, rulesNamed)) ?? null,
        }),
      }),
    ),
    combine: (results) =>
      Object.fromEntries(results.flatMap(({ data }) => (data === undefined ? [] : [[data.title, data.id]]))),
  });
}

async function rulesNamed(titles: readonly string[], signal: AbortSignal) {
  const rules = await call('POST /system/pipelines/rule/multiple', { body: { rules: [...titles] }, signal });
  return rules.map(({ title, id }) => [title, id ?? ''] as const);
}

export function ruleQuery(ruleId: string) {
  return queryOptions({
    queryKey: [...PIPELINES, 'rules', 'one', ruleId],
    queryFn: ({ signal }) => call('GET /system/pipelines/rule/{ruleId}', { path: { ruleId }, signal }),
  });
}

export function pipelineQuery(pipelineId: string) {
  return queryOptions({
    queryKey: [...PIPELINES, 'one', pipelineId],
    queryFn: ({ signal }) =>
      call('GET /system/pipelines/pipeline/{pipelineId}', { path: { pipelineId }, signal }),
  });
}

export const functionsQuery = queryOptions({
  queryKey: [...PIPELINES, 'functions'],
  queryFn: ({ signal }) => call('GET /system/pipelines/rule/functions', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export const fieldNamesQuery = queryOptions({
  queryKey: ['fields', 'names'],
  queryFn: ({ signal }) => call('GET /views/fields', { signal }),
  select: (fields) => fields.map(({ name }) => name),
  staleTime: MINUTE_MS,
});

export const connectionsQuery = queryOptions({
  queryKey: [...PIPELINES, 'connections'],
  queryFn: ({ signal }) => call('GET /system/pipelines/connections', { signal }),
});

/** What the server finds beyond the language: patterns that do not exist, expressions that are none. */
export function parseQuery(source: string) {
  return queryOptions({
    queryKey: [...PIPELINES, 'parsed', source],
    queryFn: ({ signal }) =>
      call('POST /system/pipelines/rule/parse', { body: { source, description: '' }, signal }),
    retry: false,
    staleTime: MINUTE_MS,
    gcTime: 0,
  });
}

export function simulationQuery(request: Partial<SimulateRequest>) {
  return queryOptions({
    queryKey: [...PIPELINES, 'simulated', request],
    queryFn: ({ signal }) => call('POST /system/pipelines/simulate', { body: request, signal }),
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });
}

/** Something that changes rules or pipelines; all that is known of them is asked again. */
export function usePipelineMutation<Given, Answer>(mutationFn: (given: Given) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => client.invalidateQueries({ queryKey: PIPELINES }) });
}

/** What is sent to store a rule or a pipeline. */
export interface SavedSource {
  readonly source: string;
  readonly description: string;
  /** Without one, what others have changed is overwritten. */
  readonly revision?: string | null | undefined;
}

export function useSaveRule(ruleId: string | undefined) {
  return usePipelineMutation(
    (body: SavedSource): Promise<PipelineRuleView> =>
      ruleId === undefined
        ? call('POST /system/pipelines/rule', { body })
        : call('PUT /system/pipelines/rule/{ruleId}', { path: { ruleId }, body }),
  );
}

export function useSavePipeline(pipelineId: string | undefined) {
  return usePipelineMutation(
    (body: SavedSource): Promise<PipelineView> =>
      pipelineId === undefined
        ? call('POST /system/pipelines/pipeline', { body })
        : call('PUT /system/pipelines/pipeline/{pipelineId}', { path: { pipelineId }, body }),
  );
}

/** Something that is gone: its page may still be there, and would ask for it in vain. */
function useRemoval(remove: (id: string) => Promise<undefined>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: remove,
    onSuccess: () =>
      Promise.all(
        [['rules', 'page'], ['rules', 'all'], ['page'], ['connections']].map((part) =>
          client.invalidateQueries({ queryKey: [...PIPELINES, ...part] }),
        ),
      ),
  });
}

export function useDeleteRule() {
  return useRemoval((ruleId) => call('DELETE /system/pipelines/rule/{ruleId}', { path: { ruleId } }));
}

export function useDeletePipeline() {
  return useRemoval((pipelineId) =>
    call('DELETE /system/pipelines/pipeline/{pipelineId}', { path: { pipelineId } }),
  );
}

export interface ConnectionChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Applied to what is connected now: what colleagues have connected since the page was read stays. */
export function useConnect(pipelineId: string) {
  const client = useQueryClient();
  return usePipelineMutation(async ({ added, removed }: ConnectionChange) => {
    const connections = await client.fetchQuery({ ...connectionsQuery, staleTime: 0 });
    const connected = connections
      .filter(({ pipeline_ids }) => pipeline_ids.includes(pipelineId))
      .map(({ stream_id }) => stream_id);
    const wanted = new Set([...connected, ...added].filter((id) => !removed.includes(id)));
    return call('POST /system/pipelines/connections/to_pipeline', {
      body: { pipeline_id: pipelineId, stream_ids: [...wanted] },
    });
  });
}
