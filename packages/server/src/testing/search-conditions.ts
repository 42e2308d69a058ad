import type { ParsedQuery } from '@millrace/query';
import type { Message } from '#core/index.ts';
import { createSqlParameters, type QueryContext, queryCondition } from '#search/query/index.ts';
import type { CataloguedField } from '#storage/service.ts';
import type { TestClickHouse } from './clickhouse.ts';

export type TestQuery = Pick<QueryContext, 'now' | 'timeZone'> & {
  readonly query: NonNullable<ParsedQuery['query']>;
};

/** Under an emulator a statement costs a moment whatever it does, and a SELECT in it another. */
const QUERIES_A_STATEMENT = 500;

/**
 * For every query the positions (offsets of the ids) of the messages it finds, ascending.
 *
 * @param how `where`: as a search does it, with the text index where there is one, a SELECT for each query.
 *   `aggregate`: all of them in one pass over the table, which does not ask the index: many times faster.
 */
export async function findWithSql(
  { clickhouse }: TestClickHouse,
  table: string,
  messages: readonly Message[],
  queries: readonly TestQuery[],
  how: 'where' | 'aggregate',
): Promise<number[][]> {
  const fields = cataloguedFields(messages);
  const found: number[][] = [];
  for (let start = 0; start < queries.length; start += QUERIES_A_STATEMENT) {
    const parameters = createSqlParameters();
    const conditions = queries
      .slice(start, start + QUERIES_A_STATEMENT)
      .map(({ query, ...context }) => queryCondition(query, { ...context, fields }, parameters));
    const rows = await clickhouse.query<{ query: number; found: number[] }>(
      how === 'where' ? selectEach(table, conditions) : selectAll(table, conditions),
      { parameters: parameters.values, settings: SETTINGS },
    );
    const inOrder = rows.sort((a, b) => a.query - b.query);
    found.push(...inOrder.map((row) => row.found));
  }
  return found;
}

const SETTINGS = {
  max_threads: 1,
  max_query_size: '4000000',
  readonly: '2',
  compile_expressions: 0,
} as const;

function selectEach(table: string, conditions: readonly string[]): string {
  return conditions
    .map(
      (condition, index) =>
        `SELECT ${index} AS query, arraySort(groupArray(toUInt32(id_offset))) AS found FROM ${table} WHERE ${condition}`,
    )
    .join('\nUNION ALL\n');
}

/** Outside of WHERE the engine knows nothing of the index, so not of its lower case either. */
function selectAll(table: string, conditions: readonly string[]): string {
  const each = conditions.map(
    (condition) =>
      `arraySort(groupArrayIf(toUInt32(id_offset), ${condition.replaceAll(/(has(?:All|Any)Tokens)\(text,/g, '$1(lowerUTF8(text),')}))`,
  );
  return `SELECT arrayJoin(arrayEnumerate(all)) - 1 AS query, all[query + 1] AS found FROM (SELECT [${each.join(',\n')}] AS all FROM ${table})`;
}

/** What the field catalogue would know of these messages. */
export function cataloguedFields(messages: readonly Message[]): CataloguedField[] {
  const types = new Map<string, Set<CataloguedField['types'][number]>>();
  for (const message of messages) {
    message.forEachField((name, value) => {
      const known = types.get(name) ?? new Set();
      types.set(name, known);
      known.add(typeof value === 'string' ? 'string' : typeof value === 'boolean' ? 'boolean' : 'number');
    });
  }
  return [...types].map(([name, known]) => ({ name, types: [...known].sort() }));
}
