import type { PreparedSearch } from '../execution/index.ts';
import { type MessageColumns, messageColumns } from './message-rows.ts';
import {
  afterPosition,
  keyName,
  type MessageSort,
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

/**
 * Messages in order. Each table gives as many as the page could take of it, in order, which for an order by time it
 * reads from its end and then stops; the whole is sorted once more. Only for what is left are columns turned into
 * text.
 */
export function pageStatement(
  search: PreparedSearch,
  page: MessagePage,
): { readonly sql: string; readonly columns: MessageColumns } {
  const { sort, limit, offset = 0 } = page;
  const keys = sortKeys(sort);
  const columns = messageColumns(page.fields);
  const order = orderBy(sort, keys);
  const more = [
    ...(page.after === undefined ? [] : [afterPosition(sort, keys, page.after, search.parameters)]),
    ...(page.condition === undefined ? [] : [page.condition]),
  ];
  const keyColumns = keys.map(({ expression }, position) => `${expression} AS ${keyName(position)}`);
  const selects = search.tables.map(({ table, condition }, number) => {
    const selection = [`${number} AS set_number`, ...columns.inner, ...keyColumns].join(', ');
    const ending = limit === undefined ? '' : ` ORDER BY ${order} LIMIT ${limit + offset}`;
    return `(SELECT ${selection} FROM ${table} WHERE ${[condition, ...more].join(' AND ')}${ending})`;
  });
  const outer = [...columns.outer, ...keys.map(keyColumn)];
  const ending = limit === undefined ? '' : ` LIMIT ${limit} OFFSET ${offset}`;
  const sorted = `SELECT * FROM (${selects.join(' UNION ALL ')}) ORDER BY ${order}${ending}`;
  return { columns, sql: `SELECT ${outer.join(', ')} FROM (${sorted})` };
}

/** For the cursor: 64-bit integers as texts, or JSON would lose their last digits. */
function keyColumn({ type }: SortKey, position: number): string {
  const name = keyName(position);
  return `${type === 'Int64' ? `toString(${name})` : name} AS ${name}_value`;
}
