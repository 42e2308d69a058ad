/** What the workers use of this folder; the main thread uses `service.ts`. */
export { compilePredicate } from './query/index.ts';
export type { TailDelivery, TailTap, WantedTails } from './tail/index.ts';
export { createTailTap, workerUtilization } from './tail/index.ts';
