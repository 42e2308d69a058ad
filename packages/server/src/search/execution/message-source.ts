/**
 * The messages of a search, as a table expression: a UNION over the tables of all index sets. In each table it applies
 * the time range, the streams the caller may read and the query, and it selects every message once.
 *
 * EACH MESSAGE ONCE. A message is written to every index set of its streams, and each row lists all of them
 * (`index_sets`). It is selected from the first of these, in the order of the targets. If indices of that index set
 * were closed or deleted, its copy may be gone. So for messages received before its first complete index, the engine
 * checks whether the copy exists. Later messages need no check, nor do index sets that have lost no index. If the query
 * asks for an index, one copy may match and another not, so the engine checks whether an earlier copy matches. All
 * copies of a message are on the same server, so with several servers each does all of this for itself.
 */
import { acrossShards, fieldColumn, qualifiedName, type SearchTarget } from '#storage/index.ts';
import { VISIBLE_STREAMS } from '../own-fields.ts';
import {
  INDEX_PREFIX,
  instantSql,
  type QueryConditions,
  type SqlParameters,
  visibleStreamsSql,
} from '../query/index.ts';
import type { TimeSpan } from '../time/index.ts';

/** A field with ids, or lists of ids with commas between them. Unlike in a query there may be any number. */
export interface FieldIds {
  readonly field: string;
  readonly ids: readonly string[];
}

export interface MessageSourceParts {
  readonly targets: readonly SearchTarget[];
  readonly span: TimeSpan;
  /** Only messages of at least one of these streams; undefined for all. */
  readonly streams: readonly string[] | undefined;
  /** The streams that the caller may read; undefined for all. */
  readonly visibleStreams: readonly string[] | undefined;
  /** Only messages with a value in one of these fields that has no other ids; undefined for all. */
  readonly onlyIds?: readonly FieldIds[] | undefined;
  /** The query as SQL. */
  readonly conditions: QueryConditions;
  readonly parameters: SqlParameters;
}

export interface MessageSource {
  /**
   * A table expression for FROM with these columns of every message that matches, each message once. The columns are
   * SQL expressions with aliases, evaluated inside each table; there, a column wins over an alias of the same name.
   */
  source(columns: readonly string[], options?: SourceOptions): string;
  /** The name of a message's index, from a row that was selected with `withSetNumber`. */
  indexName(row: { readonly set_number: number; readonly index_number: number }): string;
}

export interface SourceOptions {
  /** Further conditions, in SQL over the columns of a table. */
  readonly conditions?: readonly string[];
  /** Only the first rows of the whole are needed; sort and limit the result again. */
  readonly first?: { readonly orderBy: string; readonly limit: number } | undefined;
  /** Adds the column `set_number`, which tells the tables apart. */
  readonly withSetNumber?: boolean;
}

/** One SELECT of the UNION: a table, or some of its parts. */
interface SourceTable {
  /** The position of the table's target. */
  readonly number: number;
  /** Quoted. */
  readonly table: string;
  /** SQL for the prefix of its index set. */
  readonly prefix: () => string;
  readonly condition: string;
}

/**
 * The level of a part is the last number of its name, except that changed parts have another number behind it. New parts
 * have level 0. The engine excludes the other parts before it opens them.
 */
const IS_NEW_PART = "endsWith(_part, '_0')";

/** Bounds clock differences between nodes and the time until every worker knows of a rotation. */
const ROTATION_SLACK_MS = 3_600_000;

const IDENTITY = 'received_at, id_partition, id_offset';

export function createMessageSource(parts: MessageSourceParts): MessageSource {
  const tables = sourceTables(parts);
  const visibleStreams = visibleStreamsSql(parts.visibleStreams, parts.parameters);
  return {
    source: (columns, options = {}) =>
      unionOf(tables, columns, options).replaceAll(VISIBLE_STREAMS, () => visibleStreams),
    indexName: ({ set_number, index_number }) => `${parts.targets[set_number]?.prefix}_${index_number}`,
  };
}

function unionOf(tables: readonly SourceTable[], columns: readonly string[], options: SourceOptions): string {
  const { conditions = [], first, withSetNumber = false } = options;
  // The engine reads a single table in order and stops early by itself.
  const ending =
    first !== undefined && tables.length > 1 ? ` ORDER BY ${first.orderBy} LIMIT ${first.limit}` : '';
  const selects = tables.map(({ number, table, prefix, condition }) => {
    const selection = [...(withSetNumber ? [`${number} AS set_number`] : []), ...columns];
    const where = [condition, ...conditions].join(' AND ');
    return `SELECT ${selection.join(', ')} FROM ${table} WHERE ${where}${ending}`.replaceAll(
      INDEX_PREFIX,
      prefix,
    );
  });
  // A branch with its own ORDER BY needs brackets.
  const [only = ''] = selects;
  return acrossShards(selects.length === 1 ? only : selects.map((each) => `(${each})`).join(' UNION ALL '));
}

