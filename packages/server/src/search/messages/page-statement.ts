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
  /** Only these fields; all by default. */
  readonly fields?: readonly string[] | undefined;
  /** No limit by default. */
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  /** Only messages after this position. */
  readonly after?: SortPosition | undefined;
  /** A further condition, in SQL over the columns of a table. */
  readonly condition?: string | undefined;
}

export function pageStatement(
  search: PreparedSearch,
  page: MessagePage,
): { readonly sql: string; readonly columns: MessageColumns } {
  const columns = messageColumns(page.fields);
  const outer = [...columns.outer, ...sortKeys(page.sort).map(keyColumn)];
  return { columns, sql: orderedStatement(search, { ...page, inner: columns.inner, outer }) };
}

export interface OrderedRows extends Omit<MessagePage, 'fields'> {
  /** Columns of each table. The columns that messages are ordered by are added to them. */
  readonly inner: readonly string[];
  /** SQL over these columns, `set_number` and the sort keys; computed only for the rows within the limit. */
  readonly outer: readonly string[];
}

/**
 * Messages in order. To order by time, the engine reads a single table from its end, stops when it has enough rows, and
 * reads the other columns of those rows only. Of several tables, each one returns at most as many rows as the page can
 * hold, and the outer statement sorts them again.
 */
export function orderedStatement(search: PreparedSearch, rows: OrderedRows): string {
  const { sort, limit, offset = 0 } = rows;
  const keys = sortKeys(sort);
  const order = orderBy(sort, keys);
  const conditions = [
    ...(rows.after === undefined ? [] : [afterPosition(sort, keys, rows.after, search.parameters)]),
    ...(rows.condition === undefined ? [] : [rows.condition]),
  ];
  const keyColumns = keys.map(({ expression }, position) => `${expression} AS ${keyName(position)}`);
  const source = search.source([...ORDER_COLUMNS, ...rows.inner, ...keyColumns], {
    conditions,
    first: limit === undefined ? undefined : { orderBy: order, limit: limit + offset },
    withSetNumber: true,
  });
  const page = limit === undefined ? '' : ` LIMIT ${limit} OFFSET ${offset}`;
  return `SELECT ${rows.outer.join(', ')} FROM ${source} ORDER BY ${order}${page}`;
}

/** For the cursor. 64-bit integers become texts, because JSON would lose their last digits. */
function keyColumn({ type }: SortKey, position: number): string {
  const name = keyName(position);
  return `${type === 'Int64' ? `toString(${name})` : name} AS ${name}_value`;
}
