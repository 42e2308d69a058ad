/**
 * Messages as JSON, many with one call of `JSON.stringify`. That takes a third of the time that text put together field
 * by field takes, if nothing keeps V8 from its fast path:
 *
 * - Objects are told apart afterwards by `},{"` and the key that all of them begin with. A quote inside of a text or key
 *   follows a backslash, so the quote here is the one at the beginning or the end of a text or key. At an end `,`, `:`,
 *   `]` or `}` would follow, and the key begins with none of them. So it begins a key, and `{` begins an object: values
 *   hold no objects, so this stands between two messages and nowhere else, whatever they contain.
 * - Texts that were put together from others are slow, and ids are. So an id is a constant of the same length at first,
 *   right at the beginning of its object, and is written over in the bytes.
 * - Texts are short-lived and not too long, and the memory for the bytes is used again: the garbage collector notices
 *   little of it.
 */
import { type FieldLayout, type FieldValue, type Message, MessageIdBytes } from '#core/index.ts';
import type { EncodedFrames } from './codec.ts';

/**
 * Give an object this as its first member, `_id`, and name the messages whose ids belong there. Written out, since a
 * repeated text is one of the slow ones.
 */
export const ID_PLACE = '00000000000000000000000000';
const ID_START = '{"_id":"'.length;
/** Texts of more than 128 KiB are large objects for V8, which cost it more than they save here. */
const MESSAGES_AT_ONCE = 128;
/** Of the frames of the messages. V8 has no texts of more than 512 MiB, and escapes may make six bytes of one. */
const BYTES_AT_ONCE = 4 * 1024 * 1024;
/** What is kept for the next batch. */
const MAX_KEPT_BYTES = 2 * 1024 * 1024;

export type FlatObject = Record<string, unknown>;

/** Members of an object that would stand before `_id`, replace it, or not be there at all. */
const UNFIT_KEY = /^(\d+|_id|__proto__)$/;

/** V8 makes a dictionary of an object that gets more members in this way: twice as slow as one message by itself. */
const MAX_KEYS = 14;

/** The keys of the fields of a layout; undefined where they are too many, or an object cannot have one of them. */
export type KeysOfLayout = (layout: FieldLayout) => readonly string[] | undefined;

export function keysByLayout(keyOf: (name: string) => string): KeysOfLayout {
  const known = new WeakMap<FieldLayout, readonly string[] | false>();
  return (layout) => {
    let keys = known.get(layout);
    if (keys === undefined) {
      const all = layout.names.map(keyOf);
      keys = all.length > MAX_KEYS || all.some((key) => UNFIT_KEY.test(key)) ? false : all;
      known.set(layout, keys);
    }
    return keys === false ? undefined : keys;
  };
}

/** False when a value is one that `JSON.stringify` does not take. */
export function addFields(
  object: FlatObject,
  keys: readonly string[],
  values: readonly (FieldValue | undefined)[],
): boolean {
  for (let position = 0; position < keys.length; position++) {
    const value = values[position];
    if (typeof value === 'bigint') return false;
    if (value === undefined || (typeof value === 'number' && !Number.isFinite(value))) continue;
    object[keys[position] as string] = value;
  }
  return true;
}

export interface FlatForm {
  /** Of all objects. With `_id` they begin with `ID_PLACE`. */
  readonly firstKey: '_id' | 'version';
  /** Undefined for a message that is encoded by itself. */
  objectOf(message: Message): FlatObject | undefined;
  /** The same for one message. */
  textOf(message: Message): string;
}

/** What the encoder has made of the messages so far. */
interface Encoded {
  at: number;
  readonly starts: number[];
  readonly ends: number[];
}

export class FlatJson {
  readonly #form: FlatForm;
  readonly #between: string;
  readonly #ids = new MessageIdBytes();
  #bytes = Buffer.alloc(0);

  constructor(form: FlatForm) {
    this.#form = form;
    this.#between = `},{"${form.firstKey}`;
  }

  /** Valid until the next call. */
  encode(messages: readonly Message[]): EncodedFrames {
    const { objectOf, textOf, firstKey } = this.#form;
    const encoded: Encoded = { at: 0, starts: [], ends: [] };
    let objects: FlatObject[] = [];
    let size = 0;
    const appendObjects = () => {
      if (objects.length === 0) return;
      const first = encoded.starts.length;
      this.#appendArray(JSON.stringify(objects), objects.length, encoded);
      if (firstKey === '_id') this.#writeIds(messages, encoded, first);
      objects = [];
      size = 0;
    };
    for (const message of messages) {
      const object = objectOf(message);
      if (object === undefined) {
        appendObjects();
        this.#appendOne(textOf(message), encoded);
        continue;
      }
      objects.push(object);
      size += message.size;
      if (objects.length === MESSAGES_AT_ONCE || size >= BYTES_AT_ONCE) appendObjects();
    }
    appendObjects();
    const bytes = this.#bytes;
    if (bytes.length > MAX_KEPT_BYTES) this.#bytes = Buffer.alloc(0);
    return { bytes, starts: encoded.starts, ends: encoded.ends };
  }

  /** Writes `[{…},{…}]` and adds where its objects begin and end. */
  #appendArray(text: string, count: number, encoded: Encoded): void {
    const { at, starts, ends } = encoded;
    const length = this.#write(text, encoded);
    const isAscii = length === text.length;
    const written = this.#bytes.subarray(at, at + length);
    let start = 1;
    for (let index = 0; index < count; index++) {
      const between = isAscii ? text.indexOf(this.#between, start) : written.indexOf(this.#between, start);
      const end = between === -1 ? length - 1 : between + 1;
      starts.push(at + start);
      ends.push(at + end);
      start = end + 1;
    }
  }

  #appendOne(text: string, encoded: Encoded): void {
    encoded.starts.push(encoded.at);
    this.#write(text, encoded);
    encoded.ends.push(encoded.at);
  }

  /** Returns how many bytes it is. */
  #write(text: string, encoded: Encoded): number {
    const { at } = encoded;
    const length = Buffer.byteLength(text);
    if (at + length > this.#bytes.length) this.#grow(at, at + length);
    this.#bytes.write(text, at, length === text.length ? 'latin1' : 'utf8');
    encoded.at = at + length;
    return length;
  }

  /** Of the messages from `first` on whose places are known. */
  #writeIds(messages: readonly Message[], { starts }: Encoded, first: number): void {
    const { buffer, byteOffset, length } = this.#bytes;
    const view = new DataView(buffer, byteOffset, length);
    for (let index = first; index < starts.length; index++) {
      this.#ids.write(messages[index] as Message, view, (starts[index] as number) + ID_START);
    }
  }

  #grow(used: number, needed: number): void {
    const bytes = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(bytes, 0, 0, used);
    this.#bytes = bytes;
  }
}
