import type { AuditQuery, SystemJob, SystemJobList } from '@millrace/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api/index.ts';

export const AUDIT_PER_PAGE = 50;
export const EVENTS_PER_PAGE = 30;
const JOBS_POLL_MS = 2000;
const EVENTS_POLL_MS = 10_000;

export function eventsQuery(page: number) {
  return queryOptions({
    queryKey: ['system', 'messages', page],
    queryFn: ({ signal }) => call('GET /system/messages', { query: { page }, signal, isBackground: true }),
    placeholderData: keepPreviousData,
    refetchInterval: EVENTS_POLL_MS,
    meta: { isBackground: true },
  });
}

export function auditQuery(query: Partial<AuditQuery>) {
  return queryOptions({
    queryKey: ['system', 'audit', query],
    queryFn: ({ signal }) =>
      // With a time that counts from now it is asked again every minute.
      call('GET /system/audit', {
        query: { per_page: AUDIT_PER_PAGE, ...query },
        signal,
        isBackground: true,
      }),
    placeholderData: keepPreviousData,
  });
}

const JOBS = ['system', 'jobs'];

export interface Jobs {
  readonly jobs: readonly SystemJob[];
  /** How many nodes did not answer. */
  readonly silent: number;
}

export const jobsQuery = queryOptions({
  queryKey: JOBS,
  queryFn: ({ signal }) => call('GET /cluster/jobs', { signal, isBackground: true }),
  select: jobsOf,
  refetchInterval: JOBS_POLL_MS,
  meta: { isBackground: true },
});

/** Of all nodes together, the newest first. */
export function jobsOf(nodes: Readonly<Record<string, SystemJobList | null>>): Jobs {
  const answers = Object.values(nodes);
  return {
    jobs: answers
      .flatMap((answer) => answer?.jobs ?? [])
      .toSorted((a, b) => b.started_at.localeCompare(a.started_at) || a.id.localeCompare(b.id)),
    silent: answers.filter((answer) => answer === null).length,
  };
}

export function useCancelJob() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (jobId: string) => call('DELETE /cluster/jobs/{jobId}', { path: { jobId } }),
    onSettled: () => client.invalidateQueries({ queryKey: JOBS }),
  });
}

export const settingsQuery = queryOptions({
  queryKey: ['system', 'settings'],
  queryFn: ({ signal }) => call('GET /system/configuration', { signal }),
});

const PLUGINS = ['system', 'plugins'];

export const pluginsQuery = queryOptions({
  queryKey: PLUGINS,
  queryFn: ({ signal }) => call('GET /system/plugins', { signal }),
  select: ({ plugins }) => plugins,
});

export function useSwitchPlugin(name: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (isOn: boolean) =>
      isOn
        ? call('PUT /system/plugins/{name}/enable', { path: { name } })
        : call('PUT /system/plugins/{name}/disable', { path: { name } }),
    onSettled: () => client.invalidateQueries({ queryKey: PLUGINS }),
  });
}

/** A package that is part of what we ship, as the build of the web interface found it. */
export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** Null when the package has no file with it. */
  readonly text: string | null;
}

/** A file beside the pages, not part of the API. */
export const licencesQuery = queryOptions({
  queryKey: ['licences'],
  queryFn: async ({ signal }): Promise<readonly ShippedPackage[]> => {
    const response = await fetch('/licences.json', { signal });
    if (!response.ok) throw new Error(`The list of licences is not there (${response.status}).`);
    return await response.json();
  },
  staleTime: Number.POSITIVE_INFINITY,
});
