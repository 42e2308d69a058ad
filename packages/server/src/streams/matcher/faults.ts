import type { FaultCounter } from './router.ts';

/**
 * How often the rules of each stream exceeded their time limit, counted in memory that all workers of the node share.
 * So every worker ignores a stream with too many faults at once, even in the middle of a batch, before the snapshot
 * without that stream arrives.
 */
export interface FaultLedger {
  /** Goes to the workers with the snapshot. */
  readonly memory: SharedArrayBuffer;
  /** Where the faults of a stream are counted; always the same for the same stream. */
  slotOf(streamId: string): number;
  countOf(streamId: string): number;
  reset(streamId: string): void;
}

/** What a worker reports about a fault. */
export interface StreamFault {
  readonly streamId: string;
  /** Faults of the stream on this node, including this one. */
  readonly count: number;
}

const INITIAL_SLOTS = 1024;
/** Slots are not reused, so this is how many streams a node can see before it must be restarted. */
const MAX_SLOTS = 1_048_576;
const BYTES = Int32Array.BYTES_PER_ELEMENT;

export function createFaultLedger(): FaultLedger {
  const memory = new SharedArrayBuffer(INITIAL_SLOTS * BYTES, { maxByteLength: MAX_SLOTS * BYTES });
  const counts = new Int32Array(memory);
  const slots = new Map<string, number>();

  function slotOf(streamId: string): number {
    const known = slots.get(streamId);
    if (known !== undefined) return known;
    const slot = slots.size % MAX_SLOTS;
    if (slot >= counts.length) memory.grow(Math.min(counts.length * 2, MAX_SLOTS) * BYTES);
    slots.set(streamId, slot);
    return slot;
  }

  return {
    memory,
    slotOf,
    countOf: (streamId) => Atomics.load(counts, slotOf(streamId)),
    reset: (streamId) => void Atomics.store(counts, slotOf(streamId), 0),
  };
}

export interface FaultCounterSettings {
  readonly memory: SharedArrayBuffer;
  readonly slots: ReadonlyMap<string, number>;
  /** More faults than this are too many. */
  readonly maxFaults: number;
}

/** The worker's side of the ledger. `report` is called for every fault. */
export function createFaultCounter(
  settings: FaultCounterSettings,
  report: (fault: StreamFault) => void,
): FaultCounter {
  const counts = new Int32Array(settings.memory);
  return {
    isExceeded(streamId) {
      const slot = settings.slots.get(streamId);
      return slot !== undefined && Atomics.load(counts, slot) > settings.maxFaults;
    },
    record(streamId) {
      const slot = settings.slots.get(streamId);
      const count = slot === undefined ? 1 : Atomics.add(counts, slot, 1) + 1;
      report({ streamId, count });
      return count > settings.maxFaults;
    },
  };
}
