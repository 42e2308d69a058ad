import { BoundedMap, type FrameSource } from '#core/index.ts';
import type { RecordChunk } from './chunk.ts';
import {
  decodeSource,
  frameCount,
  inspectRecord,
  KIND_RUN,
  KIND_VOID,
  KIND_VOID_RUN,
  RECORD_HEADER_BYTES,
  type RecordState,
  tableOfRun,
} from './format.ts';

/** Distinct sources remembered between blocks. */
const MAX_KNOWN_SOURCES = 4096;

/**
 * Turns the bytes [0, filled) of a chunk into its columns: whole, intact records with offsets below
 * `endOffset`, from the chunk's first offset on. `chunk.length` is then the end of the last good record.
 *
 * Returns what follows it: `good` when `endOffset` was reached, `incomplete` when the bytes ran out
 * (at the end of a record or inside one), else what is wrong there.
 */
export class RecordDecoder {
  readonly #known = new BoundedMap<string, FrameSource>({ maxEntries: MAX_KNOWN_SOURCES });

  decode(chunk: RecordChunk, filled: number, endOffset: number): RecordState {
    const { view, buffer } = chunk;
    let at = 0;
    let source: FrameSource | undefined;
    let sourceStart = 0;
    let sourceEnd = 0;
    for (let offset = chunk.firstOffset; offset < endOffset; ) {
      const state = inspectRecord(view, at, filled, offset);
      if (state !== 'good') return state;
      const start = at + RECORD_HEADER_BYTES;
      const frameStart = start + view.getUint16(at + 18, true);
      const codecId = view.getUint8(at + 17);
      // Frames of one sender come in runs: comparing with the record before saves the look-up.
      if (source?.codecId !== codecId || !sameBytes(buffer, sourceStart, sourceEnd, start, frameStart)) {
        source = this.#sourceAt(buffer, start, frameStart, codecId);
        if (source === undefined) return 'malformed';
        sourceStart = start;
        sourceEnd = frameStart;
      }
      const end = at + view.getUint32(at, true);
      const receivedAt = view.getFloat64(at + 8, true);
      const kind = view.getUint8(at + 16);
      const before = chunk.count;
      if (kind < KIND_RUN) chunk.push(frameStart, end, receivedAt, source);
      else {
        const frames = frameCount(view, at);
        chunk.pushRun(tableOfRun(view, at), frames, Math.min(frames, endOffset - offset), receivedAt, source);
      }
      if (kind === KIND_VOID || kind === KIND_VOID_RUN) {
        for (let index = before; index < chunk.count; index += 1) chunk.voids.push(index);
      }
      offset += chunk.count - before;
      chunk.length = end;
      at = end;
    }
    return 'good';
  }

  #sourceAt(buffer: Buffer, start: number, end: number, codecId: number): FrameSource | undefined {
    const key = String.fromCharCode(codecId) + buffer.toString('latin1', start, end);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const source = decodeSource(buffer, start, end, codecId);
    if (source === undefined) return undefined;
    this.#known.set(key, source);
    return source;
  }
}

function sameBytes(buffer: Buffer, aStart: number, aEnd: number, bStart: number, bEnd: number): boolean {
  if (aEnd - aStart !== bEnd - bStart) return false;
  for (let a = aStart, b = bStart; a < aEnd; a += 1, b += 1) {
    if (buffer[a] !== buffer[b]) return false;
  }
  return true;
}
