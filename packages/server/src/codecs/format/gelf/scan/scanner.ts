import { INCOMPLETE_FRAME, Message } from '#core/index.ts';
import { type FrameColumns, NO_ORIGIN } from '../../codec.ts';
import type { KeyTree } from '../keys.ts';
import { GELF_NOTE_BIT, type GelfNote, type GelfNoteCounters } from '../notes.ts';
import { DEFAULT_LEVEL, storableMilliseconds } from '../standard-fields.ts';
import { ScannedFrames } from './scanned-frames.ts';
import { MAX_ROWS, ROW, ScannerMemory, SOURCE_SLOTS, warnThatScanningFails } from './scanner-memory.ts';
import { type Shape, Shapes } from './shapes.ts';

/** Fewer frames than this are decoded one by one: the memory of a scanner is worth it only under load. */
const FEWEST_FRAMES = 16;
/** If fewer than half of the frames were as they should be, so many batches are decoded without scanning. */
const BATCHES_TO_SKIP = 15;
/** Fewer frames say nothing about the others. */
const FEWEST_TO_JUDGE_BY = 64;

/** What the scanner and the decoder have in common. */
export interface DecodingRules {
  readonly keys: KeyTree;
  readonly noteCounters: GelfNoteCounters;
}

/** Scans frames of a batch. Messages that it finds stay in their frames until somebody reads them. */
export class GelfScanner {
  readonly #rules: DecodingRules;
  #parts: Parts | undefined;
  /** The batch that is scanned, and how many frames of it. The journal needs its memory back, whatever comes next. */
  #batch: WeakRef<FrameColumns> | undefined;
  #rows = 0;
  #toSkip = 0;
  #isBroken = false;

  constructor(rules: DecodingRules) {
    this.#rules = rules;
  }

  /** Undefined when the frames should be decoded without it. */
  scan(frames: FrameColumns, from: number, to: number): ScannedRun | undefined {
    const isNext = this.#batch?.deref() !== frames;
    const isSkipped = this.#isBroken || this.#toSkip > 0;
    if (isNext) {
      this.#batch = new WeakRef(frames);
      this.#rows = 0;
      if (this.#toSkip > 0) this.#toSkip -= 1;
      this.#parts?.endBatch();
    }
    if (isSkipped || to - from < FEWEST_FRAMES || this.#rows + to - from > MAX_ROWS) return undefined;
    try {
      return this.#scan(frames, from, to);
    } catch (error) {
      this.#isBroken = true;
      warnThatScanningFails(error);
      return undefined;
    }
  }

  #scan(frames: FrameColumns, from: number, to: number): ScannedRun | undefined {
    this.#parts ??= new Parts(this.#rules);
    const parts = this.#parts;
    const firstRow = this.#rows;
    if (firstRow === 0) parts.beginBatch();
    if (!parts.scan(frames, from, to, firstRow)) return undefined;
    this.#rows += to - from;
    const read = parts.learn(firstRow, this.#rows);
    if (to - from >= FEWEST_TO_JUDGE_BY && read * 2 < to - from) this.#toSkip = BATCHES_TO_SKIP;
    return new ScannedRun(parts, frames, from, firstRow);
  }
}

/** What a scanner needs as soon as it scans. */
class Parts {
  readonly memory = new ScannerMemory();
  readonly shapes: Shapes;
  /** The texts of the sources that the scanner remembers. */
  readonly sources = new Array<string>(SOURCE_SLOTS).fill('');
  /** The numbers of these sources. */
  readonly sourceNumbers = new Uint32Array(SOURCE_SLOTS);
  readonly noteCounters: GelfNoteCounters;
  frames: ScannedFrames;

  constructor({ keys, noteCounters }: DecodingRules) {
    this.noteCounters = noteCounters;
    this.shapes = new Shapes(this.memory, keys);
    this.frames = new ScannedFrames(this.memory, this.shapes);
  }

  endBatch(): void {
    this.frames.end();
  }

  /** After `endBatch`. */
  beginBatch(): void {
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
      if (status === ROW.newShape) this.shapes.learnIfFrequent(memory.nodeOf(row));
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

  /** The message of a frame; undefined when it has to be decoded. */
  message(index: number): Message | undefined {
    const { memory, shapes, frames } = this.#parts;
    const row = this.#firstRow + index - this.#from;
    if (memory.statusOf(row) !== ROW.read) return undefined;
    const shape = shapes.get(memory.nodeOf(row));
    if (shape === undefined) return undefined;
    const firstToken = memory.firstTokenOf(row);
    const timestamp = this.#timestamp(shape, firstToken, index);
    const level = shape.level < 0 ? DEFAULT_LEVEL : memory.tokenNumber(firstToken + shape.level);
    if (!(timestamp > 0) || level < 0 || (level | 0) !== level) return undefined;
    const { frameStarts, frameEnds, receivedAt, sources } = this.#columns;
    return Message.inFrame(frames, row, {
      timestamp,
      source: this.#source(row, firstToken + shape.source),
      level,
      layout: shape.layout,
      notes: shape.notes.length === 0 ? 0 : this.#note(shape.notes),
      origin: sources[index] ?? NO_ORIGIN,
      receivedAt: receivedAt[index] ?? 0,
      size: (frameEnds[index] ?? 0) - (frameStarts[index] ?? 0),
      gelfFrame: shape.isComplete ? index : INCOMPLETE_FRAME,
    });
  }

  #timestamp(shape: Shape, firstToken: number, index: number): number {
    if (shape.timestamp < 0) return this.#columns.receivedAt[index] ?? 0;
    return storableMilliseconds(this.#parts.memory.tokenNumber(firstToken + shape.timestamp));
  }

  #note(notes: readonly GelfNote[]): number {
    let bits = 0;
    for (const note of notes) {
      this.#parts.noteCounters[note] += 1;
      bits |= GELF_NOTE_BIT[note];
    }
    return bits;
  }

  #source(row: number, token: number): string {
    const { memory, sources, sourceNumbers, frames } = this.#parts;
    const number = memory.sourceNumberOf(row);
    const slot = number & (SOURCE_SLOTS - 1);
    if (sourceNumbers[slot] !== number) {
      sources[slot] = frames.textAt(token);
      sourceNumbers[slot] = number;
    }
    return sources[slot] ?? '';
  }
}
