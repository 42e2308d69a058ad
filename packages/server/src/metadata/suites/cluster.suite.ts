import { describe, expect, test } from 'vitest';
import { type MetadataBackend, openEmpty } from '#testing/metadata-backend.ts';
import type { NodeRecord } from '../repositories/index.ts';

const aNode = (changes: Partial<NodeRecord> = {}): NodeRecord => ({
  nodeId: '0b1c',
  hostname: 'log1',
  transportAddress: 'http://10.0.0.1:9000/api/',
  version: '0.1.0+abc',
  startedAt: 1000,
  lastSeen: 2000,
  isLeader: true,
  details: { codename: 'Weir', roles: ['all'] },
  ...changes,
});

export function clusterSuite(backend: MetadataBackend): void {
  describe('cluster settings', () => {
    test('a setting is set, replaced, found and removed', async () => {
      const { clusterSettings } = (await openEmpty(backend)).repositories;
      expect(await clusterSettings.find('key')).toBeUndefined();
      await clusterSettings.set('key', { a: [1, null, 'x'] });
      expect(await clusterSettings.find('key')).toEqual({ a: [1, null, 'x'] });
      await clusterSettings.set('key', null);
      expect(await clusterSettings.find('key')).toBeNull();
      expect(await clusterSettings.remove('key')).toBe(true);
      expect(await clusterSettings.remove('key')).toBe(false);
    });

    test('the first of several setIfAbsent calls wins, and all return its value', async () => {
      const { clusterSettings } = (await openEmpty(backend)).repositories;
      const seen = await Promise.all([1, 2, 3, 4].map((value) => clusterSettings.setIfAbsent('key', value)));
      expect(new Set(seen).size).toBe(1);
      expect(await clusterSettings.find('key')).toBe(seen[0]);
    });

    test('settings are listed by prefix, including special characters', async () => {
      const { clusterSettings } = (await openEmpty(backend)).repositories;
      for (const key of ['a%.1', 'a%.2', 'a_.3', 'ab.4', 'A%.5', 'a%']) await clusterSettings.set(key, key);
      expect([...(await clusterSettings.listByPrefix('a%.')).values()]).toEqual(['a%.1', 'a%.2']);
    });
  });

  describe('nodes', () => {
    test('a node is inserted and later updated', async () => {
      const { nodes } = (await openEmpty(backend)).repositories;
      await nodes.upsert(aNode());
      expect(await nodes.find('0b1c')).toEqual(aNode());
      const later = aNode({ lastSeen: 3000, isLeader: false, version: '0.2.0', details: {} });
      await nodes.upsert(later);
      expect(await nodes.list()).toEqual([later]);
      expect(await nodes.find('other')).toBeUndefined();
    });

    test('nodes not seen for a long time are left out and can be removed', async () => {
      const { nodes } = (await openEmpty(backend)).repositories;
      for (const [nodeId, lastSeen] of Object.entries({ c: 3000, a: 1000, b: 2000 })) {
        await nodes.upsert(aNode({ nodeId, lastSeen }));
      }
      const ids = async (since?: number) => (await nodes.list(since)).map((node) => node.nodeId);
      expect(await ids()).toEqual(['a', 'b', 'c']);
      expect(await ids(2000)).toEqual(['b', 'c']);
      expect(await nodes.removeSeenBefore(2000)).toBe(1);
      expect(await nodes.remove('b')).toBe(true);
      expect(await nodes.remove('b')).toBe(false);
      expect(await ids()).toEqual(['c']);
    });
  });

  describe('heartbeats', () => {
    test('the database sets when a node was seen and computes how long ago', async () => {
      const { nodes } = (await openEmpty(backend)).repositories;
      const { lastSeen: _, ...beat } = aNode();
      await nodes.beat(beat);
      await nodes.beat({ ...beat, isLeader: false });
      const [seen, ...others] = await nodes.listSeen();
      expect(others).toEqual([]);
      expect(seen).toMatchObject({ ...beat, isLeader: false });
      expect(seen?.ageMs).toBeGreaterThanOrEqual(0);
      expect(seen?.lastSeen).toBeGreaterThan(Date.UTC(2026, 0, 1) - 1);
      expect(await nodes.removeUnseenFor(3_600_000)).toBe(0);
      expect(await nodes.removeUnseenFor(-3_600_000)).toBe(1);
      expect(await nodes.listSeen()).toEqual([]);
    });
  });

  describe('leases', () => {
    test('there is one holder at a time, which can renew and release the lease', async () => {
      const { leases } = (await openEmpty(backend)).repositories;
      const attempts = await Promise.all(
        ['n1', 'n2', 'n3', 'n4'].map(async (node) =>
          (await leases.acquire('leader', node, 60_000)) ? [node] : [],
        ),
      );
      expect(attempts.flat()).toHaveLength(1);
      const [holder = ''] = attempts.flat();
      expect(await leases.holder('leader')).toBe(holder);
      expect(await leases.acquire('leader', holder, 60_000)).toBe(true);
      expect(await leases.acquire('leader', 'other', 60_000)).toBe(false);
      expect(await leases.acquire('cleaner', 'other', 60_000)).toBe(true);
      expect(await leases.release('leader', 'other')).toBe(false);
      expect(await leases.release('leader', holder)).toBe(true);
      expect(await leases.holder('leader')).toBeUndefined();
      expect(await leases.acquire('leader', 'other', 60_000)).toBe(true);
    });

    test('an expired lease has no holder and can be acquired', async () => {
      const { leases } = (await openEmpty(backend)).repositories;
      expect(await leases.acquire('leader', 'n1', -1)).toBe(true);
      expect(await leases.holder('leader')).toBeUndefined();
      expect(await leases.acquire('leader', 'n2', 60_000)).toBe(true);
      expect(await leases.acquire('leader', 'n1', 60_000)).toBe(false);
      expect(await leases.holder('leader')).toBe('n2');
    });
  });

  describe('traffic', () => {
    test('amounts add up per hour over all nodes, even when added concurrently', async () => {
      const { traffic } = (await openEmpty(backend)).repositories;
      const hour = 3_600_000;
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          traffic.add(`n${index % 2}`, 5 * hour + index, { input: 1, decoded: 2, output: 3_000_000_000 }),
        ),
      );
      await traffic.add('n1', 6 * hour, { input: 7, decoded: 0, output: 0 });
      const fifth = { hour: 5 * hour, input: 20, decoded: 40, output: 60_000_000_000 };
      const sixth = { hour: 6 * hour, input: 7, decoded: 0, output: 0 };
      expect(await traffic.list(0, 10 * hour)).toEqual([fifth, sixth]);
      expect(await traffic.list(5 * hour, 6 * hour)).toEqual([fifth]);
      expect(await traffic.removeBefore(6 * hour)).toBe(2);
      expect(await traffic.list(0, 10 * hour)).toEqual([sixth]);
    });
  });
}
