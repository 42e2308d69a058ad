import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AuditLog, Caller } from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import { createNotifications, createSystemMessages } from '#system/service.ts';
import { createLogger, createMetrics } from '#telemetry/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { openTestMetadata } from '#testing/metadata.ts';
import { createPluginsService, type PluginsService } from './service.ts';

const NAME = 'service-test';
const SOURCE = `
  const create = () => ({ action: undefined, keep: 1 });
  const definition = { id: '${NAME}', name: 'Test', description: 'Test.', fields: {}, create };
  export default { components: [{ kind: 'retention', definition }] };`;
const caller: Caller = {
  principal: { userId: '1', username: 'ada', can: () => true },
  remoteAddress: '127.0.0.1',
};
const audit: Pick<AuditLog, 'record'> = { record: async () => {} };
const logger = createLogger({ level: 'silent', pretty: false });

let directory: string;
let metadata: Metadata;
let plugins: PluginsService;

/** Types of plugins stay registered in this thread: one test. */
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'millrace-plugins-'));
  const folder = path.join(directory, NAME);
  await mkdir(folder);
  const manifest = { name: NAME, type: 'module', millrace: { entry: './index.js', api: '1.0' } };
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(path.join(folder, 'index.js'), SOURCE);
  const clock = new ManualClock();
  metadata = await openTestMetadata(clock);
  const { repositories } = metadata;
  const settings = { nodeId: 'node-1' };
  plugins = createPluginsService(
    {
      metadata,
      notifications: createNotifications({ notifications: repositories.notifications, logger }, settings),
      systemMessages: createSystemMessages({ systemMessages: repositories.systemMessages, logger }, settings),
      audit: audit as AuditLog,
      metrics: createMetrics({ clock }),
      logger,
    },
    {
      ...settings,
      directory,
      packages: [],
      allowed: undefined,
      packageRoots: [],
      workers: 1,
      limitMs: 2000,
      maxFaults: 0,
    },
  );
  await plugins.start?.();
});

afterEach(async () => {
  await plugins.stop?.();
  await metadata.close();
  await rm(directory, { recursive: true, force: true });
});

describe('a plugin that was switched off', () => {
  test('stays enabled, whatever faults of before are still told; without storage it stays off', async () => {
    const state = () => plugins.list().find(({ name }) => name === NAME)?.state;
    const fault = (count: number) => plugins.faulted({ plugin: NAME, kind: 'call', message: 'leak', count });
    expect(plugins.list()).toMatchObject([{ name: NAME, state: 'running', reason: null }]);
    const { faults } = plugins.assignment().memory;
    const counts = new Int32Array(faults);
    counts[0] = 1;
    fault(1);
    const enabling = plugins.enable(caller, NAME);
    fault(2);
    await enabling;
    fault(3);
    await plugins.stop?.();
    expect([state(), counts[0]]).toEqual(['running', 0]);
    await plugins.disable(caller, NAME);
    expect(state()).toBe('switched_off');
    await metadata.close();
    await expect(plugins.enable(caller, NAME)).rejects.toThrow();
    expect(state()).toBe('switched_off');
  });
});
