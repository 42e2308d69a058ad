import { expect, test } from 'vitest';
import { RetryableError } from '#core/index.ts';
import { createLogger } from '#telemetry/index.ts';
import { SimulatedClickHouse, simulatedShards } from '#testing/simulated-clickhouse.ts';
import type { ClickHouseServer } from './clickhouse/index.ts';
import { createNewPartsMerge } from './new-parts.ts';

const simulated = new SimulatedClickHouse([]);

/** Is killed by its first merge, after which it has no new parts. */
class KilledByMerge {
  hasUsualLimits = true;
  isThere = true;
  #hasNewParts = true;
  readonly server: ClickHouseServer;

  constructor(base: ClickHouseServer) {
    this.server = {
      ...base,
      query: async <Row>(sql: string) => this.#query(sql) as Row[],
      command: async (sql) => this.#command(sql),
    };
  }

  #query(sql: string): object[] {
    if (sql.includes('engine_full')) return this.hasUsualLimits ? [] : [{ name: 'messages' }];
    return this.#hasNewParts ? [{ table: 'messages', most: '3', bytes: '300', fingerprint: '1' }] : [];
  }

  #command(sql: string): void {
    if (sql.startsWith('OPTIMIZE')) {
      this.#hasNewParts = false;
      this.isThere = false;
    }
    if (!this.isThere) throw new RetryableError('the server is away');
    this.hasUsualLimits = !/min_parts_to_merge_at_once = 2\b/.test(sql);
  }
}

test('a server that is killed during the merge gets the usual limits when it is back', async () => {
  const killed = new KilledByMerge(simulated.servers[0] as ClickHouseServer);
  const clickhouse = {
    ...simulatedShards([simulated]),
    present: async () => (killed.isThere ? [killed.server] : []),
  };
  const merge = createNewPartsMerge(
    { clickhouse: () => clickhouse, logger: createLogger({ level: 'silent' }) },
    { database: 'test' },
  );
  await expect(merge.run()).rejects.toThrow('the server is away');
  expect(killed.hasUsualLimits).toBe(false);
  await merge.run();
  killed.isThere = true;
  await merge.run();
  expect(killed.hasUsualLimits).toBe(true);
});
