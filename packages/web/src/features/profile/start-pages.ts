import type { User } from '@millrace/contract';

export interface StartChoice {
  /** Path and search, as it stands in the preferences. */
  readonly value: string;
  readonly label: string;
}

interface Titled {
  readonly id: string;
  readonly title: string;
}

/** Everything that can be a start page. */
export function startChoices(
  pages: readonly { readonly to: string; readonly label: string }[],
  streams: readonly Titled[],
  saved: readonly Titled[],
): { readonly group: string; readonly items: readonly StartChoice[] }[] {
  return [
    { group: 'Pages', items: pages.map(({ to, label }) => ({ value: to, label })) },
    {
      group: 'Saved searches',
      items: saved.map(({ id, title }) => ({ value: `/search/saved/${id}`, label: title })),
    },
    { group: 'Streams', items: streams.map(({ id, title }) => ({ value: `/search?s=${id}`, label: title })) },
  ].filter(({ items }) => items.length > 0);
}

/** Where Graylog's `startpage` of a user leads; undefined for what does not exist here. */
export function pathOfStartpage(startpage: User['startpage']): string | undefined {
  if (startpage === null) return undefined;
  const id = encodeURIComponent(startpage.id);
  if (startpage.type === 'stream') return `/search?s=${id}`;
  return startpage.type === 'search' ? `/search/saved/${id}` : undefined;
}
