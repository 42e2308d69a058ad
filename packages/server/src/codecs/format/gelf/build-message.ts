import { type FieldLayout, type FieldValue, Message, type MessageOrigin } from '#core/index.ts';
import type { DecoderContext } from '../codec.ts';
import { NestedJson, WrittenNumber } from '../json/exact-json.ts';
import { GelfFailure } from './failure.ts';
import { FrameText } from './frame-text.ts';
import { KEY, type KeyKind, KeyTree } from './keys.ts';
import { GELF_NOTE_BIT, type GelfNote, type GelfNoteCounters, newNoteCounters } from './notes.ts';
import {
  isBlank,
  resolveLevel,
  resolveSource,
  resolveTimestamp,
  storableMilliseconds,
} from './standard-fields.ts';

const ORIGINAL_LEVEL = 'original_level';
const FORMAT_VERSION = '1.1';

/** The standard values as sent, before the rules are applied. Reused for every message. */
class StandardValues {
  version: unknown = undefined;
  host: unknown = undefined;
  shortMessage: unknown = undefined;
  message: unknown = undefined;
  fullMessage: unknown = undefined;
  fullMessageField: unknown = undefined;
  timestamp: unknown = undefined;
  level: unknown = undefined;
  levelField: unknown = undefined;
  idsDropped = 0;
  badNames = 0;
  /** The first of them. */
  badName = '';
  ignored = 0;
  excess = 0;

  reset(): void {
    this.version = undefined;
    this.host = undefined;
    this.shortMessage = undefined;
    this.message = undefined;
    this.fullMessage = undefined;
    this.fullMessageField = undefined;
    this.timestamp = undefined;
    this.level = undefined;
    this.levelField = undefined;
    this.idsDropped = 0;
    this.badNames = 0;
    this.badName = '';
    this.ignored = 0;
    this.excess = 0;
  }
}

/** Turns the members of one JSON object into a message, by the rules in `decode.ts`. */
export class MessageBuilder {
  readonly noteCounters: GelfNoteCounters = newNoteCounters();
  /** The text of the message being built. */
  readonly text = new FrameText();
  /** The members come from the exact reader: numbers are exact. */
  exact = false;
  /** `JSON.parse` refused the text, the exact reader accepted it. */
  lenient = false;
  /** There are bytes after the JSON object. */
  trailing = false;
  /** The number of the frame, if its bytes can be passed on; -1 if not. */
  frame = -1;
  readonly keys: KeyTree;
  readonly #fieldsDropped: DecoderContext['fieldsDropped'];
  readonly #standard = new StandardValues();
  #notes = 0;
  /** Each key and type so far is one that the encoder would write, too. */
  #isClean = false;

  constructor({ layouts, fieldsDropped }: DecoderContext, maxKeys: number, mark: string) {
    this.keys = new KeyTree(layouts, { maxKeys, mark });
    this.#fieldsDropped = fieldsDropped;
  }

  /** Before each message: it is taken to be what `JSON.parse` reads. */
  begin(): void {
    this.exact = false;
    this.lenient = false;
    this.trailing = false;
  }

  /**
   * `members` come from `JSON.parse`, or from the exact reader with its bigints and `NestedJson`. Undefined,
   * with nothing counted, when only the exact reader knows what was sent.
   */
  build(
    members: Record<string, unknown>,
    origin: MessageOrigin,
    receivedAt: number,
    size: number,
  ): Message | GelfFailure | undefined {
    const standard = this.#standard;
    standard.reset();
    const values: (FieldValue | undefined)[] = [];
    let node = this.keys.root();
    this.#isClean = !this.exact;
    for (const key in members) {
      const value = members[key];
      node = node.lastKey === key ? node.lastChild : this.keys.step(node, key, members);
      if (node.kind === KEY.field) {
        if (isPlain(value)) values.push(value);
        else {
          this.#isClean = false;
          const exact = this.#exactValue(key, value);
          if (exact instanceof GelfFailure) return exact;
          if (exact === undefined && value !== null) return undefined;
          values.push(exact);
        }
      } else if (node.kind === KEY.again) {
        const exact = isPlain(value) ? value : this.#exactValue(key, value);
        if (exact instanceof GelfFailure) return exact;
        if (exact === undefined && value !== null) return undefined;
        if (values[node.position] === undefined) values[node.position] = exact;
        else standard.ignored += 1;
      } else keepStandardValue(standard, node.kind, key, value);
    }
    this.#isClean &&= node.isClean;
    return this.#finish(node.layout, values, origin, receivedAt, size);
  }

