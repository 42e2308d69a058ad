import { describe, expect, test } from 'vitest';
import type { NodeRecord } from '../repositories/index.ts';
import { type MetadataBackend, openEmpty } from './backend.ts';

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

    test('of those who set it if absent the first wins and all see its value', async () => {
      const { clusterSettings } = (await openEmpty(backend)).repositories;
      const seen = await Promise.all([1, 2, 3, 4].map((value) => clusterSettings.setIfAbsent('key', value)));
      expect(new Set(seen).size).toBe(1);
      expect(await clusterSettings.find('key')).toBe(seen[0]);
    });

    test('settings are listed by prefix, whatever characters it has', async () => {
      const { clusterSettings } = (await openEmpty(backend)).repositories;
      for (const key of ['a%.1', 'a%.2', 'a_.3', 'ab.4', 'A%.5', 'a%']) await clusterSettings.set(key, key);
      expect([...(await clusterSettings.listByPrefix('a%.')).values()]).toEqual(['a%.1', 'a%.2']);
    });
  });

  describe('nodes', () => {
    test('a node is stored, and later says new things about itself', async () => {
      const { nodes } = (await openEmpty(backend)).repositories;
      await nodes.upsert(aNode());
      expect(await nodes.find('0b1c')).toEqual(aNode());
      const later = aNode({ lastSeen: 3000, isLeader: false, version: '0.2.0', details: {} });
      await nodes.upsert(later);
      expect(await nodes.list()).toEqual([later]);
      expect(await nodes.find('other')).toBeUndefined();
    });

    test('those not seen for long are left out, and can be forgotten', async () => {
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
}
