/**
 * How often each of some things (streams, plugins) had a fault, counted in memory that all threads of the node share. So
 * every thread leaves out a thing with too many faults at once, even in the middle of a batch, before the main thread
 * has said so.
 */
export interface FaultLedger {
  /** Goes to the workers. */
  readonly memory: SharedArrayBuffer;
  /** Where the faults of a thing are counted; always the same for the same id. */
  slotOf(id: string): number;
  countOf(id: string): number;
  set(id: string, count: number): void;
}

/** One thread's side of the ledger. */
export interface FaultCounter {
  isExceeded(id: string): boolean;
  /** True: it is one fault too many. */
  record(id: string): boolean;
}

const INITIAL_SLOTS = 1024;
/** Slots are not reused, so this is how many things a node can see before it must be restarted. */
const MAX_SLOTS = 1_048_576;
const BYTES = Int32Array.BYTES_PER_ELEMENT;

export function createFaultLedger(): FaultLedger {
  const memory = new SharedArrayBuffer(INITIAL_SLOTS * BYTES, { maxByteLength: MAX_SLOTS * BYTES });
  const counts = new Int32Array(memory);
  const slots = new Map<string, number>();

  function slotOf(id: string): number {
    const known = slots.get(id);
    if (known !== undefined) return known;
    const slot = slots.size % MAX_SLOTS;
    if (slot >= counts.length) memory.grow(Math.min(counts.length * 2, MAX_SLOTS) * BYTES);
    slots.set(id, slot);
    return slot;
  }

  return {
    memory,
    slotOf,
    countOf: (id) => Atomics.load(counts, slotOf(id)),
    set: (id, count) => void Atomics.store(counts, slotOf(id), count),
  };
}

export interface FaultCounterSettings {
  readonly memory: SharedArrayBuffer;
  readonly slots: ReadonlyMap<string, number>;
  /** More faults than this are too many. */
  readonly maxFaults: number;
}

/** `report` is called for every fault, with how many there are now. */
export function createFaultCounter(
  settings: FaultCounterSettings,
  report: (id: string, count: number) => void,
): FaultCounter {
  const counts = new Int32Array(settings.memory);
  return {
    isExceeded(id) {
      const slot = settings.slots.get(id);
      return slot !== undefined && Atomics.load(counts, slot) > settings.maxFaults;
    },
    record(id) {
      const slot = settings.slots.get(id);
      const count = slot === undefined ? 1 : Atomics.add(counts, slot, 1) + 1;
      report(id, count);
      return count > settings.maxFaults;
    },
  };
}