  /** A value that is not plain. Undefined for null, and for values that only the exact reader can read. */
  #exactValue(key: string, value: unknown): FieldValue | GelfFailure | undefined {
    if (typeof value === 'bigint' || (this.exact && typeof value === 'number')) return value;
    if (value === null) return undefined;
    return value instanceof NestedJson ? value.text : this.text.exactValue(key, value);
  }

  #finish(
    fields: FieldLayout,
    values: (FieldValue | undefined)[],
    origin: MessageOrigin,
    receivedAt: number,
    size: number,
  ): Message | GelfFailure | undefined {
    const standard = this.#standard;
    const message = textOf(standard);
    if (message === undefined) return noMessage(standard);
    if (!this.exact && mayLackDigits(standard)) return undefined;
    this.#notes = 0;
    if (standard.message !== undefined) {
      if (message === standard.message && message !== standard.shortMessage) this.#note('message_stands_in');
      else standard.ignored += 1;
    }
    if (isNumber(standard.shortMessage)) this.#note('message_converted');
    if (standard.version !== FORMAT_VERSION) this.#note('unexpected_version');
    const source = isText(standard.host) ? standard.host : this.#resolvedSource(origin);
    const timestamp = this.#timestamp(receivedAt);
    const level = this.#level();
    const fullMessage = this.#fullMessage();
    this.#noteFields(origin);
    let layout = fields;
    if ((this.#notes & GELF_NOTE_BIT.level_replaced) !== 0) {
      layout = keepOriginalLevel(layout, values, standard.level ?? standard.levelField);
    }
    const notes = this.#notes;
    const built = new Message({
      timestamp,
      source,
      message,
      fullMessage,
      level,
      layout,
      values,
      notes,
      origin,
      receivedAt,
      size,
    });
    this.#isClean &&=
      notes === 0 && typeof standard.level === 'number' && fullMessage === standard.fullMessage;
    if (this.#isClean) built.gelfFrame = this.frame;
    return built;
  }

  #timestamp(receivedAt: number): number {
    const sent = this.#standard.timestamp;
    if (typeof sent === 'number') {
      const milliseconds = storableMilliseconds(sent);
      if (milliseconds > 0) return milliseconds;
    }
    const settled = resolveTimestamp(sent, receivedAt);
    this.#note(settled.note);
    return settled.value;
  }

  #level(): number {
    const standard = this.#standard;
    const sent = standard.level;
    if (standard.levelField !== undefined) {
      if (sent === undefined || sent === null) return this.#resolvedLevel(standard.levelField);
      standard.ignored += 1;
    }
    // Fast path: most levels are small integers.
    return typeof sent === 'number' && sent >= 0 && (sent | 0) === sent ? sent : this.#resolvedLevel(sent);
  }

  #resolvedLevel(sent: unknown): number {
    const settled = resolveLevel(sent);
    this.#note(settled.note);
    return settled.value;
  }

  #resolvedSource(origin: MessageOrigin): string {
    const settled = resolveSource(this.#standard.host, origin.remoteAddress);
    this.#note(settled.note);
    return settled.value;
  }

  #fullMessage(): string | undefined {
    const standard = this.#standard;
    if (standard.fullMessage === undefined && standard.fullMessageField === undefined) return undefined;
    const own = longText(standard.fullMessage);
    if (own === undefined) return longText(standard.fullMessageField);
    if (standard.fullMessageField !== undefined) standard.ignored += 1;
    return own;
  }

  #noteFields({ inputId }: MessageOrigin): void {
    const standard = this.#standard;
    if (standard.idsDropped > 0) this.#note('id_dropped', standard.idsDropped);
    if (standard.badNames > 0) {
      this.#note('bad_field_name', standard.badNames);
      this.#fieldsDropped?.(inputId, standard.badName, standard.badNames);
    }
    if (standard.ignored > 0) this.#note('field_ignored', standard.ignored);
    if (standard.excess > 0) this.#note('too_many_fields', standard.excess);
    if (this.lenient) this.#note('lenient_json');
    if (this.trailing) this.#note('trailing_bytes');
  }

  #note(note: GelfNote | undefined, times = 1): void {
    if (note === undefined) return;
    this.#notes |= GELF_NOTE_BIT[note];
    this.noteCounters[note] += times;
  }
}

