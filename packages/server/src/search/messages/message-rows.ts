/** Turns the rows of a statement into messages as the API shows them. */
import { type FieldValue, messageIdText } from '#core/index.ts';
import { fieldColumn, OWN_FIELD_NAMES, parseFields } from '#storage/index.ts';
import type { MessageSource } from '../execution/index.ts';
import { SHOWN_OWN_FIELDS, visibleColumn } from '../own-fields.ts';

declare global {
  /** Node has it; TypeScript does not declare it yet. */
  interface JSON {
    rawJSON(text: string): object;
  }
}

/** A stored message with the requested fields. Numbers keep all their digits. */
export interface FoundMessage {
  readonly id: string;
  readonly index: string;
  /** Milliseconds since the epoch, as is `receivedAt`. */
  readonly timestamp: number;
  readonly receivedAt: number;
  /** By their names in the API, without `_id` and `timestamp`. */
  readonly fields: ReadonlyMap<string, FieldValue | readonly string[]>;
}

/** For more fields than this, the whole column `fields` is read. */
const MAX_SINGLE_FIELDS = 50;

export interface MessageRow {
  readonly set_number: number;
  readonly index_number: number;
  readonly time: number;
  readonly received: number;
  readonly id_partition: number;
  readonly id_offset: number;
  readonly additional?: string;
  readonly selected?: readonly (string | null)[];
  /** `shown_0`, `sort_0`, … */
  readonly [name: string]: unknown;
}

/** The columns that a search for messages reads, and how to read its rows. */
export interface MessageColumns {
  /** Columns of each table, besides those that messages are ordered by. */
  readonly inner: readonly string[];
  /** SQL over these columns, for the rows within the limit. */
  readonly outer: readonly string[];
  read(row: MessageRow, search: Pick<MessageSource, 'indexName'>): FoundMessage;
}

/** @param fields only these; undefined for all */
export function messageColumns(fields: readonly string[] | undefined): MessageColumns {
  const names = fields && [...new Set(fields)];
  const own = SHOWN_OWN_FIELDS.filter((name) => names === undefined || names.includes(name));
  const dynamic = names?.filter((name) => !OWN_FIELD_NAMES.includes(name));
  const single = dynamic !== undefined && dynamic.length <= MAX_SINGLE_FIELDS ? dynamic : undefined;
  const wanted = dynamic && new Set(dynamic);
  return {
    inner: [
      'index_number',
      ...own.map((name, index) => `${visibleColumn(name)} AS own_${index}`),
      ...(single === undefined
        ? ['fields']
        : single.map((name, index) => `${fieldColumn(name).expression} AS field_${index}`)),
    ],
    outer: [
      'set_number, index_number, id_partition, id_offset',
      'toUnixTimestamp64Milli(timestamp) AS time, toUnixTimestamp64Milli(received_at) AS received',
      ...own.map((name, index) => `${ownExpression(name, index)} AS shown_${index}`),
      single === undefined
        ? 'toJSONString(fields) AS additional'
        : `[${single.map((_, index) => `toJSONString(field_${index})`).join(', ')}]::Array(Nullable(String)) AS selected`,
    ],
    read: (row, search) => ({
      id: messageIdText({ receivedAt: row.received, partition: row.id_partition, offset: row.id_offset }),
      index: search.indexName(row),
      timestamp: row.time,
      receivedAt: row.received,
      fields: new Map([
        ...ownFields(own, row),
        ...(single === undefined ? wholeFields(row.additional, wanted) : singleFields(single, row.selected)),
      ]),
    }),
  };
}

function ownExpression(name: string, index: number): string {
  return name === 'gl2_receive_timestamp' ? `toUnixTimestamp64Milli(own_${index})` : `own_${index}`;
}

type FieldEntry = [string, FieldValue | readonly string[]];

function ownFields(names: readonly string[], row: MessageRow): FieldEntry[] {
  return names.flatMap((name, index): FieldEntry[] => {
    const value = row[`shown_${index}`] as FieldValue | readonly string[];
    if (name === 'gl2_receive_timestamp') return [[name, new Date(Number(value)).toISOString()]];
    return name === 'full_message' && value === '' ? [] : [[name, value]];
  });
}

function wholeFields(text = '{}', wanted: ReadonlySet<string> | undefined): FieldEntry[] {
  const entries = [...parseFields(text)];
  return wanted === undefined ? entries : entries.filter(([name]) => wanted.has(name));
}

function singleFields(names: readonly string[], texts: readonly (string | null)[] = []): FieldEntry[] {
  return names.flatMap((name, index): FieldEntry[] => {
    const text = texts[index];
    if (text === null || text === undefined) return [];
    // `parseFields` keeps all digits of a number.
    const value = parseFields(`{"v":${text}}`).get('v');
    return value === undefined || value === null ? [] : [[name, value]];
  });
}

/** A flat object for JSON: `_id`, `timestamp` and the fields. Integers of any size become JSON numbers. */
export function messageJson(message: FoundMessage): Record<string, unknown> {
  return {
    _id: message.id,
    timestamp: new Date(message.timestamp).toISOString(),
    ...Object.fromEntries([...message.fields].map(([name, value]) => [name, jsonValue(value)])),
  };
}

export function jsonValue(value: FieldValue | readonly string[]): unknown {
  return typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value;
}
