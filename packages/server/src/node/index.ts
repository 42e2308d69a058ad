/** A whole node, for the process around it. */
export { startedMessage } from './announcement.ts';
export type { Node, NodeDeps } from './node.ts';
export { createNode } from './node.ts';
