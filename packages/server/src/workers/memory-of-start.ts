import { releaseLoadedPages } from '#storage/index.ts';

/** The second time, what the first requests and messages needed. */
const RELEASED_AFTER_MS = [5000, 60_000];

/**
 * Gives back what only the start of the node needed of Node's program: some 30 MB. The memory is that of the whole process; a
 * worker does it because only workers use `node:ffi`, which the main thread would warn about.
 */
export function releaseMemoryOfStart(afterMs = RELEASED_AFTER_MS): void {
  for (const delay of afterMs) {
    setTimeout(() => {
      // Only Linux can do it, and nothing depends on it.
      releaseLoadedPages([process.execPath]).catch(() => {});
    }, delay).unref();
  }
}
