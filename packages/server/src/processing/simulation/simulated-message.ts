/** Messages as plain data: what a simulation gets, and what it gives back. */
import { type FieldLayouts, type FieldValue, Message } from '#core/index.ts';
import { PROCESSING_ERROR_FIELD } from '../framework/index.ts';

export interface SimulatedMessage {
  /** Empty for a message that was not stored. */
  readonly id: string;
  /** Milliseconds since the epoch, as is `receivedAt`. */
  readonly timestamp: number;
  readonly receivedAt: number;
  readonly streamIds: readonly string[];
  /** By their names in the API, without `_id`, `timestamp` and `streams`. */
  readonly fields: ReadonlyMap<string, FieldValue>;
}

/** What senders that give no level mean. */
const DEFAULT_LEVEL = 1;
/** What a message has as properties of its own, what follows from other parts, and errors of an earlier run. */
const NOT_ADDITIONAL: ReadonlySet<string> = new Set([
  '_id',
  'timestamp',
  'streams',
  'source',
  'message',
  'full_message',
  'level',
  'gl2_source_input',
  'gl2_source_node',
  'gl2_remote_ip',
  'gl2_remote_port',
  'gl2_receive_timestamp',
  PROCESSING_ERROR_FIELD,
]);

export function messageOf(given: SimulatedMessage, layouts: FieldLayouts): Message {
  const { fields } = given;
  const text = (name: string) => {
    const value = fields.get(name);
    return value === undefined ? undefined : String(value);
  };
  const message = new Message({
    timestamp: given.timestamp,
    source: text('source') ?? '',
    message: text('message') ?? '',
    fullMessage: text('full_message'),
    level: numberOf(fields.get('level'), DEFAULT_LEVEL),
    layout: layouts.empty(),
    values: [],
    notes: 0,
    origin: {
      inputId: text('gl2_source_input') ?? '',
      remoteAddress: text('gl2_remote_ip') ?? '',
      remotePort: numberOf(fields.get('gl2_remote_port'), 0),
    },
    receivedAt: given.receivedAt,
    size: sizeOf(fields),
  });
  for (const [name, value] of fields) if (!NOT_ADDITIONAL.has(name)) message.setField(name, value);
  return message;
}

export function simulatedMessage(
  message: Message,
  id: string,
  streamIds: readonly string[],
): SimulatedMessage {
  const { origin, timestamp, receivedAt } = message;
  const fields = fieldsOf(message);
  fields.delete('timestamp');
  if (origin.inputId !== '') fields.set('gl2_source_input', origin.inputId);
  if (origin.remoteAddress !== '') {
    fields.set('gl2_remote_ip', origin.remoteAddress);
    fields.set('gl2_remote_port', origin.remotePort);
  }
  return { id, timestamp, receivedAt, streamIds, fields };
}

/** What rules can change, by the names in the API. */
export function fieldsOf(message: Message): Map<string, FieldValue> {
  const fields = new Map<string, FieldValue>([
    ['timestamp', timeText(message.timestamp)],
    ['source', message.source],
    ['message', message.message],
    ['level', message.level],
  ]);
  if (message.fullMessage !== undefined) fields.set('full_message', message.fullMessage);
  message.forEachField((name, value) => fields.set(name, value));
  return fields;
}

export interface FieldChange {
  readonly field: string;
  /** Undefined: it was not there. */
  readonly before: FieldValue | undefined;
  /** Undefined: it is gone. */
  readonly after: FieldValue | undefined;
}

/** Errors of rules are noted apart. */
export function changesOf(
  before: ReadonlyMap<string, FieldValue>,
  after: ReadonlyMap<string, FieldValue>,
): FieldChange[] {
  const changes: FieldChange[] = [];
  for (const [field, value] of after) {
    if (before.get(field) !== value && field !== PROCESSING_ERROR_FIELD)
      changes.push({ field, before: before.get(field), after: value });
  }
  for (const [field, value] of before) {
    if (!after.has(field)) changes.push({ field, before: value, after: undefined });
  }
  return changes;
}

function timeText(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? String(ms) : date.toISOString();
}

function numberOf(value: FieldValue | undefined, otherwise: number): number {
  const number = Number(value ?? Number.NaN);
  return Number.isInteger(number) && number >= 0 ? number : otherwise;
}

/** About what its sender has sent: the room that rules have for a message follows from it. */
function sizeOf(fields: ReadonlyMap<string, FieldValue>): number {
  let size = 0;
  for (const [name, value] of fields) size += name.length + Buffer.byteLength(String(value));
  return size;
}
