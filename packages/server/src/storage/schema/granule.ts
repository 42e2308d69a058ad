/** How many messages and bytes a granule of a table has at most. The engine can change neither: older tables keep theirs. */
import { type ClickHouse, type ClickHouseServer, isUnreachable, replicasOf } from '../clickhouse/index.ts';

export interface Granule {
  readonly rows: number;
  readonly bytes: number;
}

export const GRANULE: Granule = { rows: 2048, bytes: 4 * 2 ** 20 };

/** Of a table that does not say otherwise. */
const USUAL: Granule = { rows: 8192, bytes: 10 * 2 ** 20 };

/** Of the definition of a table's engine, as `engine_full` of `system.tables` has it. */
export function granuleOf(engine: string): Granule {
  const setting = (name: string) => new RegExp(`\\b${name} = (\\d+)`).exec(engine)?.[1];
  return {
    rows: Number(setting('index_granularity') ?? USUAL.rows),
    bytes: Number(setting('index_granularity_bytes') ?? USUAL.bytes),
  };
}

/**
 * What a replica of the table must have: ClickHouse refuses one whose granules differ from those of the others, which an
 * earlier version may have created. Undefined: there is no other, or none answers.
 */
export async function granuleOfReplicas(
  { servers, replication }: Pick<ClickHouse, 'servers' | 'replication'>,
  server: ClickHouseServer,
  name: { readonly database: string; readonly table: string },
): Promise<Granule | undefined> {
  if (replication === undefined) return undefined;
  const shard = servers.find((each) => each === server || replicasOf(each).includes(server)) ?? server;
  for (const replica of replicasOf(shard)) {
    try {
      const [found] = await replica.query<{ definition: string }>(
        'SELECT engine_full AS definition FROM system.tables WHERE database = {database:String} AND name = {table:String}',
        { parameters: name },
      );
      if (found !== undefined) return granuleOf(found.definition);
    } catch (error) {
      if (!isUnreachable(error)) throw error;
    }
  }
  return undefined;
}
