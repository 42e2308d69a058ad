/** The order of messages: by any field, messages without it last, equal ones by time of receipt. */
import { InvalidError } from '#core/index.ts';
import { fieldColumn } from '#storage/index.ts';
import { visibleColumn } from '../own-fields.ts';
import { instantSql, type SqlParameters } from '../query/index.ts';

export type SortDirection = 'asc' | 'desc';

export interface MessageSort {
  readonly field: string;
  readonly direction: SortDirection;
}

export const NEWEST_FIRST: MessageSort = { field: 'timestamp', direction: 'desc' };

/** `asc`, `Ascending`, `DESC`, …; undefined for any other word. */
export function parseDirection(word: string): SortDirection | undefined {
  const lower = word.trim().toLowerCase();
  if (lower === 'asc' || lower === 'ascending') return 'asc';
  return lower === 'desc' || lower === 'descending' ? 'desc' : undefined;
}

/** `field:asc`. A field alone is ascending, `timestamp` alone newest first. Undefined for any other text. */
export function parseSort(text: string): MessageSort | undefined {
  const colon = text.lastIndexOf(':');
  const direction = colon < 0 ? undefined : parseDirection(text.slice(colon + 1));
  const field = (direction === undefined ? text : text.slice(0, colon)).trim();
  if (field === '' || (colon >= 0 && direction === undefined)) return undefined;
  return { field, direction: direction ?? (field === 'timestamp' ? 'desc' : 'asc') };
}

/** `field:asc`, as in Graylog: undefined also for a field alone. */
export function parseDirectedSort(text: string): MessageSort | undefined {
  return text.includes(':') ? parseSort(text) : undefined;
}

export function requireSort(text: string | undefined): MessageSort {
  if (text === undefined || text.trim() === '') return NEWEST_FIRST;
  const sort = parseSort(text);
  if (sort === undefined) {
    throw new InvalidError(
      `${JSON.stringify(text)} is not a sort order. Write field:asc or field:desc, for example timestamp:desc.`,
    );
  }
  return sort;
}

/** `type` is the type of its values, which may be NULL. */
export interface SortKey {
  readonly expression: string;
  readonly type: 'Float64' | 'Int64' | 'String';
}

/** Texts are sorted by so many characters: a cursor has the text of a message in it, and must fit into a URL. */
const SORTED_CHARACTERS = 500;

function sortedText(expression: string): string {
  return `leftUTF8(${expression}, ${SORTED_CHARACTERS})`;
}

/** The columns that identify a message; they make every order unambiguous. */
const IDENTITY = ['received_at', 'id_partition', 'id_offset'] as const;

/** Every order ends with these columns. */
export const ORDER_COLUMNS: readonly string[] = ['timestamp', ...IDENTITY];

/**
 * The keys of a field. If a field has numbers in some messages and texts in others, messages with numbers come first in
 * both directions.
 */
export function sortKeys({ field }: MessageSort): readonly SortKey[] {
  const column = fieldColumn(field);
  switch (column.kind) {
    case 'time':
      return field === 'timestamp'
        ? []
        : [{ expression: `toUnixTimestamp64Milli(${column.expression})`, type: 'Int64' }];
    case 'number':
      return [{ expression: `toInt64(${column.expression})`, type: 'Int64' }];
    case 'list':
      return [{ expression: `arrayStringConcat(${visibleColumn(field)}, ',')`, type: 'String' }];
    case 'text':
      return [{ expression: sortedText(`nullIf(toString(${column.expression}), '')`), type: 'String' }];
    case 'keyword':
      return [{ expression: `nullIf(toString(${column.expression}), '')`, type: 'String' }];
    case 'dynamic':
      return [
        {
          expression: `coalesce(${column.typed('Float64')}, toFloat64(${column.typed('Int64')}))`,
          type: 'Float64',
        },
        { expression: column.typed('Int64'), type: 'Int64' },
        {
          expression: sortedText(`coalesce(${column.typed('String')}, toString(${column.typed('Bool')}))`),
          type: 'String',
        },
      ];
  }
}

/** The name of the key's column in a statement. */
export function keyName(position: number): string {
  return `sort_${position}`;
}

/** The expression after `ORDER BY`, over the names of the keys and the columns of the table. */
export function orderBy({ direction }: MessageSort, keys: readonly SortKey[]): string {
  const word = direction.toUpperCase();
  return [
    ...keys.map((_, position) => `${keyName(position)} ${word} NULLS LAST`),
    ...ORDER_COLUMNS.map((column) => `${column} ${word}`),
  ].join(', ');
}

/** The position of a message in an order. */
export interface SortPosition {
  readonly keys: readonly (string | number | null)[];
  readonly timestamp: number;
  readonly receivedAt: number;
  readonly partition: number;
  readonly offset: number;
}

/** Whether a position from a client has values of the right types. */
export function fitsSortKeys(position: SortPosition, keys: readonly SortKey[]): boolean {
  const isValue = (key: unknown, type: SortKey['type']) =>
    type === 'Float64'
      ? typeof key === 'number'
      : typeof key === 'string' && (type === 'String' || isInt64(key));
  return (
    position.keys.length === keys.length &&
    keys.every(({ type }, index) => position.keys[index] === null || isValue(position.keys[index], type))
  );
}

function isInt64(text: string): boolean {
  return /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

/** SQL that is true for messages after a position, written so that the engine can use the primary key. */
export function afterPosition(
  { direction }: MessageSort,
  keys: readonly SortKey[],
  position: SortPosition,
  parameters: SqlParameters,
): string {
  const sign = direction === 'asc' ? '>' : '<';
  const timestamp = instantSql(position.timestamp, parameters);
  const identity = [
    instantSql(position.receivedAt, parameters),
    parameters.add(position.partition, 'UInt64'),
    parameters.add(position.offset, 'UInt64'),
  ].join(', ');
  const last = `(timestamp ${sign}= ${timestamp} AND (timestamp ${sign} ${timestamp} OR (${IDENTITY.join(', ')}) ${sign} (${identity})))`;
  return keys.reduceRight((rest, { expression, type }, index) => {
    const value = position.keys[index] ?? null;
    if (value === null) return `(isNull(${expression}) AND ${rest})`;
    const bound = parameters.add(value, type);
    return `(ifNull(${expression} ${sign} ${bound}, 1) OR (ifNull(${expression} = ${bound}, 0) AND ${rest}))`;
  }, last);
}
