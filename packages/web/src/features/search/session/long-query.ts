import type { SearchParams } from '../../../lib/url/index.ts';
import { encodeValue, parseSearch } from '../../../lib/url/index.ts';

/** Servers and proxies limit the length of an address; what stands behind `#` they never see. */
export const MAX_QUERY_IN_SEARCH = 4000;

export interface SearchAddress {
  readonly search: SearchParams;
  /** Without the `#`; empty for a query that fits into the search part. */
  readonly hash: string;
}

/** Where the values of the page stand in its address. */
export function addressOf(params: SearchParams): SearchAddress {
  const { q, ...rest } = params;
  if (q === undefined || q.length <= MAX_QUERY_IN_SEARCH) return { search: params, hash: '' };
  return { search: rest, hash: `q=${encodeValue(q)}` };
}

/** The opposite of `addressOf`. */
export function paramsOf({ search, hash }: SearchAddress): SearchParams {
  const { q } = parseSearch(hash.replace(/^#/, ''));
  return q === undefined ? search : { ...search, q };
}
