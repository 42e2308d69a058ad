import type { PreparedSearch } from '../execution/index.ts';
import { type MessageColumns, messageColumns } from './message-rows.ts';
import {
  afterPosition,
  keyName,
  type MessageSort,
  ORDER_COLUMNS,
  orderBy,
  type SortKey,
  type SortPosition,
  sortKeys,
} from './sort.ts';

export interface MessagePage {
  readonly sort: MessageSort;
  /** Only these fields; all without. */
  readonly fields?: readonly string[] | undefined;
  /** All without. */
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  /** Only what comes after this. */
  readonly after?: SortPosition | undefined;
  /** One more condition, in SQL over the columns of a table. */
  readonly condition?: string | undefined;
}

/** A page of whole messages. */
export function pageStatement(
  search: PreparedSearch,
  page: MessagePage,
): { readonly sql: string; readonly columns: MessageColumns } {
  const columns = messageColumns(page.fields);
  const outer = [...columns.outer, ...sortKeys(page.sort).map(keyColumn)];
  return { columns, sql: orderedStatement(search, { ...page, inner: columns.inner, outer }) };
}

export interface OrderedRows extends Omit<MessagePage, 'fields'> {
  /** Columns of each table. Those that messages are ordered by need not be among them. */
  readonly inner: readonly string[];
  /** SQL over them, over `set_number` and over the sort keys; computed for what the limit leaves only. */
  readonly outer: readonly string[];
}

/**
 * Messages in order. Where there is but one table the engine reads it from its end for an order by time, and stops
 * when it has enough; it reads other columns only for what is left then. Of several tables each gives as many as the
 * page could take of it, in order, and the whole is sorted once more.
 */
export function orderedStatement(search: PreparedSearch, rows: OrderedRows): string {
  const { sort, limit, offset = 0 } = rows;
  const keys = sortKeys(sort);
  const order = orderBy(sort, keys);
  const more = [
    ...(rows.after === undefined ? [] : [afterPosition(sort, keys, rows.after, search.parameters)]),
    ...(rows.condition === undefined ? [] : [rows.condition]),
  ];
  const keyColumns = keys.map(({ expression }, position) => `${expression} AS ${keyName(position)}`);
  const isLimitedEarly = limit !== undefined && search.tables.length > 1;
  const ending = isLimitedEarly ? ` ORDER BY ${order} LIMIT ${limit + offset}` : '';
  const selects = search.tables.map(({ table, condition }, number) => {
    const selection = [`${number} AS set_number`, ...ORDER_COLUMNS, ...rows.inner, ...keyColumns].join(', ');
    return `(SELECT ${selection} FROM ${table} WHERE ${[condition, ...more].join(' AND ')}${ending})`;
  });
  const page = limit === undefined ? '' : ` LIMIT ${limit} OFFSET ${offset}`;
  return `SELECT ${rows.outer.join(', ')} FROM (${selects.join(' UNION ALL ')}) ORDER BY ${order}${page}`;
}

/** For the cursor: 64-bit integers as texts, or JSON would lose their last digits. */
function keyColumn({ type }: SortKey, position: number): string {
  const name = keyName(position);
  return `${type === 'Int64' ? `toString(${name})` : name} AS ${name}_value`;
}
