import type { Kysely } from 'kysely';
import type { Database } from '../tables/index.ts';

export const HOUR_MS = 3_600_000;

/** Bytes: as received, after decoding, as written to the message storage. */
export interface TrafficAmounts {
  readonly input: number;
  readonly decoded: number;
  readonly output: number;
}

export interface TrafficHour extends TrafficAmounts {
  /** Its first millisecond. */
  readonly hour: number;
}

/** How many bytes the nodes took in and stored, by the hour. */
export interface TrafficRepository {
  /** Adds to what the node counted in the hour of `time`. */
  add(nodeId: string, time: number, amounts: TrafficAmounts): Promise<void>;
  /** The hours from `from` on and before `to`, summed over all nodes, oldest first. */
  list(from: number, to: number): Promise<readonly TrafficHour[]>;
  /** Forgets the hours before `time`; how many rows. */
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
      // PostgreSQL sums bigints to its decimal type, which arrives as text.
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
