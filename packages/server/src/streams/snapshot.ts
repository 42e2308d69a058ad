import type { DefaultStream } from './matcher/combinations.ts';
import type { StreamDefinition } from './rules/rule.ts';

/**
 * Everything processing needs to know, as plain data: the main thread builds it whenever something changes
 * and posts it to every worker, which compiles it. A higher version replaces a lower one.
 */
export interface ProcessingSnapshot {
  readonly version: number;
  readonly nodeId: string;
  /** The streams that route: running ones with the slot of their faults in `faults`. */
  readonly streams: readonly RunningStream[];
  /** Ids of all streams there are, also of those that do not route. */
  readonly streamIds: readonly string[];
  readonly defaultStream: DefaultStream;
  /** Where failures go. */
  readonly failureStream: DefaultStream;
  readonly inputs: readonly SnapshotInput[];
  readonly streamTimeoutMs: number;
  readonly maxFaults: number;
  /** The memory of the fault ledger, shared by all workers. */
  readonly faults: SharedArrayBuffer;
}

export interface RunningStream extends StreamDefinition {
  readonly faultSlot: number;
}

export interface SnapshotInput {
  readonly id: string;
  readonly staticFields: Readonly<Record<string, string>>;
  readonly overrideSource: string | undefined;
}
