import type { ChunkPool, RecordChunk } from './chunk.ts';
import { RecordDecoder } from './decode.ts';
import type { JournalFile, JournalFileSystem } from './file-system.ts';
import { type RecordState, SEGMENT_HEADER_BYTES } from './format.ts';
import type { ConsumerProgress } from './progress.ts';
import type { Segment, SegmentLog } from './segments.ts';

export interface DiskCursorDeps {
  readonly files: JournalFileSystem;
  readonly log: SegmentLog;
  readonly pool: ChunkPool;
  readonly progress: ConsumerProgress;
  /** `count` records not known to be lost before, from `offset` on, cannot be read. */
  readonly lost: (count: number, offset: number, segment: Segment, reason: string) => void;
}

interface Place {
  readonly segment: Segment;
  readonly file: JournalFile;
  position: number;
  offset: number;
}

/** Reads records from segment files, block by block, in order. Skips what is damaged and reports it. */
export class DiskCursor {
  readonly #deps: DiskCursorDeps;
  readonly #blockBytes: number;
  readonly #decoder = new RecordDecoder();
  #place: Place | undefined;
  #busy: Promise<void> = Promise.resolve();

  constructor(deps: DiskCursorDeps, blockBytes: number) {
    this.#deps = deps;
    this.#blockBytes = blockBytes;
  }

  /**
   * A chunk that holds the first readable record from `offset` on, or undefined when nothing durable is
   * left. The caller holds the chunk. Rejects when the disk fails; the same call may be made again.
   */
  load(offset: number): Promise<RecordChunk | undefined> {
    const work = this.#load(offset);
    this.#busy = work.then(
      () => undefined,
      () => undefined,
    );
    return work;
  }

  /** Waits for a running `load`, so that no file stays open. */
  async close(): Promise<void> {
    await this.#busy;
    await this.#closeFile();
  }

  async #load(offset: number): Promise<RecordChunk | undefined> {
    const { log, progress, pool } = this.#deps;
    let from = offset;
    for (;;) {
      from = progress.readableFrom(from);
      const segment = log.segmentAt(from);
      if (segment === undefined) return undefined;
      if (from < segment.firstOffset) {
        this.#lose(from, segment.firstOffset, segment, 'no segment file holds them');
        from = segment.firstOffset;
      }
      const place = await this.#seek(segment, from);
      const chunk = await this.#readBlock(place);
      if (chunk === undefined) {
        from = Math.max(from, place.offset);
        continue;
      }
      if (chunk.endOffset > from) return chunk;
      pool.release(chunk);
    }
  }

  async #closeFile(): Promise<void> {
    const place = this.#place;
    this.#place = undefined;
    await place?.file.close().catch(() => undefined);
  }

  /** At the record `offset` or at one before it. */
  async #seek(segment: Segment, offset: number): Promise<Place> {
    const current = this.#place;
    if (current?.segment === segment && current.offset <= offset) {
      // In the same file, only a jump forward by the index saves reading.
      const entry = indexEntry(segment, offset);
      if (entry !== undefined && entry.offset > current.offset) Object.assign(current, entry);
      return current;
    }
    await this.#closeFile();
    const file = await this.#deps.files.open(segment.file, 'read');
    const entry = indexEntry(segment, offset);
    const start = entry ?? { offset: segment.firstOffset, position: SEGMENT_HEADER_BYTES };
    this.#place = { segment, file, ...start };
    return this.#place;
  }

  /** The next records at the place; undefined when there are none, and the place is past the damage. */
  async #readBlock(place: Place): Promise<RecordChunk | undefined> {
    const { segment, file } = place;
    // Both taken now: the active segment grows while we read.
    const end = { offset: segment.endOffset, position: segment.bytes };
    const available = end.position - place.position;
    for (let blockBytes = this.#blockBytes; ; blockBytes *= 2) {
      const wanted = Math.min(blockBytes, available);
      if (wanted <= 0) return this.#skipDamage(place, end, 'the file ends too early');
      const chunk = this.#deps.pool.take(place.offset, wanted);
      const { filled, state } = await this.#fill(chunk, file, wanted, place.position, end.offset);
      if (chunk.count > 0) {
        place.position += chunk.length;
        place.offset += chunk.count;
        return chunk;
      }
      this.#deps.pool.release(chunk);
      if (state !== 'incomplete') return this.#skipDamage(place, end, state);
      if (filled < wanted || wanted === available) {
        return this.#skipDamage(place, end, 'the file ends too early');
      }
    }
  }

  async #fill(
    chunk: RecordChunk,
    file: JournalFile,
    wanted: number,
    position: number,
    endOffset: number,
  ): Promise<{ filled: number; state: RecordState }> {
    try {
      const filled = await file.read(chunk.buffer, wanted, position);
      const state = this.#decoder.decode(chunk, filled, endOffset);
      chunk.complete = true;
      chunk.durableBytes = chunk.length;
      return { filled, state };
    } catch (error) {
      this.#deps.pool.release(chunk);
      throw error;
    }
  }

  /** Moves to the next place in the segment where a record is known to start, or to its end. */
  #skipDamage(place: Place, end: Mark, reason: string): undefined {
    const { segment } = place;
    const { offsets, positions } = segment.index;
    const next = positions.findIndex((position) => position > place.position);
    const resume =
      next === -1 ? end : { offset: offsets[next] as number, position: positions[next] as number };
    segment.damaged = true;
    if (this.#deps.log.isActive(segment)) this.#deps.log.requestSeal();
    this.#lose(place.offset, resume.offset, segment, reason);
    Object.assign(place, resume);
    return undefined;
  }

  #lose(from: number, to: number, segment: Segment, reason: string): void {
    const count = this.#deps.progress.skip(from, to);
    if (count > 0) this.#deps.lost(count, from, segment, reason);
  }
}

/** A place in a file where the record `offset` starts, or would start. */
interface Mark {
  readonly offset: number;
  readonly position: number;
}

function indexEntry(segment: Segment, offset: number): Mark | undefined {
  const { offsets, positions } = segment.index;
  let found: Mark | undefined;
  for (let i = 0; i < offsets.length && (offsets[i] as number) <= offset; i += 1) {
    found = { offset: offsets[i] as number, position: positions[i] as number };
  }
  return found;
}
