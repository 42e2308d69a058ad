import type { AlertNotice } from './notice.ts';

/** The addresses of pages in the web interface. `base` ends with a slash. */

/** The messages that were looked at: the same query, streams and time. */
export function searchLink(base: string, notice: AlertNotice): string | undefined {
  if (notice.window === null) return undefined;
  const url = new URL('search', base);
  if (notice.query !== '' && notice.query !== '*') url.searchParams.set('q', queryWithKeys(notice));
  else if (Object.keys(notice.groupBy).length > 0) url.searchParams.set('q', queryWithKeys(notice));
  const { from, to } = notice.window;
  url.searchParams.set('t', `${new Date(from).toISOString()}/${new Date(to).toISOString()}`);
  if (notice.streams.length > 0) url.searchParams.set('s', notice.streams.map(({ id }) => id).join(','));
  return url.href;
}

export function streamLink(base: string, streamId: string): string {
  const url = new URL('search', base);
  url.searchParams.set('s', streamId);
  return url.href;
}

function queryWithKeys({ query, groupBy }: AlertNotice): string {
  const keys = Object.entries(groupBy).map(([field, value]) => `${field}:${JSON.stringify(value)}`);
  const whole = query === '' || query === '*' ? [] : [keys.length > 0 ? `(${query})` : query];
  return [...whole, ...keys].join(' AND ');
}
