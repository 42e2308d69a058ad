import type { FrameSource, RecordBatch } from '#core/index.ts';
import { FIXTURE_SOURCE } from './message-fixture.ts';

export interface FixtureRecord {
  /** Bytes, text, or anything else as JSON. */
  readonly frame: unknown;
  readonly source?: FrameSource;
  readonly receivedAt?: number;
}

/** Records as the journal hands them out. */
export function recordBatch(records: readonly FixtureRecord[], firstOffset = 0): RecordBatch {
  const frames = records.map(({ frame }) =>
    Buffer.isBuffer(frame) ? frame : Buffer.from(typeof frame === 'string' ? frame : JSON.stringify(frame)),
  );
  const frameStarts = new Uint32Array(frames.length);
  const frameEnds = new Uint32Array(frames.length);
  let position = 0;
  for (const [index, frame] of frames.entries()) {
    frameStarts[index] = position;
    position += frame.length;
    frameEnds[index] = position;
  }
  return {
    firstOffset,
    endOffset: firstOffset + frames.length,
    count: frames.length,
    bytes: Buffer.concat(frames),
    frameStarts,
    frameEnds,
    receivedAt: Float64Array.from(records, ({ receivedAt }) => receivedAt ?? Date.UTC(2026, 0, 1)),
    sources: records.map(({ source }) => source ?? FIXTURE_SOURCE),
    release() {},
  };
}
