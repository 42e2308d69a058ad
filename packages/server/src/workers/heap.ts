/**
 * How large V8 makes the heaps of workers, where there is memory for that. By itself it shrinks the young generation
 * of a thread that has little to do to a megabyte and lets it grow again under load by many small
 * collections whose survivors then fill the old generation; and it looks through all of that as often as a few dozen
 * megabytes of messages and buffers were added.
 */
import v8 from 'node:v8';

const MIB = 2 ** 20;
/** All heaps of workers together: this part of the machine's memory before V8 decides by itself again. */
const MEMORY_PART = 32;
const YOUNG_MEGABYTES = 8;
const MOST_OLD_MEGABYTES = 256;
/** With less there is nothing to gain. */
const LEAST_OLD_MEGABYTES = 64;

/** Flags of V8 for threads that start from now on; none where memory is scarce. */
export function heapFlags(machineBytes: number, workers: number): readonly string[] {
  const share = Math.floor(machineBytes / MIB / MEMORY_PART / workers);
  if (share < LEAST_OLD_MEGABYTES) return [];
  return [
    `--max-semi-space-size=${YOUNG_MEGABYTES}`,
    `--min-semi-space-size=${YOUNG_MEGABYTES}`,
    `--initial-old-space-size=${Math.min(MOST_OLD_MEGABYTES, share)}`,
  ];
}

/** A thread reads them when it starts. There is no way to give them to some threads only; others are few and short-lived. */
export function useHeapFlags(flags: readonly string[]): void {
  for (const flag of flags) v8.setFlagsFromString(flag);
}