function sourceTables(parts: MessageSourceParts): SourceTable[] {
  const { parameters } = parts;
  const span = spanCondition(parts.span, parameters);
  const streams = [...streamCondition(parts), ...idsCondition(parts)];
  const { indexed, forNewParts, split = [indexed] } = parts.conditions;
  const asksForIndex = indexed.includes(INDEX_PREFIX);
  const tables = parts.targets.map((target) => {
    let added: string | undefined;
    const prefix = () => {
      added ??= parameters.add(target.prefix, 'String');
      return added;
    };
    const scope = [...openCondition(target, parameters), ...span, ...streams];
    const scoped = (condition: string) =>
      [...scope, condition.replaceAll(INDEX_PREFIX, prefix)].filter((each) => each !== '1');
    return {
      target,
      table: qualifiedName(target.database, target.table),
      prefix,
      open: scoped(indexed),
      branches: (target.mayBeLarge ? split : [indexed]).map(scoped),
      newParts: forNewParts === undefined || !target.mayHaveManyNew ? undefined : scoped(forNewParts),
    };
  });
  return tables.flatMap(({ target, table, prefix, branches, newParts }, number) => {
    const earlier = tables.slice(0, number);
    const copies = asksForIndex
      ? earlier.map((each) => noMatchIn(each, target, parameters))
      : copyConditions(earlier, target, parameters);
    const select = (conditions: readonly string[]) => ({
      number,
      table,
      prefix,
      condition: [...conditions, ...copies].join(' AND ') || '1',
    });
    if (newParts === undefined) return branches.map(select);
    return [
      ...branches.map((branch) => select([`NOT ${IS_NEW_PART}`, ...branch])),
      select([IS_NEW_PART, ...newParts]),
    ];
  });
}

function spanCondition({ from, to }: TimeSpan, parameters: SqlParameters): string[] {
  const until = `timestamp <= ${instantSql(to, parameters)}`;
  return from === 0 ? [until] : [`timestamp >= ${instantSql(from, parameters)}`, until];
}

function streamCondition({ streams, parameters }: MessageSourceParts): string[] {
  if (streams === undefined) return [];
  return [streams.length === 0 ? '0' : `hasAny(streams, ${parameters.add(streams, 'Array(String)')})`];
}

function idsCondition({ onlyIds, parameters }: MessageSourceParts): string[] {
  if (onlyIds === undefined) return [];
  const alternatives = onlyIds
    .filter(({ ids }) => ids.length > 0)
    .map(({ field, ids }) => {
      const column = fieldColumn(field);
      const value = column.kind === 'dynamic' ? `ifNull(${column.typed('String')}, '')` : column.expression;
      const known = parameters.add(ids, 'Array(String)');
      // An empty text has one part, which is no id.
      return `arrayAll(id -> has(${known}, id), splitByChar(',', ${value}))`;
    });
  return [alternatives.length === 0 ? '0' : `(${alternatives.join(' OR ')})`];
}

function openCondition({ closedIndices }: SearchTarget, parameters: SqlParameters): string[] {
  return closedIndices.length === 0
    ? []
    : [`index_number NOT IN ${parameters.add(closedIndices, 'Array(UInt32)')}`];
}

interface EarlierTable {
  readonly target: SearchTarget;
  readonly table: string;
  /** The conditions of the search on this table, without those about copies. */
  readonly open: readonly string[];
}

function copyConditions(
  earlier: readonly EarlierTable[],
  later: SearchTarget,
  parameters: SqlParameters,
): string[] {
  const complete = earlier.filter(({ target }) => target.incompleteBefore === undefined);
  const ids = complete.map(({ target }) => target.indexSetId);
  return [
    ...(ids.length === 0 ? [] : [`NOT hasAny(index_sets, ${parameters.add(ids, 'Array(String)')})`]),
    ...earlier.filter((each) => !complete.includes(each)).map((each) => noCopyIn(each, later, parameters)),
  ];
}

function noCopyIn(earlier: EarlierTable, later: SearchTarget, parameters: SqlParameters): string {
  const { target } = earlier;
  const id = parameters.add(target.indexSetId, 'String');
  const boundary = instantSql((target.incompleteBefore ?? 0) + ROTATION_SLACK_MS, parameters);
  const copies = copiesIn(earlier, later, [`received_at < ${boundary}`], parameters);
  return `NOT (has(index_sets, ${id}) AND (received_at >= ${boundary} OR (${IDENTITY}) IN (${copies})))`;
}

function noMatchIn(earlier: EarlierTable, later: SearchTarget, parameters: SqlParameters): string {
  const id = parameters.add(earlier.target.indexSetId, 'String');
  return `NOT (has(index_sets, ${id}) AND (${IDENTITY}) IN (${copiesIn(earlier, later, [], parameters)}))`;
}

/** The messages of an earlier table that match and are in the later one too: the engine keeps only these in memory. */
function copiesIn(
  { table, open }: EarlierTable,
  later: SearchTarget,
  conditions: readonly string[],
  parameters: SqlParameters,
): string {
  const isInBoth = `has(index_sets, ${parameters.add(later.indexSetId, 'String')})`;
  return `SELECT ${IDENTITY} FROM ${table} WHERE ${[isInBoth, ...conditions, ...open].join(' AND ')}`;
}
