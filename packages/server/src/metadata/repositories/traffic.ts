import type { Kysely } from 'kysely';
import type { Database } from '../tables/index.ts';

export const HOUR_MS = 3_600_000;

/** In bytes: as received, after decoding, as written to storage. */
export interface TrafficAmounts {
  readonly input: number;
  readonly decoded: number;
  readonly output: number;
}

export interface TrafficHour extends TrafficAmounts {
  /** The first millisecond of the hour. */
  readonly hour: number;
}

/** How many bytes the nodes received and stored per hour. */
export interface TrafficRepository {
  /** Adds to the node's amounts in the hour of `time`. */
  add(nodeId: string, time: number, amounts: TrafficAmounts): Promise<void>;
  /** The hours from `from` (inclusive) to `to` (exclusive), summed over all nodes, oldest first. */
  list(from: number, to: number): Promise<readonly TrafficHour[]>;
  /** Removes the hours before `time`; returns the number of rows. */
  removeBefore(time: number): Promise<number>;
}

export function createTrafficRepository(db: Kysely<Database>): TrafficRepository {
  return {
    async add(nodeId, time, { input, decoded, output }) {
      await db
        .insertInto('traffic')
        .values({ hour: time - (time % HOUR_MS), node_id: nodeId, input, decoded, output })
        .onConflict((conflict) =>
          conflict.columns(['hour', 'node_id']).doUpdateSet((expression) => ({
            input: expression('traffic.input', '+', input),
            decoded: expression('traffic.decoded', '+', decoded),
            output: expression('traffic.output', '+', output),
          })),
        )
        .execute();
    },

    async list(from, to) {
      const rows = await db
        .selectFrom('traffic')
        .select((expression) => [
          'hour',
          expression.fn.sum<number>('input').as('input'),
          expression.fn.sum<number>('decoded').as('decoded'),
          expression.fn.sum<number>('output').as('output'),
        ])
        .where('hour', '>=', from)
        .where('hour', '<', to)
        .groupBy('hour')
        .orderBy('hour')
        .execute();
      // PostgreSQL's sum of bigints is a decimal, which arrives as text.
      return rows.map((row) => ({
        hour: row.hour,
        input: Number(row.input),
        decoded: Number(row.decoded),
        output: Number(row.output),
      }));
    },

    async removeBefore(time) {
      const result = await db.deleteFrom('traffic').where('hour', '<', time).executeTakeFirst();
      return Number(result.numDeletedRows);
    },
  };
}
