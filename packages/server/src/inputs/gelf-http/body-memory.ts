import os from 'node:os';

const MIB = 1024 * 1024;
/** One eighth of the memory, divided by the cores: there are fewer workers than cores. */
const PART_OF_MEMORY = 8;
const MAX_BYTES = 1024 * MIB;

/**
 * How much memory the bodies of requests to one input may take in each worker: in proportion to the memory of the
 * machine, and enough for one body of full size beside another one.
 */
export function bodyMemoryBytes(machineBytes: number, maxBodyBytes: number): number {
  const part = machineBytes / PART_OF_MEMORY / os.availableParallelism();
  return Math.floor(Math.max(2 * maxBodyBytes, 64 * MIB, Math.min(part, MAX_BYTES)));
}
