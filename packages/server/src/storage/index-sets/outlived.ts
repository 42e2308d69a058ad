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
    return endedFor(indices, kept.forMs, now).filter(({ index }) => index.state === 'open');
  }
  const open = indices.filter(({ index }) => index.state === 'open');
  return open.slice(0, Math.max(0, open.length - kept.indices)).filter(({ isActive }) => !isActive);
}

/**
 * The indices that ended this long ago or longer: when the next one began, unless that was while the clock was ahead, or
 * behind, which is before the index itself began.
 */
export function endedFor(indices: readonly KnownIndex[], ms: number, now: number): readonly KnownIndex[] {
  return indices.filter(({ isActive, index: { createdAt } }, position) => {
    const earliest = createdAt <= now ? createdAt : 0;
    const next = indices
      .slice(position + 1)
      .find(({ index }) => index.createdAt >= earliest && index.createdAt <= now);
    return !isActive && next !== undefined && next.index.createdAt <= now - ms;
  });
}
