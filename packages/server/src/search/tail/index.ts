export {
  createLiveTail,
  type LiveTail,
  type LiveTailDeps,
  type LiveTailSettings,
  type TailRequest,
} from './live-tail.ts';
export type { TailPeers } from './peer-tails.ts';
export type { TailDelivery, WantedTails } from './protocol.ts';
export { createTailTap, type TailTap, type TailTapDeps } from './tap.ts';
export { workerUtilization } from './time-allowance.ts';
