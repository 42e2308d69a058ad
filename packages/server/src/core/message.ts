import type { FieldLayout } from './field-layout.ts';
import type { FieldValue } from './field-value.ts';
import type { MessageOrigin } from './journal.ts';
import type { MessageFrames } from './message-frames.ts';
import { messageIdText, parseMessageId } from './message-id.ts';

/**
 * The message, as processing, storage, outputs and the search predicate see it.
 *
 * What every message has is a property of its own, always present and always initialised in the same order,
 * so all messages share one hidden class. What only some have, the additional fields, is a layout (the names,
 * shared) and an array of values at the same positions. `undefined` in a position means: not there. Texts and fields may still
 * be in the frame that the message came in (`message-frames.ts`).
 *
 * Measured (Node 26.10, one ARM64 core, µs to turn a parsed object into a message; 7, 2 and 40 fields):
 *
 *   layout + values          0.23   0.18   0.95
 *   two arrays of its own    0.31   0.19   1.54
 *   plain object             0.40   0.18   3.79   (and unsafe for names such as __proto__)
 *   Map                      0.50   0.20   3.05
 *   null-prototype object    0.63   0.19   2.88
 *
 * Reading gains more: storage and rules resolve a name once per layout instead of hashing it per message.
 * Values are primitives only, so no name a sender can choose reaches a prototype.
 */

export interface MessageInit {
  timestamp: number;
  source: string;
  message: string;
  fullMessage: string | undefined;
  level: number;
  layout: FieldLayout;
  values: (FieldValue | undefined)[];
  notes: number;
  origin: MessageOrigin;
  receivedAt: number;
  size: number;
}

/** What is known of a message that is still in its frame. */
export interface MessageInFrame
  extends Pick<
    MessageInit,
    'timestamp' | 'source' | 'level' | 'layout' | 'notes' | 'origin' | 'receivedAt' | 'size'
  > {
  /** See `Message.gelfFrame`. */
  readonly gelfFrame: number;
}

/** A `gelfFrame`: the frame is this message, but has not all that the encoder would write. */
export const INCOMPLETE_FRAME = -2;

const NO_STREAMS: readonly string[] = Object.freeze([]);
/** Stand for what is still in the frame. */
const UNREAD_VALUES: (FieldValue | undefined)[] = [];
const UNREAD_TEXT = '';
/** After so many all values are read at once. */
const MOST_SINGLE_READS = 4;

export class Message {
  /**
   * The partition and the offset in the id (`message-id.ts`); -1 until the message gets it. The time in it is that of
   * receipt. Most messages are stored without anybody asking for their ids as texts.
   */
  idPartition = -1;
  idOffset = -1;
  /** An id that its numbers do not give; empty otherwise. */
  idText = '';
  /** Milliseconds since the epoch. */
  timestamp: number;
  source: string;
  /** A syslog level, or any other integer from 0 to 2^31-1 the sender chose. */
  level: number;
  /** Names of the additional fields; the values are at the same positions in `values`. */
  layout: FieldLayout;
  /** Ids of the streams the message was routed into. Replace the array, never change it: it may be shared. */
  streams: readonly string[] = NO_STREAMS;
  /**
   * The record of its batch whose frame is this very message as clean GELF, so that it can be sent on and stored as it came;
   * `INCOMPLETE_FRAME` when it can be stored, but not sent on; -1 when there is none. Whoever changes the message after it was
   * decoded sets it to -1; changing texts and fields does so by itself.
   */
  gelfFrame = -1;
  /** Shared by the messages of one sender. */
  readonly origin: MessageOrigin;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  /** Bytes of the received frame. */
  readonly size: number;
  /** What the decoder had to put right, as bits; see the codec for their meaning. */
  readonly notes: number;
  /** The frame in which texts and fields are as long as nobody has asked for them. */
  #frames: MessageFrames | undefined = undefined;
  #row = 0;
  #message: string;
  #fullMessage: string | undefined;
  #values: (FieldValue | undefined)[];
  /** Which of them are here. */
  #hasTexts = true;
  #hasValues = true;
  /** How many single values were read from the frame. */
  #reads = 0;

