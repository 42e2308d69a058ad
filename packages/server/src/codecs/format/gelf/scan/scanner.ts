import { Message } from '#core/index.ts';
import { type FrameColumns, NO_ORIGIN } from '../../codec.ts';
import type { KeyTree } from '../keys.ts';
import { storableMilliseconds } from '../standard-fields.ts';
import { ScannedFrames } from './scanned-frames.ts';
import { MAX_ROWS, ROW, ScannerMemory, SOURCE_SLOTS } from './scanner-memory.ts';
import { Shapes } from './shapes.ts';

/** Fewer frames than this are decoded one by one: the memory of a scanner is worth it only under load. */
const FEWEST_FRAMES = 16;
/** A sequence of keys is looked at when it has come so often. */
const FRAMES_TO_LEARN = 2;
/** If fewer than half of the frames could be read, so many batches are decoded without scanning. */
const BATCHES_TO_SKIP = 15;

/** Scans frames of a batch. Messages that it finds stay in their frames until somebody reads them. */
export class GelfScanner {
  readonly #keys: KeyTree;
  #parts: Parts | undefined;
  /** The batch that is scanned, and how many frames of it. */
  #batch: FrameColumns | undefined;
  #rows = 0;
  #toSkip = 0;

  constructor(keys: KeyTree) {
    this.#keys = keys;
  }

  /** Undefined when the frames should be decoded without it. */
  scan(frames: FrameColumns, from: number, to: number): ScannedRun | undefined {
    const isNext = frames !== this.#batch;
    if (isNext) {
      this.#batch = frames;
      this.#rows = 0;
      if (this.#toSkip > 0) this.#toSkip -= 1;
    }
    if (this.#toSkip > 0 || to - from < FEWEST_FRAMES || this.#rows + to - from > MAX_ROWS) {
      if (isNext) this.#parts?.endBatch();
      return undefined;
    }
    this.#parts ??= new Parts(this.#keys);
    if (isNext || this.#rows === 0) this.#parts.beginBatch();
    const firstRow = this.#rows;
    if (!this.#parts.scan(frames, from, to, firstRow)) return undefined;
    this.#rows += to - from;
    const read = this.#parts.learn(firstRow, this.#rows);
    if (read * 2 < to - from) this.#toSkip = BATCHES_TO_SKIP;
    return new ScannedRun(this.#parts, frames, from, firstRow);
  }
}

/** What a scanner needs as soon as it scans. */
class Parts {
  readonly memory = new ScannerMemory();
  readonly shapes: Shapes;
  /** The texts of the sources that the scanner remembers. */
  readonly sources = new Array<string | undefined>(SOURCE_SLOTS).fill(undefined);
  frames: ScannedFrames;

  constructor(keys: KeyTree) {
    this.shapes = new Shapes(this.memory, keys);
    this.frames = new ScannedFrames(this.memory, this.shapes);
  }

  endBatch(): void {
    this.frames.end();
  }

  beginBatch(): void {
    this.endBatch();
    this.frames = new ScannedFrames(this.memory, this.shapes);
    this.memory.beginBatch();
    this.shapes.makeRoom();
  }

  /** False when there is no room for the frames. */
  scan({ bytes, frameStarts, frameEnds }: FrameColumns, from: number, to: number, firstRow: number): boolean {
    const start = frameStarts[from] ?? 0;
    const at = this.memory.addFrames(bytes, start, frameEnds[to - 1] ?? 0);
    if (at < 0) return false;
    const shift = at - start;
    for (let index = from; index < to; index++) {
      const row = firstRow + index - from;
      this.memory.setFrame(row, (frameStarts[index] ?? 0) + shift, (frameEnds[index] ?? 0) + shift);
    }
    this.memory.exports.scan(firstRow, firstRow + to - from);
    return true;
  }

  /** Looks at shapes that are new, and returns how many rows were read, or will be next time. */
  learn(from: number, to: number): number {
    const { memory } = this;
    let read = 0;
    for (let row = from; row < to; row++) {
      const status = memory.statusOf(row);
      if (status !== ROW.left) read += 1;
      if (status !== ROW.newShape) continue;
      const node = memory.nodeOf(row);
      if (memory.framesOf(node) >= FRAMES_TO_LEARN && this.shapes.get(node) === undefined)
        this.shapes.learn(node);
    }
    return read;
  }
}

/** The frames of one call. */
export class ScannedRun {
  readonly #parts: Parts;
  readonly #columns: FrameColumns;
  readonly #from: number;
  readonly #firstRow: number;

  constructor(parts: Parts, columns: FrameColumns, from: number, firstRow: number) {
    this.#parts = parts;
    this.#columns = columns;
    this.#from = from;
    this.#firstRow = firstRow;
  }

  /** The message of a frame; undefined when it has to be decoded. To be called for every frame, in order. */
  message(index: number): Message | undefined {
    const { memory, shapes, frames } = this.#parts;
    const row = this.#firstRow + index - this.#from;
    const isRead = memory.statusOf(row) === ROW.read;
    const shape = isRead ? shapes.get(memory.nodeOf(row)) : undefined;
    const firstToken = memory.firstTokenOf(row);
    const source = this.#source(row, shape && firstToken + shape.source);
    if (shape === undefined) return undefined;
    const timestamp = storableMilliseconds(memory.tokenNumber(firstToken + shape.timestamp));
    const level = memory.tokenNumber(firstToken + shape.level);
    if (!(timestamp > 0) || level < 0 || (level | 0) !== level) return undefined;
    const { frameStarts, frameEnds, receivedAt, sources } = this.#columns;
    return Message.inFrame(frames, row, {
      timestamp,
      source,
      level,
      layout: shape.layout,
      origin: sources[index] ?? NO_ORIGIN,
      receivedAt: receivedAt[index] ?? 0,
      size: (frameEnds[index] ?? 0) - (frameStarts[index] ?? 0),
      gelfFrame: index,
    });
  }

  /** The scanner says in which slot a source is, and whether it has just put it there, in place of another one. */
  #source(row: number, token: number | undefined): string {
    const { memory, sources, frames } = this.#parts;
    const found = memory.sourceSlotOf(row);
    const slot = found & (SOURCE_SLOTS - 1);
    const known = found === slot ? sources[slot] : undefined;
    if (known !== undefined) return known;
    // A frame that is not read may have put its source there all the same.
    const source = token === undefined ? undefined : frames.textAt(token);
    sources[slot] = source;
    return source ?? '';
  }
}
