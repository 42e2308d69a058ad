import type { IndexSetView } from '@millrace/contract';
import { type Param, pageParams, textParam } from '../../lib/url/index.ts';

export interface ListValues {
  readonly find: string;
  readonly page: number;
}

const pageNumber: Param<number> = {
  fallback: 1,
  parse: (text) => (/^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined),
  print: String,
};

/** What the list shows, in its URL. */
export const listParams = pageParams<ListValues>({ find: textParam(), page: pageNumber });

/** All index sets are known here: there are dozens of them at most. */
export function matches({ title, index_prefix: prefix }: IndexSetView, find: string): boolean {
  const text = find.trim().toLowerCase();
  return title.toLowerCase().includes(text) || prefix.includes(text);
}