  constructor(init: MessageInit) {
    this.timestamp = init.timestamp;
    this.source = init.source;
    this.#message = init.message;
    this.#fullMessage = init.fullMessage;
    this.level = init.level;
    this.layout = init.layout;
    this.#values = init.values;
    this.origin = init.origin;
    this.receivedAt = init.receivedAt;
    this.size = init.size;
    this.notes = init.notes;
  }

  /** A message that reads its texts and fields from row `row` of `frames` when somebody asks for them. */
  static inFrame(frames: MessageFrames, row: number, known: MessageInFrame): Message {
    const message = new Message({
      timestamp: known.timestamp,
      source: known.source,
      message: UNREAD_TEXT,
      fullMessage: undefined,
      level: known.level,
      layout: known.layout,
      values: UNREAD_VALUES,
      notes: known.notes,
      origin: known.origin,
      receivedAt: known.receivedAt,
      size: known.size,
    });
    message.gelfFrame = known.gelfFrame;
    message.#frames = frames;
    message.#row = row;
    message.#hasTexts = false;
    message.#hasValues = false;
    return message;
  }

  /** The text (`short_message` on the wire, `message` in the API). */
  get message(): string {
    if (!this.#hasTexts) this.#readTexts();
    return this.#message;
  }

  set message(text: string) {
    if (!this.#hasTexts) this.#readTexts();
    this.#message = text;
    this.gelfFrame = -1;
  }

  get fullMessage(): string | undefined {
    if (!this.#hasTexts) this.#readTexts();
    return this.#fullMessage;
  }

  set fullMessage(text: string | undefined) {
    if (!this.#hasTexts) this.#readTexts();
    this.#fullMessage = text;
    this.gelfFrame = -1;
  }

  /** The values of all additional fields. To read one of them, `valueAt` costs less. */
  get values(): (FieldValue | undefined)[] {
    if (!this.#hasValues) this.#readValues();
    return this.#values;
  }

  set values(values: (FieldValue | undefined)[]) {
    this.#values = values;
    this.#hasValues = true;
    this.gelfFrame = -1;
  }

  /** The value at a position of the layout. */
  valueAt(position: number): FieldValue | undefined {
    if (this.#hasValues) return this.#values[position];
    this.#reads += 1;
    // Many rules look at the same fields.
    return this.#reads > MOST_SINGLE_READS ? this.values[position] : this.#frames?.value(this.#row, position);
  }

  /**
   * Where this very message still is; undefined when it has changed or came in another way. Its row there is not `gelfFrame`:
   * not all records of a batch are scanned.
   */
  get frames(): MessageFrames | undefined {
    return this.gelfFrame === -1 ? undefined : this.#frames;
  }

  get frameRow(): number {
    return this.#row;
  }

  /** Whoever keeps the message until the next batch is decoded calls this first. */
  detach(): void {
    if (!this.#hasTexts) this.#readTexts();
    if (!this.#hasValues) this.#readValues();
    this.#frames = undefined;
  }

  #readTexts(): void {
    this.#message = this.#frames?.text(this.#row) ?? UNREAD_TEXT;
    this.#fullMessage = this.#frames?.fullText(this.#row);
    this.#hasTexts = true;
  }

  #readValues(): void {
    this.#values = this.#frames?.values(this.#row) ?? [];
    this.#hasValues = true;
  }

  /** The same content, with values of its own, without id and streams. */
  copy(changed: Partial<MessageInit> = {}): Message {
    const { message, fullMessage, values } = this;
    return new Message({ ...this, message, fullMessage, values: [...values], ...changed });
  }

  /** Sorts by time. Empty until the message gets it. */
  get id(): string {
    if (this.idText !== '' || this.idOffset < 0) return this.idText;
    const receivedAt = Math.max(0, Math.trunc(this.receivedAt));
    return messageIdText({ receivedAt, partition: this.idPartition, offset: this.idOffset });
  }

  set id(text: string) {
    const parts = parseMessageId(text);
    this.idPartition = parts?.partition ?? -1;
    this.idOffset = parts?.offset ?? -1;
    this.idText = '';
    if (this.id !== text) this.idText = text;
  }

  /** An additional field. For the built-in ones use the properties, or `fieldReader` for any name. */
  getField(name: string): FieldValue | undefined {
    const position = this.layout.indexOf(name);
    return position < 0 ? undefined : this.valueAt(position);
  }

  /** Adds or replaces an additional field. */
  setField(name: string, value: FieldValue): void {
    const { values } = this;
    this.gelfFrame = -1;
    const position = this.layout.indexOf(name);
    if (position >= 0) {
      values[position] = value;
      return;
    }
    this.layout = this.layout.append(name);
    values.push(value);
  }

  removeField(name: string): void {
    const position = this.layout.indexOf(name);
    if (position < 0) return;
    this.values[position] = undefined;
    this.gelfFrame = -1;
  }

  /** Calls `visit` for every additional field that is there, in the order of the layout. */
  forEachField(visit: (name: string, value: FieldValue) => void): void {
    const names = this.layout.names;
    const { values } = this;
    for (let position = 0; position < names.length; position++) {
      const name = names[position];
      const value = values[position];
      if (value !== undefined && name !== undefined) visit(name, value);
    }
  }
}

export type FieldWriter = (message: Message, value: FieldValue) => void;

/** Sets one additional field of any message. Make it once: as `fieldReader` it remembers the last layout. */
export function fieldWriter(name: string): FieldWriter {
  let lastLayout: FieldLayout | undefined;
  let lastPosition = -1;
  let longerLayout: FieldLayout | undefined;
  return function writeField(message, value) {
    const { layout } = message;
    if (layout !== lastLayout) {
      // Rules may be interrupted anywhere: nothing is remembered for the new layout before all of it is known.
      lastLayout = undefined;
      lastPosition = layout.indexOf(name);
      longerLayout = lastPosition < 0 ? layout.append(name) : undefined;
      lastLayout = layout;
    }
    const { values } = message;
    message.gelfFrame = -1;
    if (longerLayout === undefined) values[lastPosition] = value;
    else {
      message.layout = longerLayout;
      values.push(value);
    }
  };
}

export type FieldReader = (message: Message) => FieldValue | undefined;

const BUILT_IN: ReadonlyMap<string, FieldReader> = new Map<string, FieldReader>([
  ['_id', (message) => message.id],
  ['timestamp', (message) => message.timestamp],
  ['source', (message) => message.source],
  ['message', (message) => message.message],
  ['full_message', (message) => message.fullMessage],
  ['level', (message) => message.level],
  ['gl2_source_input', (message) => message.origin.inputId],
  ['gl2_remote_ip', (message) => message.origin.remoteAddress],
  ['gl2_remote_port', (message) => message.origin.remotePort],
  ['gl2_receive_timestamp', (message) => message.receivedAt],
]);

/**
 * A function that reads one field, built in or additional, of any message. Make it once, when a rule is
 * compiled: it remembers the position of the name in the last layout it saw, so that reading the same field
 * of many alike messages costs a comparison.
 */
export function fieldReader(name: string): FieldReader {
  const builtIn = BUILT_IN.get(name);
  if (builtIn !== undefined) return builtIn;
  let lastLayout: FieldLayout | undefined;
  let lastPosition = -1;
  return function readField(message) {
    const { layout } = message;
    if (layout !== lastLayout) {
      // As in `fieldWriter`.
      lastLayout = undefined;
      lastPosition = layout.indexOf(name);
      lastLayout = layout;
    }
    return lastPosition < 0 ? undefined : message.valueAt(lastPosition);
  };
}
