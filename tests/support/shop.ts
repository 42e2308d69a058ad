/** A stream with an index set that rotates after a few messages, and rules that call a receiver: what only one node may do. */
import { expect } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import type { HttpReceiver } from '../../packages/server/src/testing/http-receiver.ts';
import { call } from './cluster.ts';

const STRATEGIES = 'org.graylog2.indexer';
const PATIENCE = { timeoutMs: 240_000, intervalMs: 100 };

/** In the notice that a rule cannot be evaluated, as while a shard is away: another thing than its alert. */
const NOT_EVALUATED = 'could not be evaluated';

/** After how many messages its index set rotates. */
export const SHOP_INDEX_MESSAGES = 10;

export interface Shop {
  readonly streamId: string;
  /** Sends that many messages to the GELF input at this port; each is acknowledged. */
  send(port: number, count: number): Promise<void>;
  /** Alerts as soon as there is a message, once. */
  addRule(address: string, title: string): Promise<void>;
  /** How often the receiver was told of the alert of this rule. */
  notices(title: string): number;
  indexNames(address: string): Promise<string[]>;
}

export async function createShop(address: string, receiver: HttpReceiver): Promise<Shop> {
  const { id: indexSetId } = await call(address, 'POST', '/system/indices/index_sets', {
    title: 'Shop',
    index_prefix: 'shop',
    shards: 1,
    replicas: 0,
    index_analyzer: 'standard',
    index_optimization_max_num_segments: 1,
    field_type_refresh_interval: 5000,
    rotation_strategy_class: `${STRATEGIES}.rotation.strategies.MessageCountRotationStrategy`,
    rotation_strategy: { max_docs_per_index: SHOP_INDEX_MESSAGES },
    retention_strategy_class: `${STRATEGIES}.retention.strategies.DeletionRetentionStrategy`,
    retention_strategy: { max_number_of_indices: 100 },
    writable: true,
  });
  const { stream_id: streamId } = await call(address, 'POST', '/streams', {
    title: 'Shop',
    index_set_id: indexSetId,
    remove_matches_from_default_stream: true,
    rules: [{ type: 1, field: 'app', value: 'shop', inverted: false }],
  });
  await call(address, 'POST', `/streams/${streamId}/resume`);
  await call(address, 'POST', `/streams/${streamId}/alarmcallbacks`, {
    type: 'org.graylog2.alarmcallbacks.HTTPAlarmCallback',
    title: 'Hook',
    configuration: { url: receiver.url },
  });
  return {
    streamId,
    async send(port, count) {
      for (let each = 0; each < count; each++) {
        const body = JSON.stringify({ version: '1.1', host: 'shop', short_message: 'sold', _app: 'shop' });
        expect((await fetch(`http://127.0.0.1:${port}/gelf`, { method: 'POST', body })).status).toBe(202);
      }
    },
    async addRule(at, title) {
      await call(at, 'POST', `/streams/${streamId}/alerts/conditions`, {
        type: 'message_count',
        title,
        parameters: { time: 60, threshold: 0, threshold_type: 'more', grace: 60 },
      });
    },
    notices: (title) =>
      receiver.calls.filter(({ body }) => {
        const { triggered_condition: condition, result_description: text } = JSON.parse(body).check_result;
        return condition.title === title && !text.includes(NOT_EVALUATED);
      }).length,
    indexNames: async (at) =>
      Object.keys((await call(at, 'GET', `/system/indexer/overview/${indexSetId}`)).indices).toSorted(),
  };
}

/** Resolves when this node routes into the stream. */
export async function routesToShop(shop: Shop, address: string, port: number): Promise<void> {
  const stored = async (): Promise<number> => {
    const path = `/search/universal/relative?query=*&range=0&filter=streams:${shop.streamId}`;
    return (await call(address, 'GET', path)).total_results;
  };
  await eventually(async () => {
    const before = await stored();
    await shop.send(port, 1);
    await eventually(async () => expect(await stored()).toBeGreaterThan(before), {
      timeoutMs: 5000,
      intervalMs: 100,
    });
  }, PATIENCE);
}
