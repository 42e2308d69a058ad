import type { User } from '@millrace/contract';

const STREAM_START = '/search?s=';

export interface StartChoice {
  /** Path and search, as it stands in the preferences. */
  readonly value: string;
  readonly label: string;
}

interface Titled {
  readonly id: string;
  readonly title: string;
}

/** What can be a start page and contains the text. Streams are found by the server. */
export function startChoices(
  pages: readonly { readonly to: string; readonly label: string }[],
  streams: readonly Titled[],
  saved: readonly Titled[],
  find = '',
): { readonly group: string; readonly items: readonly StartChoice[] }[] {
  const isFound = ({ label }: StartChoice) => label.toLowerCase().includes(find.trim().toLowerCase());
  return [
    { group: 'Pages', items: pages.map(({ to, label }) => ({ value: to, label })).filter(isFound) },
    {
      group: 'Saved searches',
      items: saved.map(({ id, title }) => ({ value: `/search/saved/${id}`, label: title })).filter(isFound),
    },
    {
      group: 'Streams',
      items: streams.map(({ id, title }) => ({ value: `${STREAM_START}${id}`, label: title })),
    },
  ].filter(({ items }) => items.length > 0);
}

/** The stream that is searched at the start, if that is all. */
export function streamOfStart(path: string): string | undefined {
  const id = path.startsWith(STREAM_START) ? path.slice(STREAM_START.length) : '';
  return /^[0-9a-f]{24}$/.test(id) ? id : undefined;
}

/** Where Graylog's `startpage` of a user leads; undefined for what does not exist here. */
export function pathOfStartpage(startpage: User['startpage']): string | undefined {
  if (startpage === null) return undefined;
  const id = encodeURIComponent(startpage.id);
  if (startpage.type === 'stream') return `${STREAM_START}${id}`;
  return startpage.type === 'search' ? `/search/saved/${id}` : undefined;
}
