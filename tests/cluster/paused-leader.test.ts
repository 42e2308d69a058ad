import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { type HttpReceiver, startHttpReceiver } from '../../packages/server/src/testing/http-receiver.ts';
import { whyNoPostgres } from '../../packages/server/src/testing/postgres.ts';
import { call, useCluster } from '../support/cluster.ts';
import type { NodeProcess } from '../support/node-process.ts';

const PATIENCE = { timeoutMs: 240_000, intervalMs: 100 };
const NODES = 3;
const ROUNDS = 2;
const MESSAGES = 10;
const STRATEGIES = 'org.graylog2.indexer';

interface Member {
  readonly process: NodeProcess;
  readonly address: string;
  readonly nodeId: string;
  readonly httpPort: number;
}

describe.skipIf(whyNoPostgres() !== undefined)(
  'three nodes, of which the leader is stopped (SIGSTOP)',
  () => {
    const cluster = useCluster();
    const members: Member[] = [];
    let streamId: string;
    let indexSetId: string;

    beforeAll(async () => {
      const database = await cluster.createDatabase();
      async function join(): Promise<void> {
        const process = cluster.start(database, {
          alert_check_interval: '1',
          notification_allowed_networks: '127.0.0.0/8',
        });
        const address = await process.ready();
        const { node_id: nodeId } = await call(address, 'GET', '/system/cluster/node');
        members.push({ process, address, nodeId, httpPort: await process.inputPort('GELF HTTP') });
      }
      // The first one creates the tables.
      await join();
      await Promise.all(Array.from({ length: NODES - 1 }, join));
    });

    /** The node that all of these agree on. */
    async function leaderSeenBy(asked: readonly Member[]): Promise<Member> {
      const seen = new Set<string>();
      for (const { address } of asked) {
        const { nodes } = await call(address, 'GET', '/system/cluster/nodes');
        const leaders = nodes.filter((node: { is_leader: boolean }) => node.is_leader);
        expect(leaders).toHaveLength(1);
        seen.add(leaders[0].node_id);
      }
      expect(seen.size).toBe(1);
      const leader = members.find(({ nodeId }) => seen.has(nodeId));
      if (leader === undefined) throw new Error('the leader is none of the nodes');
      return leader;
    }

    async function setUp(receiver: HttpReceiver): Promise<void> {
      const [{ address }] = members as [Member];
      const indexSet = {
        title: 'Shop',
        index_prefix: 'shop',
        shards: 1,
        replicas: 0,
        index_analyzer: 'standard',
        index_optimization_max_num_segments: 1,
        field_type_refresh_interval: 5000,
        rotation_strategy_class: `${STRATEGIES}.rotation.strategies.MessageCountRotationStrategy`,
        rotation_strategy: { max_docs_per_index: MESSAGES },
        retention_strategy_class: `${STRATEGIES}.retention.strategies.DeletionRetentionStrategy`,
        retention_strategy: { max_number_of_indices: 20 },
        writable: true,
      };
      // A node is ready for messages before its storage is.
      const { id } = await eventually(
        () => call(address, 'POST', '/system/indices/index_sets', indexSet),
        PATIENCE,
      );
      indexSetId = id;
      const created = await call(address, 'POST', '/streams', {
        title: 'Shop',
        index_set_id: indexSetId,
        remove_matches_from_default_stream: true,
        rules: [{ type: 1, field: 'app', value: 'shop', inverted: false }],
      });
      streamId = created.stream_id;
      await call(address, 'POST', `/streams/${streamId}/resume`);
      await call(address, 'POST', `/streams/${streamId}/alarmcallbacks`, {
        type: 'org.graylog2.alarmcallbacks.HTTPAlarmCallback',
        title: 'Hook',
        configuration: { url: receiver.url },
      });
    }

    async function stored(address: string): Promise<number> {
      const path = `/search/universal/relative?query=*&range=0&filter=streams:${streamId}`;
      return (await call(address, 'GET', path)).total_results;
    }

    const indexNames = async (address: string): Promise<string[]> =>
      Object.keys((await call(address, 'GET', `/system/indexer/overview/${indexSetId}`)).indices).toSorted();

    async function send({ httpPort }: Member, count: number): Promise<void> {
      for (let each = 0; each < count; each++) {
        const body = JSON.stringify({ version: '1.1', host: 'shop', short_message: 'sold', _app: 'shop' });
        expect((await fetch(`http://127.0.0.1:${httpPort}/gelf`, { method: 'POST', body })).status).toBe(202);
      }
    }

    const addRule = (address: string, title: string) =>
      call(address, 'POST', `/streams/${streamId}/alerts/conditions`, {
        type: 'message_count',
        title,
        parameters: { time: 60, threshold: 0, threshold_type: 'more', grace: 60 },
      });

    test('another one takes over; the stopped one goes on and does nothing a second time', async () => {
      const receiver = await startHttpReceiver();
      const noticesOf = (title: string) =>
        receiver.calls.filter(
          ({ body }) => JSON.parse(body).check_result.triggered_condition.title === title,
        );
      await setUp(receiver);
      // All nodes route into the stream.
      for (const member of members) {
        await eventually(async () => {
          await send(member, 1);
          const before = await stored(member.address);
          await send(member, 1);
          await eventually(async () => expect(await stored(member.address)).toBeGreaterThan(before), {
            timeoutMs: 5000,
            intervalMs: 100,
          });
        }, PATIENCE);
      }

      for (let round = 0; round < ROUNDS; round++) {
        const stopped = await eventually(() => leaderSeenBy(members), PATIENCE);
        const others = members.filter((member) => member !== stopped);
        const [witness] = others as [Member];
        const indicesBefore = await indexNames(witness.address);
        stopped.process.kill('SIGSTOP');
        const title = `Round ${round} of the shop`;
        await addRule(witness.address, title);
        const next = await eventually(async () => {
          const leader = await leaderSeenBy(others);
          expect(leader).not.toBe(stopped);
          return leader;
        }, PATIENCE);
        await send(witness, MESSAGES);
        await eventually(() => expect(noticesOf(title)).toHaveLength(1), PATIENCE);
        const rotated = await eventually(async () => {
          const names = await indexNames(witness.address);
          expect(names.length).toBeGreaterThan(indicesBefore.length);
          return names;
        }, PATIENCE);

        stopped.process.kill('SIGCONT');
        await eventually(async () => expect(await leaderSeenBy(members)).toBe(next), PATIENCE);
        // By the time that a later rule has alerted, the one that was stopped had its turn too.
        const later = `After round ${round}`;
        await addRule(stopped.address, later);
        await eventually(() => expect(noticesOf(later)).toHaveLength(1), PATIENCE);
        expect(noticesOf(title)).toHaveLength(1);
        expect(await indexNames(stopped.address)).toEqual(rotated);
      }
      expect(receiver.calls).toHaveLength(2 * ROUNDS);
      // Events are stored a little later than notices are sent.
      await eventually(async () => {
        const { total_events: events } = await call(members[0]?.address ?? '', 'POST', '/events/search', {});
        expect(events).toBe(2 * ROUNDS);
      }, PATIENCE);
    });
  },
);
