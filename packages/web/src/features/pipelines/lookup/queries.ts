import type {
  LookupPartRequest,
  LookupPartView,
  LookupTableRequest,
  LookupTableView,
} from '@millrace/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/index.ts';
import { type ListValues, pagingOf } from '../list-params.ts';
import type { Kind, PartKind } from './kinds.ts';

const LOOKUP = ['lookup'];
/** The rest is found by typing. */
const MOST_CHOICES = 100;
const STATES_MS = 10_000;

export function tablePageQuery(values: ListValues) {
  return queryOptions({
    queryKey: [...LOOKUP, 'tables', 'page', values],
    queryFn: ({ signal }) =>
      call('GET /system/lookup/tables', { query: { ...pagingOf(values), resolve: true }, signal }),
    placeholderData: keepPreviousData,
  });
}

export function tableQuery(idOrName: string) {
  return queryOptions({
    queryKey: [...LOOKUP, 'tables', 'one', idOrName],
    queryFn: ({ signal }) => call('GET /system/lookup/tables/{idOrName}', { path: { idOrName }, signal }),
  });
}

/** A page of data adapters or of caches, in one form. */
export function partPageQuery(kind: PartKind, query: ReturnType<typeof pagingOf>) {
  return queryOptions({
    queryKey: [...LOOKUP, kind, 'page', query],
    queryFn: async ({ signal }): Promise<{ total: number; parts: LookupPartView[] }> => {
      if (kind === 'adapters') {
        const { total, data_adapters } = await call('GET /system/lookup/adapters', { query, signal });
        return { total, parts: data_adapters };
      }
      const { total, caches } = await call('GET /system/lookup/caches', { query, signal });
      return { total, parts: caches };
    },
    placeholderData: keepPreviousData,
  });
}

/** To choose from: those that have these words. */
export function partChoicesQuery(kind: PartKind, find: string) {
  return partPageQuery(kind, { query: find, sort: 'title', order: 'asc', page: 1, per_page: MOST_CHOICES });
}

export function partQuery(kind: PartKind, idOrName: string) {
  return queryOptions({
    queryKey: [...LOOKUP, kind, 'one', idOrName],
    queryFn: ({ signal }) =>
      kind === 'adapters'
        ? call('GET /system/lookup/adapters/{idOrName}', { path: { idOrName }, signal })
        : call('GET /system/lookup/caches/{idOrName}', { path: { idOrName }, signal }),
  });
}

export function typesQuery(kind: PartKind) {
  return queryOptions({
    queryKey: [...LOOKUP, kind, 'types'],
    queryFn: ({ signal }) =>
      kind === 'adapters'
        ? call('GET /system/lookup/types/adapters', { signal })
        : call('GET /system/lookup/types/caches', { signal }),
    staleTime: 60_000,
  });
}

/** What is wrong with those of these names, on the node that answers. */
export function errorStatesQuery(kind: Kind, names: readonly string[]) {
  return queryOptions({
    queryKey: [...LOOKUP, 'states', kind, ...names],
    queryFn: ({ signal }) => {
      const asked = [...names];
      const body =
        kind === 'tables'
          ? { tables: asked }
          : kind === 'adapters'
            ? { data_adapters: asked }
            : { caches: asked };
      return call('POST /system/lookup/errorstates', { body, signal, isBackground: true });
    },
    select: (states) => states[kind === 'adapters' ? 'data_adapters' : kind],
    enabled: names.length > 0,
    refetchInterval: STATES_MS,
    meta: { isBackground: true },
    placeholderData: keepPreviousData,
  });
}

function useLookupMutation<Given, Answer>(mutationFn: (given: Given) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => client.invalidateQueries({ queryKey: LOOKUP }) });
}

export function useSavePart(kind: PartKind, idOrName: string | undefined) {
  return useLookupMutation((body: LookupPartRequest): Promise<LookupPartView> => {
    const path = { idOrName: idOrName ?? '' };
    if (kind === 'adapters') {
      return idOrName === undefined
        ? call('POST /system/lookup/adapters', { body })
        : call('PUT /system/lookup/adapters/{idOrName}', { path, body });
    }
    return idOrName === undefined
      ? call('POST /system/lookup/caches', { body })
      : call('PUT /system/lookup/caches/{idOrName}', { path, body });
  });
}

export function useSaveTable(idOrName: string | undefined) {
  return useLookupMutation(
    (body: LookupTableRequest): Promise<LookupTableView> =>
      idOrName === undefined
        ? call('POST /system/lookup/tables', { body })
        : call('PUT /system/lookup/tables/{idOrName}', { path: { idOrName }, body }),
  );
}

export function useDelete(kind: Kind) {
  return useLookupMutation((idOrName: string): Promise<unknown> => {
    const path = { idOrName };
    if (kind === 'tables') return call('DELETE /system/lookup/tables/{idOrName}', { path });
    if (kind === 'adapters') return call('DELETE /system/lookup/adapters/{idOrName}', { path });
    return call('DELETE /system/lookup/caches/{idOrName}', { path });
  });
}

/** Looks up a key as rules would, or in an adapter alone. */
export function useLookUp(kind: 'tables' | 'adapters', idOrName: string) {
  return useMutation({
    mutationFn: (key: string) =>
      kind === 'tables'
        ? call('GET /system/lookup/tables/{idOrName}/query', { path: { idOrName }, query: { key } })
        : call('GET /system/lookup/adapters/{idOrName}/query', { path: { idOrName }, query: { key } }),
  });
}

/** Loads the data of a table again. */
export function usePurge(idOrName: string) {
  return useLookupMutation((_: undefined) =>
    call('POST /system/lookup/tables/{idOrName}/purge', { path: { idOrName } }),
  );
}
