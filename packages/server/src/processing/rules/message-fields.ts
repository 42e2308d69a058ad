/** How rules read and change the fields of messages. */
import { DateTime, isList, isMap, type Value, WholeDouble } from '@millrace/rules';
import {
  BoundedMap,
  type FieldValue,
  fieldReader,
  isFieldName,
  isProtectedFieldName,
  type Message,
} from '#core/index.ts';
import {
  MAX_NAME_LENGTH,
  requireFieldRoom,
  requireNameLength,
  requireRoom,
  requireStorableTime,
} from './message-limits.ts';
import { jsonText } from './values/json.ts';

export type ReadField = (message: Message) => Value;

const TIMES: ReadonlySet<string> = new Set(['timestamp', 'gl2_receive_timestamp']);
/** Senders cannot choose these as additional fields, but rules may set them. */
const SETTABLE: ReadonlySet<string> = new Set(['message', 'source', 'timestamp']);
/** What every message has. */
const NEVER_REMOVED: ReadonlySet<string> = new Set(['message', 'source', 'timestamp', 'level']);
const MAX_LEVEL = 2 ** 31 - 1;

/** Make it once, when a rule is compiled. */
export function readerOf(field: string): ReadField {
  const read = fieldReader(field);
  if (!TIMES.has(field)) return read;
  return (message) => {
    const time = read(message);
    return typeof time === 'number' ? new DateTime(time) : time;
  };
}

export function hasField(message: Message, field: string): boolean {
  return fieldReader(field)(message) !== undefined;
}

/** Names of fields have letters, digits, `_`, `-` and `.`; everything else becomes `_`. */
export function cleanFieldName(name: string): string {
  let clean = cleanNames.get(name);
  if (clean === undefined) {
    clean = isFieldName(name) ? name : name.trim().replaceAll(/[^\w.-]/g, '_');
    if (name.length <= MAX_NAME_LENGTH) cleanNames.set(name, clean);
  }
  return clean;
}

/** What the node knows of a message and no rule may change. */
export function isUnchangeable(name: string): boolean {
  return isProtectedFieldName(name) && !SETTABLE.has(name);
}

/** Rules set the same few fields again and again. */
const cleanNames = new BoundedMap<string, string>({ maxEntries: 10_000 });

/** Sets a field. False: what is not there, an empty text, and names that no rule may change, change nothing. */
export function writeField(message: Message, field: string, value: Value): boolean {
  const name = cleanFieldName(field);
  requireNameLength(name);
  const stored = storedValueOf(value);
  if (name === '' || stored === undefined || stored === '' || isUnchangeable(name)) return false;
  switch (name) {
    case 'timestamp':
      if (!(value instanceof DateTime))
        throw new Error('the timestamp of a message is a date, not a text or a number');
      requireStorableTime(value.ms);
      message.timestamp = value.ms;
      return true;
    case 'message':
      requireRoom(message, name, stored, message.message);
      message.message = String(stored);
      return true;
    case 'source':
      requireRoom(message, name, stored, message.source);
      message.source = String(stored);
      return true;
    case 'full_message':
      requireRoom(message, name, stored, message.fullMessage);
      message.fullMessage = String(stored);
      return true;
    case 'level':
      message.level = levelOf(stored);
      return true;
    default:
      requireFieldRoom(message, name);
      requireRoom(message, name, stored, message.getField(name));
      message.setField(name, stored);
      return true;
  }
}

export function removeField(message: Message, field: string): void {
  if (NEVER_REMOVED.has(field) || isUnchangeable(field)) return;
  if (field === 'full_message') message.fullMessage = undefined;
  else message.removeField(field);
}

/** Names of all fields that rules can change. */
export function fieldNames(message: Message): string[] {
  const names = ['message', 'source', 'timestamp', 'level'];
  if (message.fullMessage !== undefined) names.push('full_message');
  message.forEachField((name) => names.push(name));
  return names;
}

function levelOf(value: FieldValue): number {
  const level = typeof value === 'string' && value !== '' ? Number(value) : value;
  if (typeof level === 'number' && Number.isInteger(level) && level >= 0 && level <= MAX_LEVEL) return level;
  throw new Error(`the level of a message is an integer from 0 to ${MAX_LEVEL}, not "${value}"`);
}

/** A value as it is stored. Undefined: there is nothing to store. */
export function storedValueOf(value: Value): FieldValue | undefined {
  switch (typeof value) {
    case 'string':
      return value.trim();
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'boolean':
    case 'bigint':
      return value;
    case 'undefined':
      return undefined;
    default:
      if (value instanceof WholeDouble) return value.value;
      if (value instanceof DateTime) return new Date(value.ms).toISOString();
      return isMap(value) || isList(value) ? jsonText(value) : String(value).trim();
  }
}
