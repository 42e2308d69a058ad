/**
 * How far rules may make a message grow. The messages of a batch are in memory together, so the bound follows what was
 * received: rules that double a text for every message then need a few times the memory of the batch, not all there is.
 */
import { MAX_TIMESTAMP_MS, type Message, MIN_TIMESTAMP_MS } from '#core/index.ts';

/** Twice what a GELF message may have. Removed fields count, because the message keeps their places. */
export const MAX_FIELDS = 2048;
/** Characters. */
export const MAX_NAME_LENGTH = 256;
/** Patterns and paths that are longer are not remembered: they may be made of messages. */
export const MAX_REMEMBERED_LENGTH = 8192;
/** The texts of a message have this many characters together, and so many more for every byte that was received. */
const ROOM = 64 * 1024;
const GROWTH = 8;
/** Not counted: all fields together have little of these. */
const SHORT = 64;

/** Values that may have any length together: there are few fields, and these are short. */
export function isShort(value: unknown): boolean {
  return lengthOf(value) <= SHORT;
}

/** Throws when the message must not have this value. `before` is what it replaces. */
export function requireRoom(message: Message, name: string, value: unknown, before: unknown): void {
  const length = lengthOf(value);
  if (isShort(value) || length <= lengthOf(before)) return;
  const limit = ROOM + GROWTH * message.size;
  const total = textLength(message) - lengthOf(before) + length;
  if (total <= limit) return;
  throw new Error(
    `the field ${name} cannot get ${length} characters: the texts of this message may have ${limit} together, ` +
      `and would have ${total}`,
  );
}

/** Throws when the message cannot have one more field. */
export function requireFieldRoom(message: Message, name: string): void {
  if (message.layout.size < MAX_FIELDS || message.layout.indexOf(name) >= 0) return;
  throw new Error(
    `the field ${name} cannot be added: a message has at most ${MAX_FIELDS} fields, and removed ones count`,
  );
}

/** For a name that is too long. */
export function refuseName(name: string): never {
  throw new Error(
    `the field name "${name.slice(0, 60)}…" has ${name.length} characters; at most ${MAX_NAME_LENGTH} are possible`,
  );
}

/** A created message may be as long as the one that it is made of, so that generations of them do not grow. */
export function requireCreatedLength(message: Message, text: string): void {
  const limit = Math.max(ROOM, message.size);
  if (text.length <= limit) return;
  throw new Error(
    `the new message would have ${text.length} characters; at most ${limit} are possible for this message`,
  );
}

/** Throws for a time that cannot be stored. */
export function requireStorableTime(ms: number): void {
  if (ms >= MIN_TIMESTAMP_MS && ms <= MAX_TIMESTAMP_MS) return;
  const [date, first, last] = [ms, MIN_TIMESTAMP_MS, MAX_TIMESTAMP_MS].map((each) =>
    new Date(each).toISOString(),
  );
  throw new Error(`${date} cannot be the timestamp of a message; use a date from ${first} to ${last}`);
}

function textLength({ message, source, fullMessage, values }: Message): number {
  let length = message.length + source.length + lengthOf(fullMessage);
  for (let position = 0; position < values.length; position++) length += lengthOf(values[position]);
  return length;
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : 0;
}
