/** How rules read and change the fields of messages. */
import { DateTime, isList, isMap, type Value, WholeDouble } from '@millrace/rules';
import { BoundedMap, type FieldValue, fieldReader, isFieldName, type Message } from '#core/index.ts';
import { jsonText } from './values/json.ts';

export type ReadField = (message: Message) => Value;

const TIMES: ReadonlySet<string> = new Set(['timestamp', 'gl2_receive_timestamp']);
/** What the node knows of a message and no rule may change. */
const UNCHANGEABLE: ReadonlySet<string> = new Set([
  '_id',
  'streams',
  'gl2_source_input',
  'gl2_remote_ip',
  'gl2_remote_port',
  'gl2_receive_timestamp',
]);
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
    cleanNames.set(name, clean);
  }
  return clean;
}

/** Rules set the same few fields again and again. */
const cleanNames = new BoundedMap<string, string>({ maxEntries: 10_000 });

/** Sets a field. What is not there, and an empty text, changes nothing. */
export function writeField(message: Message, field: string, value: Value): void {
  const name = cleanFieldName(field);
  const stored = storedValue(value);
  if (name === '' || stored === undefined || stored === '' || UNCHANGEABLE.has(name)) return;
  switch (name) {
    case 'timestamp':
      if (!(value instanceof DateTime))
        throw new Error('the timestamp of a message is a date, not a text or a number');
      message.timestamp = value.ms;
      return;
    case 'message':
      message.message = String(stored);
      return;
    case 'source':
      message.source = String(stored);
      return;
    case 'full_message':
      message.fullMessage = String(stored);
      return;
    case 'level':
      message.level = levelOf(stored);
      return;
    default:
      message.setField(name, stored);
  }
}

export function removeField(message: Message, field: string): void {
  if (NEVER_REMOVED.has(field) || UNCHANGEABLE.has(field)) return;
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

function storedValue(value: Value): FieldValue | undefined {
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
