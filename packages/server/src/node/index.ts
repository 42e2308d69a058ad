/** A whole node, for the process around it. */
export { startedMessage } from './announcement.ts';
export { backUp } from './backup.ts';
export type { Drain, Drained, DrainProgress } from './drain.ts';
export { createDrain } from './drain.ts';
export { createDrainProgress, drainedMessage } from './drain-messages.ts';
export { migrate } from './migrate.ts';
export type { Node, NodeDeps } from './node.ts';
export { createNode } from './node.ts';
export { restore } from './restore.ts';
