import type { FrameBatch, JournalWriter } from '#core/index.ts';

/** A batch that can be split without copying. */
export interface FrameSlices extends FrameBatch {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/**
 * Appends as many of the frames as the journal has room for, from the first on, and returns how many. The journal
 * takes a batch whole or not at all. When it is nearly full, a batch that does not fit is tried in halves, so that
 * a large batch does not wait forever.
 */
export function appendWhatFits(journal: JournalWriter, frames: FrameSlices): number {
  if (journal.append(frames)) return frames.count;
  let taken = 0;
  for (let step = frames.count >> 1; step > 0 && journal.refusal === 'full'; step >>= 1) {
    if (journal.append(framesOf(frames, taken, taken + step))) taken += step;
  }
  return taken;
}

export function framesOf(frames: FrameSlices, from: number, to: number): FrameSlices {
  const { source, receivedAt, bytes, starts, ends } = frames;
  return {
    source,
    receivedAt,
    bytes,
    starts: starts.subarray(from, to),
    ends: ends.subarray(from, to),
    count: to - from,
  };
}

export function bytesOf({ starts, ends, count }: FrameBatch): number {
  let bytes = 0;
  for (let i = 0; i < count; i++) bytes += (ends[i] as number) - (starts[i] as number);
  return bytes;
}
