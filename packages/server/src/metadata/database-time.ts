import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '#core/index.ts';
import type { DatabaseKind } from './columns.ts';

/**
 * The time, in milliseconds since the epoch, by the one clock that all users of the database share. Nodes whose
 * clocks differ must agree on who is alive and on when a lease ends, so PostgreSQL's own clock decides there;
 * SQLite has its users on one machine. To be made anew for every query.
 */
export type DatabaseTime = () => RawBuilder<number>;

export function databaseTime(kind: DatabaseKind, clock: Clock): DatabaseTime {
  return kind === 'postgres'
    ? () => sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
    : () => sql<number>`${clock.now()}`;
}
