import { BoundedMap, type FrameSource } from '#core/index.ts';
import type { RecordChunk } from './chunk.ts';
import { decodeSource, inspectRecord, KIND_VOID, RECORD_HEADER_BYTES, type RecordState } from './format.ts';

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
    for (let offset = chunk.firstOffset; offset < endOffset; offset += 1) {
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
      if (view.getUint8(at + 16) === KIND_VOID) chunk.voids.push(chunk.count);
      const end = at + view.getUint32(at, true);
      chunk.push(frameStart, end, view.getFloat64(at + 8, true), source);
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
