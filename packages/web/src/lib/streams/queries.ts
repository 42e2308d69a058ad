import type { StreamChoicePermission } from '@millrace/contract';
import type { PermissionSet } from '@millrace/contract/permission-set';
import { keepPreviousData, queryOptions, type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useCallback } from 'react';
import { usePermissions } from '../account/index.ts';
import { call, createBatches } from '../api/index.ts';

const FRESH_MS = 30_000;
/** Streams of one request. */
const MAX_TITLES = 100;
const DELETED = 'deleted stream';
const titleIn = createBatches<string>(MAX_TITLES);

interface Titled {
  readonly id: string;
  /** Null if the stream is gone or may not be read. */
  readonly title: string | null;
}

/** The title of a stream. All that a page shows are asked for at once. */
export function streamTitleQuery(id: string) {
  return queryOptions({
    queryKey: ['streams', 'title', id],
    queryFn: async ({ signal }): Promise<Titled> => ({
      id,
      title: (await titleIn('titles', id, signal, titlesOf)) ?? null,
    }),
    staleTime: FRESH_MS,
  });
}

async function titlesOf(ids: readonly string[], signal: AbortSignal) {
  const { elements } = await call('GET /streams/paginated', {
    query: { ids: [...ids], per_page: MAX_TITLES },
    signal,
  });
  return elements.map(({ id, title }) => [id, title] as const);
}

export interface StreamTitles {
  /** By id. Those that may not be read are not there. */
  readonly titles: Readonly<Record<string, string>>;
  readonly isPending: boolean;
}

/** Titles of these streams. */
export function useStreamTitles(ids: readonly string[]): StreamTitles {
  const permissions = usePermissions();
  const combine = useCallback(
    (results: readonly UseQueryResult<Titled>[]) => titlesById(results, permissions),
    [permissions],
  );
  return useQueries({ queries: [...new Set(ids)].map(streamTitleQuery), combine });
}

/** What somebody may read and has no title is gone: past alerts and stored messages still name it. */
export function titlesById(
  results: readonly Pick<UseQueryResult<Titled>, 'data' | 'isPending'>[],
  permissions: Pick<PermissionSet, 'implies'>,
): StreamTitles {
  const known = results.flatMap(({ data }) => {
    if (data === undefined) return [];
    const { id, title } = data;
    if (title !== null) return [[id, title]];
    return permissions.implies('streams:read', id) ? [[id, DELETED]] : [];
  });
  return { titles: Object.fromEntries(known), isPending: results.some(({ isPending }) => isPending) };
}

export interface StreamsToFind {
  /** What their titles, descriptions or rules contain. */
  readonly find?: string;
  readonly count: number;
  /** What the user must be allowed to do with them. */
  readonly permission?: StreamChoicePermission | undefined;
  readonly indexSetId?: string | undefined;
  readonly ids?: readonly string[];
}

/** The first of them by title. The server looks for them, so that a thousand need not be here. */
export async function findStreams(
  { find = '', count, permission, indexSetId, ids }: StreamsToFind,
  signal: AbortSignal,
) {
  // Without ids the server would find all.
  if (ids?.length === 0) return { total: 0, streams: [] };
  const { total, elements } = await call('GET /streams/paginated', {
    query: {
      query: find,
      per_page: count,
      permission,
      index_set_id: indexSetId,
      ...(ids !== undefined && { ids: [...ids] }),
      sort: 'title',
    },
    signal,
  });
  return { total, streams: elements.map(({ id, title }) => ({ id, title })) };
}

export function foundStreamsQuery(wanted: StreamsToFind) {
  return queryOptions({
    queryKey: ['streams', 'found', wanted],
    queryFn: ({ signal }) => findStreams(wanted, signal),
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });
}
