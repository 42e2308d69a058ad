import type { KnownIndex } from './directory.ts';

/** The indices of a set that its retention deletes or closes, oldest first. Reopened ones are left alone. */
export function outlived(indices: readonly KnownIndex[], keep: number): readonly KnownIndex[] {
  const open = indices.filter(({ index }) => index.state === 'open');
  return open.slice(0, Math.max(0, open.length - keep)).filter(({ isActive }) => !isActive);
}
