import {
  type FieldValue,
  type FrameShape,
  type MessageFrames,
  STAGED_TYPE,
  type StagedField,
  type StagedRows,
} from '#core/index.ts';
import type { ScannerMemory } from './scanner-memory.ts';
import type { Shape, Shapes } from './shapes.ts';

/** Flags of a text, beside its type. */
const ESCAPED = 0x100;
const NOT_ASCII = 0x200;
/** Where the parts of a staged field are; see `assembly/gelf/stage.ts`. */
const COUNT = 0;
const ROWS = 1;
const TYPES = 2;
const TEXTS = 3;
const TEXTS_END = 4;
const NUMBERS = 5;
const NUMBERS_END = 6;
const BOOLEANS = 7;
const BOOLEANS_END = 8;

/** The frames of one batch, as the scanner has read them. */
export class ScannedFrames implements MessageFrames {
  readonly #memory: ScannerMemory;
  readonly #shapes: Shapes;
  #isOver = false;

  constructor(memory: ScannerMemory, shapes: Shapes) {
    this.#memory = memory;
    this.#shapes = shapes;
  }

  /** The memory is used for the next batch. */
  end(): void {
    this.#isOver = true;
  }

  shape(row: number): FrameShape {
    return this.#shapeOf(row);
  }

  text(row: number): string {
    const { message } = this.#shapeOf(row);
    return this.textAt(this.#memory.firstTokenOf(row) + message);
  }

  fullText(row: number): string | undefined {
    const { fullMessage } = this.#shapeOf(row);
    return fullMessage < 0 ? undefined : this.textAt(this.#memory.firstTokenOf(row) + fullMessage);
  }

  value(row: number, position: number): FieldValue | undefined {
    const { tokens, types } = this.#shapeOf(row);
    const token = tokens[position];
    return token === undefined
      ? undefined
      : this.#valueAt(this.#memory.firstTokenOf(row) + token, types[position]);
  }

  values(row: number): (FieldValue | undefined)[] {
    const { tokens, types } = this.#shapeOf(row);
    const first = this.#memory.firstTokenOf(row);
    const values: (FieldValue | undefined)[] = [];
    for (let position = 0; position < tokens.length; position++)
      values.push(this.#valueAt(first + (tokens[position] ?? 0), types[position]));
    return values;
  }

  #valueAt(token: number, type: number | undefined): FieldValue | undefined {
    if (type === STAGED_TYPE.text) return this.textAt(token);
    if (type === STAGED_TYPE.none) return undefined;
    if (type === STAGED_TYPE.number) return this.#memory.tokenNumber(token);
    return this.#memory.tokenWord(token, 0) === 1;
  }

  textAt(token: number): string {
    const memory = this.#memory;
    const start = memory.tokenWord(token, 0);
    const end = memory.tokenWord(token, 1);
    const flags = memory.tokenWord(token, 2);
    if ((flags & (ESCAPED | NOT_ASCII)) === 0) return memory.bytes.latin1Slice(start, end);
    const text = memory.bytes.utf8Slice(start, end);
    return (flags & ESCAPED) === 0 ? text : JSON.parse(`"${text}"`);
  }

  stage(rows: ArrayLike<number>, count: number): StagedRows {
    this.#refuseIfOver();
    const memory = this.#memory;
    if (!memory.stage(rows, count)) throw new Error('there is no memory to store messages');
    const { usedFields, messageLengths, fullMessageLengths, texts, textsEnd } = memory.exports;
    const fields = Array.from({ length: usedFields.value }, (_, index) =>
      this.#field(memory.usedField(index)),
    );
    return {
      count,
      texts: memory.slice(texts.value, textsEnd.value),
      messageLengths: memory.words(messageLengths.value, count),
      fullMessageLengths: memory.words(fullMessageLengths.value, count),
      fields,
    };
  }

  #field(number: number): StagedField {
    const memory = this.#memory;
    const word = (at: number) => memory.fieldWord(number, at);
    const count = word(COUNT);
    return {
      name: this.#shapes.fieldName(number),
      rows: memory.words(word(ROWS), count),
      types: memory.slice(word(TYPES), word(TYPES) + count),
      texts: memory.slice(word(TEXTS), word(TEXTS_END)),
      numbers: memory.floats(word(NUMBERS), word(NUMBERS_END)),
      booleans: memory.slice(word(BOOLEANS), word(BOOLEANS_END)),
    };
  }

  #shapeOf(row: number): Shape {
    this.#refuseIfOver();
    const shape = this.#shapes.get(this.#memory.nodeOf(row));
    if (shape === undefined) throw new Error('a message was read from a frame that is not one');
    return shape;
  }

  #refuseIfOver(): void {
    if (this.#isOver)
      throw new Error('a message was read after its frame was gone; it should have been detached');
  }
}
