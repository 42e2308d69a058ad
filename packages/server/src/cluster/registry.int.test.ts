import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { monotonicClock, systemClock } from '#core/index.ts';
import { type Metadata, openMetadata } from '#metadata/index.ts';
import { createLogger } from '#telemetry/index.ts';
import { until } from '#testing/eventually.ts';
import { startTestPostgres, type TestPostgres, whyNoPostgres } from '#testing/postgres.ts';
import { greatestSkew } from './clock-skew.ts';
import { createLease, type Lease } from './lease.ts';
import { createNodeRegistry, type NodeRegistry, type RegistrySettings } from './registry.ts';

const logger = createLogger({ level: 'silent' });
const HEARTBEAT_MS = 30;
const STALE_MS = 1000;
const LEASE_MS = 1200;

interface TestDatabase {
  open(): Promise<Metadata>;
  remove(): Promise<void>;
}

let postgres: TestPostgres | undefined;

async function sqliteFile(): Promise<TestDatabase> {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-registry-'));
  return {
    open: () => openMetadata({ logger, clock: systemClock }, { uri: `sqlite:${folder}/metadata.db` }),
    remove: () => rm(folder, { recursive: true }),
  };
}

async function postgresDatabase(): Promise<TestDatabase> {
  const uri = await postgres!.createDatabase();
  return { open: () => openMetadata({ logger, clock: systemClock }, { uri }), remove: async () => {} };
}

const DATABASES = [
  { name: 'SQLite', create: sqliteFile, reason: undefined },
  { name: 'PostgreSQL', create: postgresDatabase, reason: whyNoPostgres() },
];

beforeAll(async () => {
  if (whyNoPostgres() === undefined) postgres = await startTestPostgres();
});

afterAll(async () => {
  await postgres?.stop();
});

