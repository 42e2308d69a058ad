import type { KnownIndex } from './directory.ts';
import type { Retention, Rotation } from './strategy.ts';

/** What a retention leaves: a number of indices with the active one, or those that ended within a time. */
export type Kept = { readonly indices: number } | { readonly forMs: number };

/** Undefined: everything stays. */
export function keptBy(rotation: Rotation | undefined, retention: Retention | undefined): Kept | undefined {
  if (retention?.action === undefined) return undefined;
  return rotation?.keepsForMs === undefined ? { indices: retention.keep } : { forMs: rotation.keepsForMs };
}

/** The indices of a set that its retention deletes or closes, oldest first. Reopened ones are left alone. */
export function outlived(indices: readonly KnownIndex[], kept: Kept, now: number): readonly KnownIndex[] {
  if ('forMs' in kept) {
    return endedBefore(indices, now - kept.forMs).filter(({ index }) => index.state === 'open');
  }
  const open = indices.filter(({ index }) => index.state === 'open');
  return open.slice(0, Math.max(0, open.length - kept.indices)).filter(({ isActive }) => !isActive);
}

/** The indices that ended at this time or earlier: when the next one began. */
export function endedBefore(indices: readonly KnownIndex[], time: number): readonly KnownIndex[] {
  return indices.filter(({ isActive }, position) => {
    const endedAt = indices[position + 1]?.index.createdAt;
    return !isActive && endedAt !== undefined && endedAt <= time;
  });
}
