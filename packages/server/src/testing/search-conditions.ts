import type { ParsedQuery } from '@millrace/query';
import type { Message } from '#core/index.ts';
import { createMessageSource } from '#search/execution/message-source.ts';
import {
  createSqlParameters,
  type QueryConditions,
  type QueryContext,
  queryConditions,
  type SqlParameters,
} from '#search/query/index.ts';
import { createClickHouse } from '#storage/index.ts';
import type { CataloguedField } from '#storage/service.ts';
import type { TestClickHouse } from './clickhouse.ts';

export type TestQuery = Pick<QueryContext, 'now' | 'timeZone'> & {
  readonly query: NonNullable<ParsedQuery['query']>;
};

/** Under an emulator a statement costs a moment whatever it does, and a SELECT in it another. */
const QUERIES_A_STATEMENT = 500;
/** Such a statement takes its time there, on a busy machine above all. */
const PATIENCE_MS = 600_000;

/**
 * For every query the positions (offsets of the ids) of the messages it finds, ascending.
 *
 * @param how `where`: as a search does it, with the text index where there is one, a statement for each query. Where a
 *   search may read new parts, or what no index narrows, in branches of their own or not, both must find the same.
 *   `aggregate`: all of them in one pass over the table, which does not ask the index: many times faster. With
 *   `aggregate new` the conditions are those for new parts.
 */
export async function findWithSql(
  { endpoint, database }: TestClickHouse,
  table: string,
  messages: readonly Message[],
  queries: readonly TestQuery[],
  how: 'where' | 'aggregate' | 'aggregate new',
): Promise<number[][]> {
  const fields = cataloguedFields(messages);
  const found: number[][] = [];
  const clickhouse = createClickHouse([endpoint], { database, requestTimeoutMs: PATIENCE_MS });
  for (let start = 0; start < queries.length; start += QUERIES_A_STATEMENT) {
    const parameters = createSqlParameters();
    const conditions = queries
      .slice(start, start + QUERIES_A_STATEMENT)
      .map(({ query, ...context }) => queryConditions(query, { ...context, fields }, parameters));
    const options = { parameters: parameters.values, settings: SETTINGS };
    const columns = new Map<string, number[]>();
    if (how === 'where') {
      const sql = selectEach({ table, database }, conditions, parameters);
      const rows = await clickhouse.query<{ query: string; found: number[] }>(sql, options);
      for (const row of rows) columns.set(row.query, row.found);
      requireSameInOneBranch(columns);
    } else {
      const some = conditions.map(({ indexed, forNewParts }) =>
        how === 'aggregate' ? indexed : (forNewParts ?? indexed),
      );
      const [row] = await clickhouse.query<Record<string, number[]>>(selectAll(table, some), options);
      for (const [name, positions] of Object.entries(row ?? {})) columns.set(name, positions);
    }
    found.push(...conditions.map((_, index) => columns.get(`q${index}`) ?? []));
  }
  await clickhouse.close();
  return found;
}

const SETTINGS = {
  max_threads: 1,
  max_query_size: '4000000',
  max_ast_elements: '1000000',
  readonly: '2',
  compile_expressions: 0,
} as const;

/** Whether new parts, and what no index can narrow, are read in branches of their own. */
interface Branches {
  readonly newParts: boolean;
  readonly split: boolean;
}

/** A row for each query: its name and what it found. */
function selectEach(
  { table, database }: { readonly table: string; readonly database: string },
  conditions: readonly QueryConditions[],
  parameters: SqlParameters,
): string {
  const target = (branches: Branches) => ({
    indexSetId: 'a',
    prefix: 'a',
    database,
    table,
    closedIndices: [],
    indices: [0, 1],
    incompleteBefore: undefined,
    mayHaveManyNew: branches.newParts,
    mayBeLarge: branches.split,
  });
  const span = { from: 0, to: LATEST };
  const select = (name: string, each: QueryConditions, branches: Branches) => {
    const { source } = createMessageSource({
      targets: [target(branches)],
      span,
      streams: undefined,
      visibleStreams: undefined,
      conditions: each,
      parameters,
    });
    return `SELECT '${name}' AS query, arraySort(groupArray(toUInt32(id_offset))) AS found FROM ${source(['id_offset'])}`;
  };
  return conditions
    .flatMap((each, index) => [
      select(`q${index}`, each, { newParts: true, split: true }),
      ...(each.forNewParts === undefined && each.split === undefined
        ? []
        : [select(`${ONE_BRANCH}q${index}`, each, { newParts: false, split: false })]),
    ])
    .join('\nUNION ALL\n');
}

const ONE_BRANCH = 'one branch ';

function requireSameInOneBranch(found: ReadonlyMap<string, readonly number[]>): void {
  for (const [name, positions] of found) {
    if (!name.startsWith(ONE_BRANCH)) continue;
    const other = found.get(name.slice(ONE_BRANCH.length));
    if (`${other}` !== `${positions}`) throw new Error(`${name} finds ${positions}, several find ${other}`);
  }
}

const LATEST = Date.UTC(2299, 11, 31);

/** Outside of WHERE the engine knows nothing of the index, so not of its lower case either. */
function selectAll(table: string, conditions: readonly string[]): string {
  const columns = conditions.map((condition, index) => {
    const withoutIndex = condition.replaceAll(/(has(?:All|Any)Tokens)\(text,/g, '$1(lowerUTF8(text),');
    return `arraySort(groupArrayIf(toUInt32(id_offset), ${withoutIndex})) AS q${index}`;
  });
  return `SELECT ${columns.join(',\n')} FROM ${table}`;
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
