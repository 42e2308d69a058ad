import { createFaultCounter, type FaultCounter, type FaultCounterSettings } from '#core/index.ts';

/** What a worker reports when the rules of a stream exceeded their time limit. */
export interface StreamFault {
  readonly streamId: string;
  /** Faults of the stream on this node, including this one. */
  readonly count: number;
}

/** Counts the faults of streams over all workers of the node. `report` is called for every fault. */
export function createStreamFaultCounter(
  settings: FaultCounterSettings,
  report: (fault: StreamFault) => void,
): FaultCounter {
  return createFaultCounter(settings, (streamId, count) => report({ streamId, count }));
}