describe.each(DATABASES)('on $name', ({ name, create, reason }) => {
  let creating: Promise<TestDatabase> | undefined;
  const opened: Metadata[] = [];
  const registries: NodeRegistry[] = [];

  async function open(): Promise<Metadata> {
    creating ??= create();
    const metadata = await (await creating).open();
    opened.push(metadata);
    return metadata;
  }

  function registry(
    metadata: Metadata,
    nodeId: string,
    more: Partial<RegistrySettings> = {},
    clock = systemClock,
  ): NodeRegistry {
    const created = createNodeRegistry(
      { metadata, logger, clock, monotonic: monotonicClock },
      {
        nodeId,
        transportAddress: () => `http://${nodeId}:9000/api/`,
        version: '1.0.0+test',
        startedAt: 1234,
        heartbeatMs: HEARTBEAT_MS,
        staleTimeoutMs: STALE_MS,
        leaseMs: LEASE_MS,
        ...more,
      },
    );
    registries.push(created);
    return created;
  }

  const ids = (of: NodeRegistry) => of.activeNodes().map((node) => node.nodeId);

  afterEach(async () => {
    // Stopping fails on a database that a test closed to simulate a dead node.
    await Promise.allSettled(registries.splice(0).map((each) => each.stop()));
    await Promise.all(opened.splice(0).map((each) => each.close()));
    await (await creating)?.remove();
    creating = undefined;
  });

  test.skipIf(reason !== undefined)('nodes know how their clocks differ', async () => {
    const isFast = { now: () => systemClock.now() + 60_000 };
    const first = registry(await open(), 'node-a');
    const second = registry(await open(), 'node-b', {}, isFast);
    await Promise.all([first.start(), second.start()]);
    const skew = await until(() => greatestSkew(first.activeNodes()));
    expect([skew.ahead.nodeId, skew.behind.nodeId]).toEqual(['node-b', 'node-a']);
    expect(skew.differenceMs).toBeLessThanOrEqual(60_000);
    await until(() => (greatestSkew(first.activeNodes())?.differenceMs ?? 0) > 50_000);
    expect(second.clock()?.offsetMs).toBeGreaterThan(first.clock()?.offsetMs ?? 0);
  });

  test.skipIf(reason !== undefined)('two nodes see each other, and a stopped node disappears', async () => {
    const [first, second] = [registry(await open(), 'node-b'), registry(await open(), 'node-a')];
    await first.start();
    expect(ids(first)).toEqual(['node-b']);
    await second.start();
    expect(ids(second)).toEqual(['node-a', 'node-b']);
    await until(() => ids(first).length === 2);
    expect(first.findActive('node-a')).toMatchObject({
      nodeId: 'node-a',
      clusterId: second.clusterId(),
      transportAddress: 'http://node-a:9000/api/',
      version: '1.0.0+test',
      startedAt: 1234,
    });
    expect(first.clusterId()).toBe(second.clusterId());
    await second.stop();
    await until(() => ids(first).length === 1);
    expect(await opened[0]!.repositories.nodes.find('node-a')).toBeUndefined();
  });

  test.skipIf(reason !== undefined)('a node that dies drops out and can come back', async () => {
    const survivor = registry(await open(), 'survivor');
    const victimsMetadata = await open();
    const victim = registry(victimsMetadata, 'victim');
    await survivor.start();
    await victim.start();
    await until(() => ids(survivor).includes('victim'));
    await victimsMetadata.close();
    await until(() => !ids(survivor).includes('victim'));
    // Its row is still there: the node is inactive, not unknown.
    expect(await opened[0]!.repositories.nodes.find('victim')).toBeDefined();
    await registry(await open(), 'victim').start();
    await until(() => ids(survivor).includes('victim'));
  });

  test.skipIf(reason !== undefined)('a node cut off from the database sees only itself', async () => {
    const metadata = await open();
    const lonely = registry(metadata, 'lonely');
    const other = registry(await open(), 'other');
    await other.start();
    await lonely.start();
    expect(ids(lonely)).toEqual(['lonely', 'other']);
    await metadata.close();
    await until(() => ids(lonely).length === 1);
    if (name === 'PostgreSQL') await until(() => !lonely.isLeader());
  });

  test.skipIf(reason !== undefined)('nodes not seen for a long time are removed', async () => {
    const metadata = await open();
    await metadata.repositories.nodes.upsert({
      nodeId: 'long-gone',
      hostname: 'h',
      transportAddress: 'http://h/api/',
      version: '1',
      startedAt: 1,
      lastSeen: systemClock.now() - 60_000,
      isLeader: false,
      details: {},
    });
    expect(await metadata.repositories.nodes.removeUnseenFor(120_000)).toBe(0);
    expect(await metadata.repositories.nodes.removeUnseenFor(30_000)).toBe(1);
  });

  test.skipIf(reason !== undefined)('stopping twice, or before starting, is harmless', async () => {
    const early = registry(await open(), 'early');
    await early.stop();
    await early.stop();
    expect(early.isLeader()).toBe(false);
  });

  test.skipIf(reason !== undefined)('starting without a database is an error', async () => {
    const metadata = await open();
    await metadata.ping();
    await metadata.close();
    await expect(registry(metadata, 'x').start()).rejects.toThrow();
  });

  describe('lease', () => {
    function lease(metadata: Metadata, holder: string, durationMs = LEASE_MS): Lease {
      const { leases } = metadata.repositories;
      return createLease(
        { leases, monotonic: monotonicClock, clock: systemClock },
        { name: 'work', holder, durationMs },
      );
    }

    test.skipIf(reason !== undefined)('has one holder, which can renew and release it', async () => {
      const metadata = await open();
      const [a, b] = [lease(metadata, 'a', 60_000), lease(await open(), 'b', 60_000)];
      expect(a.isHeld()).toBe(false);
      expect(await a.renew()).toBe(true);
      expect(await b.renew()).toBe(false);
      expect(await a.renew()).toBe(true);
      expect([a.isHeld(), b.isHeld()]).toEqual([true, false]);
      expect(await metadata.repositories.leases.holder('work')).toBe('a');
      await a.release();
      expect(a.isHeld()).toBe(false);
      expect(await a.renew()).toBe(false);
      expect(await b.renew()).toBe(true);
    });

    test.skipIf(reason !== undefined)('cannot be released by another node', async () => {
      const metadata = await open();
      await lease(metadata, 'a', 60_000).renew();
      await lease(metadata, 'b', 60_000).release();
      expect(await metadata.repositories.leases.holder('work')).toBe('a');
    });

    test.skipIf(reason !== undefined)(
      'passes on when its holder is silent, and never has two holders',
      async () => {
        const [a, b] = [lease(await open(), 'a'), lease(await open(), 'b')];
        await a.renew();
        let both = 0;
        await until(async () => {
          const taken = await b.renew();
          if (a.isHeld() && b.isHeld()) both++;
          return taken;
        });
        expect(both).toBe(0);
        expect(await a.renew()).toBe(false);
      },
    );

    test.skipIf(reason !== undefined)('goes to exactly one of many concurrent contenders', async () => {
      const contenders = await Promise.all(
        Array.from({ length: 8 }, async (_, index) => lease(await open(), `n${index}`, 60_000)),
      );
      const results = await Promise.all(contenders.map((each) => each.renew()));
      expect(results.filter(Boolean)).toHaveLength(1);
    });
  });

  if (name === 'SQLite') {
    test('the node always leads while it runs', async () => {
      const only = registry(await open(), 'only');
      const notified: boolean[] = [];
      only.onLeadershipChange((isLeader) => notified.push(isLeader));
      await only.start();
      expect(only.isLeader()).toBe(true);
      expect(only.activeNodes()[0]?.isLeader).toBe(true);
      await only.stop();
      expect(only.isLeader()).toBe(false);
      expect(notified).toEqual([true, false]);
    });
  } else {
    test.skipIf(reason !== undefined)(
      'one node leads, and another takes over when it stops or dies',
      async () => {
        const firstMetadata = await open();
        const first = registry(firstMetadata, 'first');
        await first.start();
        expect(first.isLeader()).toBe(true);
        const second = registry(await open(), 'second');
        const notified: boolean[] = [];
        second.onLeadershipChange((isLeader) => notified.push(isLeader));
        await second.start();
        expect(second.isLeader()).toBe(false);
        await until(() => first.activeNodes().length === 2);
        expect(second.activeNodes().map((node) => [node.nodeId, node.isLeader])).toEqual([
          ['second', false],
          ['first', true],
        ]);

        await firstMetadata.close(); // dies
        await until(() => second.isLeader());
        expect(first.isLeader()).toBe(false);
        expect(notified).toEqual([true]);

        const third = registry(await open(), 'third');
        await third.start();
        expect(third.isLeader()).toBe(false);
        await second.stop(); // stops gracefully
        await until(() => third.isLeader());
        expect(notified).toEqual([true, false]);
      },
    );

    test.skipIf(reason !== undefined)('a leader that restarts immediately leads immediately', async () => {
      const metadata = await open();
      const first = registry(metadata, 'same', { leaseMs: 60_000 });
      await first.start();
      await metadata.close();
      const again = registry(await open(), 'same', { leaseMs: 60_000 });
      await again.start();
      expect(again.isLeader()).toBe(true);
    });
  }
});
