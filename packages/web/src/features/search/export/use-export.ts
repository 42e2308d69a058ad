import type { ExportJob } from '@millrace/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api/index.ts';
import type { Run } from '../run.ts';
import { type ExportChoices, exportFileName, exportRequest } from './export-request.ts';

const ASK_EVERY_MS = 500;
const ENDED = new Set(['done', 'failed', 'cancelled']);

/** One export: created, downloaded by the browser, watched until it is done. */
export function useExport(run: Run) {
  const client = useQueryClient();
  const [id, setId] = useState<string>();
  const key = ['export', id];
  const cancel = useMutation({
    mutationFn: (jobId: string) => call('DELETE /views/export/{jobId}', { path: { jobId } }),
    // A question that is on its way would be answered with 404.
    onMutate: () => client.cancelQueries({ queryKey: key }),
    onSuccess: (cancelled) => client.setQueryData(key, cancelled),
  });
  const isCancelled = cancel.variables === id && !cancel.isError;
  const { data: job, error } = useQuery<ExportJob>({
    queryKey: key,
    enabled: id !== undefined && !isCancelled,
    meta: { isBackground: true },
    refetchInterval: ({ state }) =>
      ENDED.has(state.data?.state ?? '') || state.error ? false : ASK_EVERY_MS,
    queryFn: ({ signal }) => call('GET /views/export/{jobId}', { path: { jobId: id ?? '' }, signal }),
  });
  const start = useMutation({
    mutationFn: async (choices: ExportChoices) => {
      const created = await call('POST /views/export', {
        query: { escape_formulas: choices.format === 'csv' },
        body: exportRequest(run, choices),
      });
      const name = exportFileName(run, choices.format);
      download(`/api/views/search/messages/job/${created.id}/${encodeURIComponent(name)}`, name);
      setId(created.id);
      return created;
    },
  });
  return {
    job,
    isStarting: start.isPending,
    error: start.error ?? cancel.error ?? error,
    start: start.mutate,
    cancel: () => id !== undefined && cancel.mutate(id),
    /** For another one. */
    reset: () => setId(undefined),
  };
}

/** By a plain link: the browser stores the file while it comes, however large it is. */
function download(href: string, name: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
}
