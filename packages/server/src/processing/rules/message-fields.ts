/** How rules read and change the fields of messages. */
import { DateTime, isList, isMap, type Value, WholeDouble } from '@millrace/rules';
import {
  BoundedMap,
  type FieldValue,
  fieldReader,
  fieldWriter,
  isFieldName,
  isProtectedFieldName,
  type Message,
} from '#core/index.ts';
import {
  isShort,
  MAX_NAME_LENGTH,
  refuseName,
  requireFieldRoom,
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
  return isFieldName(name) ? name : name.trim().replaceAll(/[^\w.-]/g, '_');
}

/** What the node knows of a message and no rule may change. */
export function isUnchangeable(name: string): boolean {
  return isProtectedFieldName(name) && !SETTABLE.has(name);
}

/** Sets a field. False: what is not there, an empty text, and names that no rule may change, change nothing. */
export function writeField(message: Message, field: string, value: Value): boolean {
  let write = writers.get(field);
  if (write === undefined) {
    write = writerFor(field, (changed, name, stored) => changed.setField(name, stored));
    if (field.length <= MAX_NAME_LENGTH) writers.set(field, write);
  }
  return write(message, value);
}

type WriteField = (message: Message, value: Value) => boolean;
type SetAdditional = (message: Message, name: string, value: FieldValue) => void;

/** Rules set the same few fields again and again. These remember no layouts: their names may be made of messages. */
const writers = new BoundedMap<string, WriteField>({ maxEntries: 10_000 });

/** The same as `writeField` for one name, and faster. Make it once, when a rule is compiled. */
export function writerOf(field: string): WriteField {
  const set = fieldWriter(cleanFieldName(field));
  return writerFor(field, (message, _, value) => set(message, value));
}

function writerFor(field: string, setAdditional: SetAdditional): WriteField {
  const name = cleanFieldName(field);
  if (name.length > MAX_NAME_LENGTH) return () => refuseName(name);
  if (name === '' || isUnchangeable(name)) return () => false;
  const set = BUILT_IN.get(name) ?? additional(name, setAdditional);
  return (message, value) => {
    const stored = storedValueOf(value);
    if (stored === undefined || stored === '') return false;
    set(message, stored, value);
    return true;
  };
}

type SetStored = (message: Message, stored: FieldValue, value: Value) => void;

function additional(name: string, set: SetAdditional): SetStored {
  return (message, stored) => {
    requireFieldRoom(message, name);
    if (!isShort(stored)) requireRoom(message, name, stored, message.getField(name));
    set(message, name, stored);
  };
}

const BUILT_IN: ReadonlyMap<string, SetStored> = new Map<string, SetStored>([
  [
    'timestamp',
    (message, _, value) => {
      if (!(value instanceof DateTime))
        throw new Error('the timestamp of a message is a date, not a text or a number');
      requireStorableTime(value.ms);
      message.timestamp = value.ms;
    },
  ],
  [
    'message',
    (message, stored) => {
      requireRoom(message, 'message', stored, message.message);
      message.message = String(stored);
    },
  ],
  [
    'source',
    (message, stored) => {
      requireRoom(message, 'source', stored, message.source);
      message.source = String(stored);
    },
  ],
  [
    'full_message',
    (message, stored) => {
      requireRoom(message, 'full_message', stored, message.fullMessage);
      message.fullMessage = String(stored);
    },
  ],
  [
    'level',
    (message, stored) => {
      message.level = levelOf(stored);
    },
  ],
]);

/** Gives a field another name. False: the message does not have it, or it cannot have the new name. */
export function renameField(message: Message, oldName: string, newName: string): boolean {
  const value = readerOf(oldName)(message);
  if (value === undefined || oldName === cleanFieldName(newName)) return false;
  // Written first: a value that the new name cannot have stays where it is.
  if (!writeField(message, newName, value)) return false;
  removeField(message, oldName);
  return true;
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
