import { randomInt } from 'node:crypto';
import { errorMessage } from '#core/index.ts';
import { SCANNER_MODULE } from './scanner-module.ts';

/**
 * The memory that the scanner and this side share. The addresses are those of `packages/server/assembly/gelf/memory.ts`: the
 * constructor compares the last one, which follows from all others.
 */

/** Of the types of WebAssembly, which belong to browsers' in TypeScript, what is used here. */
interface WebAssemblyModule {
  readonly module: unique symbol;
}
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => WebAssemblyModule;
  Instance: new (module: WebAssemblyModule) => { readonly exports: unknown };
};
interface ExportedNumber {
  readonly value: number;
}
interface SetNumber {
  value: number;
}

interface ScannerExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly FRAMES: ExportedNumber;
  readonly hashSeed: SetNumber;
  readonly usedFields: ExportedNumber;
  readonly messageLengths: ExportedNumber;
  readonly fullMessageLengths: ExportedNumber;
  readonly texts: ExportedNumber;
  readonly textsEnd: ExportedNumber;
  /** Whether there is memory up to `end`. */
  reserve(end: number): number;
  forgetKeys(): void;
  /** Whether there is room for more keys. */
  hasRoom(): number;
  beginBatch(): void;
  scan(from: number, to: number): void;
  stage(count: number, out: number): number;
}

const NODE_BYTES = 32;
const MAX_NODES = 16_384;
const NODES = 0x10000;
const NODE_TABLE = NODES + NODE_BYTES * MAX_NODES;
const KEYS = NODE_TABLE + 32_768 * 4;
const SHAPES = KEYS + 0x100000;
const SHAPES_END = SHAPES + 0x100000;
export const SOURCE_SLOTS = 512;
const FIELDS = SHAPES_END + 160 * SOURCE_SLOTS;
const FIELD_BYTES = 64;
export const MAX_FIELDS = 8192;
const USED_FIELDS = FIELDS + FIELD_BYTES * MAX_FIELDS;
const TOKENS = USED_FIELDS + 4 * MAX_FIELDS;
const TOKEN_BYTES = 16;
const ROWS = TOKENS + TOKEN_BYTES * 131_072;
const ROW_BYTES = 16;
export const MAX_ROWS = 4096;
const FRAME_STARTS = ROWS + ROW_BYTES * MAX_ROWS;
const FRAME_ENDS = FRAME_STARTS + 4 * MAX_ROWS;
const STAGED_ROWS = FRAME_ENDS + 4 * MAX_ROWS;
const FRAMES = STAGED_ROWS + 4 * MAX_ROWS;
/** Of all frames of a batch; further ones are decoded one by one. */
const MAX_FRAME_BYTES = 16 * 2 ** 20;

export const ROW = { left: 0, read: 1, newShape: 2 } as const;

let compiled: WebAssemblyModule | undefined;

/** What `toString` calls after it has looked at its arguments, which takes as long as a short text. */
interface DirectReads {
  latin1Slice(start: number, end: number): string;
  utf8Slice(start: number, end: number): string;
}

/** Areas that are read and written as numbers. Growing memory makes all views useless, so they are made again. */
export class ScannerMemory {
  readonly exports: ScannerExports;
  #bytes!: Buffer & DirectReads;
  #words!: Uint32Array<ArrayBuffer>;
  #floats!: Float64Array<ArrayBuffer>;
  #framesEnd = FRAMES;

  constructor() {
    compiled ??= new WebAssembly.Module(Buffer.from(SCANNER_MODULE, 'base64'));
    this.exports = new WebAssembly.Instance(compiled).exports as ScannerExports;
    if (this.exports.FRAMES.value !== FRAMES) throw new Error('the scanner has other addresses');
    this.exports.hashSeed.value = randomInt(2 ** 31);
    this.exports.reserve(FRAMES);
    this.#view();
  }

  get bytes(): DirectReads {
    return this.#bytes;
  }

