import { type Run, timeRangeOf } from './run.ts';
import type { ListColumn } from './search-params.ts';

/** A plain link: the browser stores the file while it comes, however large it is. */
export function exportUrl(run: Run, columns: readonly ListColumn[]): string {
  const { from, to } = timeRangeOf(run);
  const parameters = new URLSearchParams({
    query: run.query,
    from,
    to,
    fields: columns.map(({ field }) => field).join(','),
    sort: run.sort,
    timezone: run.zone,
    escape_formulas: 'true',
  });
  if (run.streams.length > 0) parameters.set('filter', `streams:${run.streams.join(',')}`);
  return `/api/search/universal/absolute/export?${parameters}`;
}
