import type { IndexSetView } from '@millrace/contract';

/** All index sets are known here: there are dozens of them at most. */
export function matches({ title, index_prefix: prefix }: IndexSetView, find: string): boolean {
  const text = find.trim().toLowerCase();
  return title.toLowerCase().includes(text) || prefix.includes(text);
}
