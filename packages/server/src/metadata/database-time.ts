import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '#core/index.ts';
import type { DatabaseKind } from './columns.ts';

/**
 * The current time, in milliseconds since the epoch, by the clock that all nodes of the database share. Nodes with
 * different clocks must agree on who is alive and when a lease ends, so PostgreSQL's own clock decides. With SQLite
 * there is only one machine. Call it for every query.
 */
export type DatabaseTime = () => RawBuilder<number>;

export function databaseTime(kind: DatabaseKind, clock: Clock): DatabaseTime {
  return kind === 'postgres'
    ? () => sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
    : () => sql<number>`${clock.now()}`;
}
