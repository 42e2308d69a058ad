/**
 * Where the messages of a search come from, as SQL: the tables of all index sets, in each of them the time range, the
 * streams the caller may read, the query, and of every message only one copy.
 *
 * ONE COPY. A message is written once to every index set of its streams, and each row knows all of them
 * (`index_sets`). It is taken from the first one in the order of the targets. Where indices of that one have been
 * closed or deleted, its copy may be gone: then, for what was received before the first index that is surely there,
 * the engine looks whether it is. Later messages need no look, and sets that have lost nothing never need one.
 */
import { qualifiedName, type SearchTarget } from '#storage/index.ts';
import type { SqlParameters } from '../query/index.ts';
import type { TimeSpan } from '../time/index.ts';

export interface MessageSourceParts {
  readonly targets: readonly SearchTarget[];
  readonly span: TimeSpan;
  /** Only messages of one of these; undefined for all. */
  readonly streams: readonly string[] | undefined;
  /** SQL of the query. */
  readonly condition: string;
  readonly parameters: SqlParameters;
}

/** SQL for one table, to be put together as `SELECT … FROM table WHERE condition`. */
export interface SourceTable {
  readonly target: SearchTarget;
  /** Quoted. */
  readonly table: string;
  readonly condition: string;
}

/** A worker that has not heard of a rotation yet, and clocks that disagree, stay within this. */
const ROTATION_SLACK_MS = 3_600_000;

const IDENTITY = 'received_at, id_partition, id_offset';

export function sourceTables(parts: MessageSourceParts): SourceTable[] {
  const { parameters } = parts;
  const span = spanCondition(parts.span, parameters);
  const streams = streamCondition(parts);
  const search = [...span, ...streams, parts.condition].filter((each) => each !== '1');
  const tables = parts.targets.map((target) => ({
    target,
    table: qualifiedName(target.database, target.table),
    open: [...openCondition(target, parameters), ...search],
  }));
  return tables.map(({ target, table, open }, position) => {
    const copies = copyConditions(tables.slice(0, position), parameters);
    return { target, table, condition: [...open, ...copies].join(' AND ') || '1' };
  });
}

function spanCondition({ from, to }: TimeSpan, parameters: SqlParameters): string[] {
  const instant = (time: number) =>
    `fromUnixTimestamp64Milli(${parameters.add(Math.trunc(time), 'Int64')}, 'UTC')`;
  return [...(from === 0 ? [] : [`timestamp >= ${instant(from)}`]), `timestamp <= ${instant(to)}`];
}

function streamCondition({ streams, parameters }: MessageSourceParts): string[] {
  if (streams === undefined) return [];
  return [streams.length === 0 ? '0' : `hasAny(streams, ${parameters.add(streams, 'Array(String)')})`];
}

function openCondition({ closedIndices }: SearchTarget, parameters: SqlParameters): string[] {
  return closedIndices.length === 0
    ? []
    : [`index_number NOT IN ${parameters.add(closedIndices, 'Array(UInt32)')}`];
}

interface EarlierTable {
  readonly target: SearchTarget;
  readonly table: string;
  /** What its rows fulfil that the search finds there, copies aside. */
  readonly open: readonly string[];
}

function copyConditions(earlier: readonly EarlierTable[], parameters: SqlParameters): string[] {
  const whole = earlier.filter(({ target }) => target.incompleteBefore === undefined);
  const ids = whole.map(({ target }) => target.indexSetId);
  return [
    ...(ids.length === 0 ? [] : [`NOT hasAny(index_sets, ${parameters.add(ids, 'Array(String)')})`]),
    ...earlier.filter((each) => !whole.includes(each)).map((each) => noCopyIn(each, parameters)),
  ];
}

function noCopyIn({ target, table, open }: EarlierTable, parameters: SqlParameters): string {
  const id = parameters.add(target.indexSetId, 'String');
  const surelyThere = parameters.add((target.incompleteBefore ?? 0) + ROTATION_SLACK_MS, 'Int64');
  const boundary = `fromUnixTimestamp64Milli(${surelyThere}, 'UTC')`;
  const copies = `SELECT ${IDENTITY} FROM ${table} WHERE ${[`received_at < ${boundary}`, ...open].join(' AND ')}`;
  return `NOT (has(index_sets, ${id}) AND (received_at >= ${boundary} OR (${IDENTITY}) IN (${copies})))`;
}
