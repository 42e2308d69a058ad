/**
 * One walk through everything that can go away in a cluster, while messages are sent and rules alert: each node killed,
 * the leader stopped, PostgreSQL and a ClickHouse shard gone, lines cut, and a rolling restart.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually, until } from '../../packages/server/src/testing/eventually.ts';
import { startHttpReceiver } from '../../packages/server/src/testing/http-receiver.ts';
import { whyNoPostgres } from '../../packages/server/src/testing/postgres.ts';
import { call } from '../support/cluster.ts';
import { type ApiAnswer, PASSWORD } from '../support/node-api.ts';
import { type OutageCluster, startOutageCluster, type WiredMember } from '../support/outage-cluster.ts';
import { createShop, routesToShop, SHOP_INDEX_MESSAGES, type Shop } from '../support/shop.ts';

const PATIENCE = { timeoutMs: 240_000, intervalMs: 100 };
const TIMEOUT_MS = 1_200_000;
const ENOUGH = 50;
/** A search that was sent before a line fell silent waits for minutes, and says nothing about those after it. */
const SEARCH_MS = 15_000;
const STANDS_STILL_MS = 30_000;
const POSTGRES_AWAY_MS = 20_000;

describe.skipIf(whyNoPostgres() !== undefined)('a cluster of three nodes and two shards', () => {
  let cluster: OutageCluster;
  let shop: Shop;
  let session: string;
  const rules: string[] = [];

  beforeAll(async () => {
    cluster = await startOutageCluster({
      alert_check_interval: '1',
      notification_allowed_networks: '127.0.0.0/8',
    });
  });
  afterAll(() => cluster?.stop());

  const others = (than: WiredMember) => cluster.members.filter((member) => member !== than);
  const first = (list: readonly WiredMember[]): WiredMember => list[0] ?? expect.fail('there is no node');

  async function moreAcknowledged(count = ENOUGH): Promise<void> {
    const enough = cluster.load.acknowledged.size + count;
    await until(() => cluster.load.acknowledged.size >= enough, PATIENCE);
  }

  /** The one node that all of these agree on. */
  function leaderSeenBy(asked: readonly WiredMember[]): Promise<WiredMember> {
    return eventually(async () => {
      const seen = new Set<string>();
      for (const { address } of asked) {
        const { nodes } = await call(address, 'GET', '/system/cluster/nodes');
        const leaders = nodes.filter((node: { is_leader: boolean }) => node.is_leader);
        expect(leaders).toHaveLength(1);
        seen.add(leaders[0].node_id);
      }
      expect(seen.size).toBe(1);
      return first(cluster.members.filter(({ nodeId }) => seen.has(nodeId)));
    }, PATIENCE);
  }

  const newLeader = (asked: readonly WiredMember[], old: WiredMember) =>
    eventually(async () => {
      const leader = await leaderSeenBy(asked);
      expect(leader).not.toBe(old);
      return leader;
    }, PATIENCE);

  /** By the session that was opened before everything. */
  async function searchBySession({ address }: WiredMember, more: object = {}): Promise<ApiAnswer> {
    const response = await fetch(`${address}/api/messages/search`, {
      method: 'POST',
      signal: AbortSignal.timeout(SEARCH_MS),
      headers: {
        authorization: `Basic ${Buffer.from(`${session}:session`).toString('base64')}`,
        'x-requested-by': 'test',
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        query: 'source:crash',
        timerange: { type: 'relative', range: 0 },
        limit: 1,
        ...more,
      }),
    });
    return { status: response.status, body: await response.json() };
  }

  async function findsEverything(member: WiredMember): Promise<void> {
    await eventually(async () => {
      const { status, body } = await searchBySession(member);
      expect(status, JSON.stringify(body)).toBe(200);
      expect(body.missing_servers).toBeUndefined();
    }, PATIENCE);
  }

  /** A rule that alerts and messages that make the index set rotate; both are seen to happen. */
  async function workOfTheLeader(title: string, witness: WiredMember): Promise<void> {
    const before = await eventually(() => shop.indexNames(witness.address), PATIENCE);
    await eventually(() => shop.addRule(witness.address, title), PATIENCE);
    rules.push(title);
    await shop.send(witness.gelfPort, SHOP_INDEX_MESSAGES);
    await eventually(() => expect(shop.notices(title)).toBeGreaterThan(0), PATIENCE);
    await eventually(async () => {
      expect((await shop.indexNames(witness.address)).length).toBeGreaterThan(before.length);
    }, PATIENCE);
  }

  /** What `/cluster` says: the nodes that answered, and that nothing else did. */
  async function clusterIs(asked: WiredMember, running: readonly WiredMember[]): Promise<void> {
    await eventually(async () => {
      const listed = await call(asked.address, 'GET', '/cluster');
      const answered = Object.keys(listed).filter((nodeId) => listed[nodeId] !== null);
      expect(answered.toSorted()).toEqual(running.map(({ nodeId }) => nodeId).toSorted());
      for (const nodeId of answered) {
        expect(listed[nodeId]).toMatchObject({ node_id: nodeId, lifecycle: 'running', lb_status: 'alive' });
      }
    }, PATIENCE);
  }

  async function everyNodeIsBack(): Promise<void> {
    for (const member of cluster.members) {
      await clusterIs(member, cluster.members);
      await findsEverything(member);
    }
  }

  /** Whoever leads comes first, and has its work done by another one. */
  async function killEachNode(): Promise<void> {
    const left = new Set(cluster.members);
    for (;;) {
      const leader = await leaderSeenBy(cluster.members);
      const member = left.has(leader) ? leader : [...left][0];
      if (member === undefined) break;
      left.delete(member);
      const rest = others(member);
      await member.kill();
      await moreAcknowledged();
      await clusterIs(first(rest), rest);
      if (member === leader) {
        await newLeader(rest, member);
        await workOfTheLeader(`While ${member.name} was killed`, first(rest));
      }
      await member.start();
    }
    await everyNodeIsBack();
  }

  async function stopTheLeader(): Promise<void> {
    const leader = await leaderSeenBy(cluster.members);
    const rest = others(leader);
    cluster.avoided.add(leader);
    leader.freeze();
    const isOver = delay(STANDS_STILL_MS);
    // Not answered, at first null and then not listed any more.
    await clusterIs(first(rest), rest);
    const next = await newLeader(rest, leader);
    await workOfTheLeader('While the leader stood still', first(rest));
    await isOver;
    leader.thaw();
    cluster.avoided.delete(leader);
    expect(await leaderSeenBy(cluster.members)).toBe(next);
    await everyNodeIsBack();
    // By then the one that stood still had its turn, too.
    await workOfTheLeader('After the leader had stood still', leader);
  }

  async function stopPostgres(): Promise<void> {
    await cluster.postgres.interrupt();
    const isOver = delay(POSTGRES_AWAY_MS);
    const sinceThen = cluster.load.acknowledged.size;
    await moreAcknowledged();
    for (const member of cluster.members) {
      await eventually(async () => {
        const { status, body } = await searchBySession(member);
        expect(status, JSON.stringify(body)).toBe(200);
        expect(body.total_results).toBeGreaterThan(sinceThen);
      }, PATIENCE);
    }
    await isOver;
    await cluster.postgres.resume();
    await everyNodeIsBack();
    await workOfTheLeader('After PostgreSQL was away', first(cluster.members));
  }

  async function killShard(): Promise<void> {
    const [, shard] = cluster.shards;
    await shard?.kill();
    for (const member of cluster.members) await answersPartly(member);
    const title = 'While a shard was away';
    await shop.addRule(first(cluster.members).address, title);
    rules.push(title);
    await shard?.start();
    await everyNodeIsBack();
    await eventually(() => expect(shop.notices(title)).toBeGreaterThan(0), PATIENCE);
  }

  async function answersPartly(member: WiredMember): Promise<void> {
    await moreAcknowledged();
    await eventually(async () => {
      const refused = await searchBySession(member);
      expect(refused.status).toBe(503);
      const { status, body } = await searchBySession(member, { allow_partial: true });
      expect(status, JSON.stringify(body)).toBe(200);
      expect(body.missing_servers).toHaveLength(1);
    }, PATIENCE);
  }

  /** Nothing arrives, and nobody is told. */
  async function cutLeaderFromPostgres(): Promise<void> {
    const leader = await leaderSeenBy(cluster.members);
    const rest = others(leader);
    leader.toPostgres.hang();
    await newLeader(rest, leader);
    await workOfTheLeader('While the leader was cut off from PostgreSQL', first(rest));
    await shop.send(leader.gelfPort, 1);
    await eventually(async () => expect((await searchBySession(leader)).status).toBe(200), PATIENCE);
    await leader.toPostgres.mend();
    await everyNodeIsBack();
  }

  async function cutNodeFromShard(): Promise<void> {
    const member = first(cluster.members);
    const [line] = member.toShards;
    line?.hang();
    await answersPartly(member);
    for (const other of others(member)) await findsEverything(other);
    await line?.mend();
    await everyNodeIsBack();
  }

  /** As an operator does it: taken out of the load balancer, waited for, stopped, started. */
  async function rollingRestart(): Promise<void> {
    const before = cluster.load.unacknowledged();
    const failed: unknown[] = [];
    let isOver = false;
    let asked: WiredMember | undefined;
    const search = async () => {
      for (let turn = 0; !isOver; turn++) {
        const chosen = cluster.members.filter((member) => member.isRunning && !cluster.avoided.has(member));
        asked = first(chosen.slice(turn % chosen.length));
        const answer = await searchBySession(asked).catch((error: unknown) => ({ status: 0, body: error }));
        if (answer.status !== 200) failed.push(answer);
        await new Promise(setImmediate);
      }
    };
    const searching = search();
    for (const member of cluster.members) {
      await call(member.address, 'PUT', '/system/lbstatus/override/dead');
      cluster.avoided.add(member);
      // What it was sent before has its answer.
      await until(() => asked !== member, PATIENCE);
      await moreAcknowledged();
      await eventually(async () => {
        const { uncommitted_journal_entries: waiting } = await call(member.address, 'GET', '/system/journal');
        expect(waiting).toBe(0);
      }, PATIENCE);
      await member.stop();
      await moreAcknowledged();
      await member.start();
      await findsEverything(member);
      cluster.avoided.delete(member);
    }
    isOver = true;
    await searching;
    expect(failed).toEqual([]);
    expect(cluster.load.unacknowledged()).toBe(before);
    await everyNodeIsBack();
    await workOfTheLeader('After the rolling restart', first(cluster.members));
  }

  async function everythingOnce(): Promise<void> {
    await cluster.load.stop();
    for (const { address } of cluster.members) {
      await eventually(async () => {
        expect((await call(address, 'GET', '/system/journal')).uncommitted_journal_entries).toBe(0);
      }, PATIENCE);
    }
    const stored = (await Promise.all(cluster.shards.map((shard) => shard.stored()))).flat();
    const distinct = new Set(stored);
    expect(stored.length - distinct.size, 'stored twice').toBe(0);
    expect(
      [...cluster.load.acknowledged].filter((id) => !distinct.has(id)),
      'lost',
    ).toEqual([]);
    expect(Object.fromEntries(rules.map((title) => [title, shop.notices(title)]))).toEqual(
      Object.fromEntries(rules.map((title) => [title, 1])),
    );
    await eventually(async () => {
      const { total_events: events } = await call(
        first(cluster.members).address,
        'POST',
        '/events/search',
        {},
      );
      expect(events).toBe(rules.length);
    }, PATIENCE);
    // An index that was rotated a second time by another node has too few messages.
    const counts = await cluster.countByIndex('shop');
    counts.pop();
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(SHOP_INDEX_MESSAGES);
  }

  async function prepare(): Promise<void> {
    const { address } = first(cluster.members);
    shop = await createShop(address, await startHttpReceiver());
    session = (
      await call(address, 'POST', '/system/sessions', { username: 'admin', password: PASSWORD, host: '' })
    ).session_id;
    await Promise.all(cluster.members.map((member) => routesToShop(shop, member.address, member.gelfPort)));
  }

  test('loses nothing and does nothing twice, whatever goes away', { timeout: TIMEOUT_MS }, async () => {
    const steps = [
      prepare,
      killEachNode,
      stopTheLeader,
      stopPostgres,
      cutLeaderFromPostgres,
      killShard,
      cutNodeFromShard,
      rollingRestart,
      everythingOnce,
    ];
    for (const step of steps) await step();
  });
});
