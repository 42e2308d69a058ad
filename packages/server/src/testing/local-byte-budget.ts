import type { ByteBudget } from '#journal/budget.ts';

/** The budget of a single partition, without memory that workers share. */
export function localByteBudget(limit: number): ByteBudget {
  let used = 0;
  return {
    limit,
    used: () => used,
    tryReserve(bytes) {
      if (used + bytes > limit) return false;
      used += bytes;
      return true;
    },
    release(bytes) {
      used -= bytes;
    },
    reset(bytes) {
      used = bytes;
    },
  };
}