/** Whether `JSON.parse` returns the value exactly as it was sent. */
function isPlain(value: unknown): value is string | number | boolean {
  if (typeof value === 'string' || typeof value === 'boolean') return true;
  return typeof value === 'number' && value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER;
}

function keepStandardValue(standard: StandardValues, kind: KeyKind, key: string, value: unknown): void {
  switch (kind) {
    case KEY.version:
      standard.version = value;
      break;
    case KEY.host:
      standard.host = value;
      break;
    case KEY.shortMessage:
      standard.shortMessage = value;
      break;
    case KEY.message:
      standard.message = value;
      break;
    case KEY.fullMessage:
      standard.fullMessage = value;
      break;
    case KEY.fullMessageField:
      standard.fullMessageField = value;
      break;
    case KEY.timestamp:
      standard.timestamp = value;
      break;
    case KEY.level:
      standard.level = value;
      break;
    case KEY.levelField:
      standard.levelField = value;
      break;
    case KEY.id:
      standard.idsDropped += 1;
      break;
    case KEY.badName:
      if (standard.badNames === 0) standard.badName = key;
      standard.badNames += 1;
      break;
    case KEY.protected:
      standard.ignored += 1;
      break;
    case KEY.excess:
      standard.excess += 1;
      break;
  }
}

/** Whether `JSON.parse` may have lost digits of what becomes text. */
function mayLackDigits(standard: StandardValues): boolean {
  return (
    isNumber(standard.shortMessage) ||
    isNumber(standard.host) ||
    isNumberOrNested(standard.fullMessage) ||
    isNumberOrNested(standard.fullMessageField) ||
    isInexactLevel(standard.level) ||
    isInexactLevel(standard.levelField)
  );
}

function isNumberOrNested(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'object' && value !== null);
}

/** Whether the level, if it is none, would be kept with other digits. */
function isInexactLevel(value: unknown): boolean {
  return value !== undefined && !isPlain(value) && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && !isBlank(value);
}

function isNumber(value: unknown): value is number | WrittenNumber {
  return typeof value === 'number' || value instanceof WrittenNumber;
}

function textOf(standard: StandardValues): string | undefined {
  if (isText(standard.shortMessage)) return standard.shortMessage;
  if (isNumber(standard.shortMessage)) return longText(standard.shortMessage);
  return isText(standard.message) ? standard.message : undefined;
}

function noMessage(standard: StandardValues): GelfFailure {
  const sent = standard.shortMessage ?? standard.message;
  if (sent === undefined || sent === null) {
    return new GelfFailure('no_message', '"short_message" is missing; add it with the text of the message');
  }
  const name = sent === standard.shortMessage ? 'short_message' : 'message';
  const problem = typeof sent === 'string' ? 'is blank' : `is ${kindOf(sent)}`;
  return new GelfFailure('no_message', `"${name}" ${problem}; it must be the text of the message`);
}

function kindOf(value: unknown): string {
  if (typeof value === 'boolean') return 'a boolean';
  return typeof value === 'object' ? 'an object or array' : 'a number';
}

/** `full_message`: any scalar as text; undefined when it is blank. */
function longText(value: unknown): string | undefined {
  if (typeof value === 'string') return isBlank(value) ? undefined : value;
  if (value === undefined || value === null) return undefined;
  if (value instanceof NestedJson || value instanceof WrittenNumber) return value.text;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Keeps a `level` that is not a level. */
function keepOriginalLevel(
  layout: FieldLayout,
  values: (FieldValue | undefined)[],
  sent: unknown,
): FieldLayout {
  const value =
    typeof sent === 'number' || typeof sent === 'boolean' || typeof sent === 'bigint' ? sent : longText(sent);
  if (value === undefined) return layout;
  const position = layout.indexOf(ORIGINAL_LEVEL);
  if (position >= 0) {
    values[position] ??= value;
    return layout;
  }
  values.push(value);
  return layout.append(ORIGINAL_LEVEL);
}
