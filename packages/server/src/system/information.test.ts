import os from 'node:os';
import {
  localesSchema,
  runtimeMemorySchema,
  systemOverviewSchema,
  systemStatsSchema,
} from '@millrace/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createNodeRegistry,
  createNodeStatus,
  type NodeRegistry,
  type NodeStatus,
} from '#cluster/service.ts';
import { monotonicClock } from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import { createLogger } from '#telemetry/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { openTestMetadata } from '#testing/metadata.ts';
import { createSystemInformation, type SystemInformation } from './information.ts';
import { createSystemStats } from './statistics.ts';

const NODE_ID = '11111111-2222-4333-8444-555555555555';
let metadata: Metadata;
let status: NodeStatus;
let registry: NodeRegistry;
let information: SystemInformation;

beforeEach(async () => {
  const clock = new ManualClock(Date.UTC(2026, 0, 31, 12));
  metadata = await openTestMetadata(clock);
  status = createNodeStatus({ clock }, { throttleThresholdPercentage: 90 });
  registry = createNodeRegistry(
    { metadata, clock, monotonic: monotonicClock, logger: createLogger({ level: 'silent' }) },
    {
      nodeId: NODE_ID,
      transportAddress: () => 'http://x/api/',
      version: '1.2.3+abc',
      startedAt: clock.now(),
    },
  );
  await registry.start();
  information = createSystemInformation({ status, registry }, { version: '1.2.3+abc', codename: 'Wheel' });
});

afterEach(async () => {
  await registry.stop();
  await metadata.close();
});

test('the overview has every field', () => {
  status.running();
  expect(information.overview()).toEqual({
    facility: 'millrace-server',
    codename: 'Wheel',
    node_id: NODE_ID,
    cluster_id: registry.clusterId(),
    version: '1.2.3+abc',
    started_at: '2026-01-31T12:00:00.000Z',
    hostname: os.hostname(),
    lifecycle: 'running',
    lb_status: 'alive',
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    operating_system: expect.stringContaining(os.release()),
    is_processing: true,
    is_leader: true,
  });
  status.halting();
  expect(systemOverviewSchema.parse(information.overview())).toMatchObject({
    lifecycle: 'halting',
    lb_status: 'dead',
    is_processing: false,
  });
});

test('the runtime memory adds up', () => {
  const memory = runtimeMemorySchema.parse(information.runtimeMemory());
  expect(memory.free_memory.bytes + memory.used_memory.bytes).toBe(memory.total_memory.bytes);
  expect(memory.max_memory.megabytes).toBe(Math.floor(memory.max_memory.bytes / 1024 / 1024));
  expect(memory).toMatchObject({ node_id: NODE_ID, pid: String(process.pid) });
});

test('the thread dump has stacks and handles, but no environment and no command line', () => {
  process.env.MILLRACE_TEST_SECRET = 'hunter2';
  process.argv.push('--hunter3');
  try {
    const dump = information.threadDump();
    expect(dump).not.toMatch(/hunter|commandLine|environmentVariables|"cwd"/);
    expect(JSON.parse(dump)).toMatchObject({
      header: { processId: process.pid },
      javascriptStack: { stack: expect.any(Array) },
      javascriptHeap: { usedMemory: expect.any(Number) },
      libuv: expect.any(Array),
      workers: expect.any(Array),
    });
  } finally {
    delete process.env.MILLRACE_TEST_SECRET;
    process.argv.pop();
  }
});

test('locales have names', () => {
  const { locales } = localesSchema.parse(information.locales());
  expect(locales.de).toEqual({ language_tag: 'de', display_name: 'German' });
  expect(Object.keys(locales).length).toBeGreaterThan(20);
});

describe('system statistics', () => {
  test('are complete and plausible', async () => {
    const stats = createSystemStats({ status }, { directories: [os.tmpdir(), '/does/not/exist'] });
    const all = systemStatsSchema.parse(await stats.all());
    expect(Object.keys(all.fs.filesystems)).toEqual([os.tmpdir()]);
    const disk = all.fs.filesystems[os.tmpdir()]!;
    expect(disk.used + disk.free).toBe(disk.total);
    expect(disk.used_percent).toBeLessThanOrEqual(100);
    expect(all.os.memory.total).toBe(os.totalmem());
    expect(all.os.processor.total_cores).toBe(os.cpus().length);
    expect(all.process).toMatchObject({ pid: process.pid });
    expect(all.process.memory.resident).toBeGreaterThan(1_000_000);
    expect(all.jvm).toMatchObject({ version: process.versions.node, start_time: status.view().startedAt });
    if (process.platform === 'linux') {
      expect(all.process.open_file_descriptors).toBeGreaterThan(2);
      expect(all.process.max_file_descriptors).toBeGreaterThan(all.process.open_file_descriptors);
    }
  });
});