  #view(): void {
    const { buffer } = this.exports.memory;
    this.#bytes = Buffer.from(buffer) as Buffer & DirectReads;
    this.#words = new Uint32Array(buffer);
    this.#floats = new Float64Array(buffer);
  }

  beginBatch(): void {
    this.exports.beginBatch();
    this.#framesEnd = FRAMES;
  }

  /** Copies the bytes of frames and returns where they are now; -1 when there is no room. */
  addFrames(bytes: Buffer, start: number, end: number): number {
    const at = this.#framesEnd;
    const next = at + end - start;
    if (next > FRAMES + MAX_FRAME_BYTES || !this.#reserve(next)) return -1;
    this.#bytes.set(new Uint8Array(bytes.buffer, bytes.byteOffset + start, end - start), at);
    this.#framesEnd = next;
    return at;
  }

  #reserve(end: number): boolean {
    const isThere = this.exports.reserve(end) !== 0;
    if (this.exports.memory.buffer !== this.#words.buffer) this.#view();
    return isThere;
  }

  setFrame(row: number, start: number, end: number): void {
    this.#words[FRAME_STARTS / 4 + row] = start;
    this.#words[FRAME_ENDS / 4 + row] = end;
  }

  statusOf(row: number): number {
    return this.#words[(ROWS + row * ROW_BYTES) / 4] ?? 0;
  }

  firstTokenOf(row: number): number {
    return this.#words[(ROWS + row * ROW_BYTES) / 4 + 1] ?? 0;
  }

  sourceNumberOf(row: number): number {
    return this.#words[(ROWS + row * ROW_BYTES) / 4 + 2] ?? 0;
  }

  nodeOf(row: number): number {
    return this.#words[(ROWS + row * ROW_BYTES) / 4 + 3] ?? 0;
  }

  /** A number of a token: the start, the end or the flags of a text; a boolean. */
  tokenWord(token: number, word: number): number {
    return this.#words[(TOKENS + token * TOKEN_BYTES) / 4 + word] ?? 0;
  }

  tokenNumber(token: number): number {
    return this.#floats[(TOKENS + token * TOKEN_BYTES) / 8] ?? 0;
  }

  parentOf(node: number): number {
    return this.#words[(NODES + node * NODE_BYTES) / 4] ?? 0;
  }

  keyOf(node: number): string {
    const start = this.#words[(NODES + node * NODE_BYTES) / 4 + 1] ?? 0;
    const length = this.#bytes.readUInt16LE(NODES + node * NODE_BYTES + 8);
    return this.#bytes.latin1Slice(start, start + length);
  }

  typeOf(node: number): number {
    return this.#bytes[NODES + node * NODE_BYTES + 10] ?? 0;
  }

  setKind(node: number, kind: number): void {
    this.#bytes[NODES + node * NODE_BYTES + 11] = kind;
  }

  shapeOf(node: number): number {
    return this.#words[(NODES + node * NODE_BYTES) / 4 + 4] ?? 0;
  }

  setShape(node: number, shape: number): void {
    this.#words[(NODES + node * NODE_BYTES) / 4 + 4] = shape;
  }

  framesOf(node: number): number {
    return this.#words[(NODES + node * NODE_BYTES) / 4 + 5] ?? 0;
  }

  /** Stages rows, and makes views again if that took more memory. */
  stage(rows: ArrayLike<number>, count: number): boolean {
    for (let index = 0; index < count; index++) this.#words[STAGED_ROWS / 4 + index] = rows[index] ?? 0;
    const isStaged = this.exports.stage(count, this.#framesEnd) !== 0;
    if (this.exports.memory.buffer !== this.#words.buffer) this.#view();
    return isStaged;
  }

  usedField(index: number): number {
    return this.#words[USED_FIELDS / 4 + index] ?? 0;
  }

  /** A number of a field; `assembly/gelf/stage.ts` says which. */
  fieldWord(field: number, word: number): number {
    return this.#words[(FIELDS + field * FIELD_BYTES) / 4 + word] ?? 0;
  }

  words(start: number, count: number): Uint32Array {
    return new Uint32Array(this.#words.buffer, start, count);
  }

  floats(start: number, end: number): Float64Array {
    return new Float64Array(this.#words.buffer, start, (end - start) / 8);
  }

  slice(start: number, end: number): Uint8Array {
    return new Uint8Array(this.#words.buffer, start, end - start);
  }

  /** Where shapes are written. */
  readonly shapes = { start: SHAPES, end: SHAPES_END };

  writeShape(at: number, words: readonly number[], fields: readonly number[]): void {
    this.#words.set(words, at / 4);
    new Uint16Array(this.#words.buffer, at + words.length * 4, fields.length).set(fields);
  }
}

/** Some processors lack instructions that the scanner needs. Everything can be decoded without it. */
export function warnThatScanningFails(error: unknown): void {
  process.emitWarning(`GELF frames cannot be scanned and are decoded instead: ${errorMessage(error)}`);
}
