/** For the workers; the main thread imports `service.ts`. */
export { compilePredicate } from './query/index.ts';
export type { TailDelivery, TailTap, WantedTails } from './tail/index.ts';
export { createTailTap, workerUtilization } from './tail/index.ts';
