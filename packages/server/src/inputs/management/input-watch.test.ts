import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { InputRecord } from '#metadata/index.ts';
import type { InputState } from '../host.ts';
import { createInputWatch } from './input-watch.ts';

const input: InputRecord = {
  id: 'i1',
  title: 'GELF',
  type: 'gelf-tcp',
  global: true,
  nodeId: null,
  configuration: {},
  desiredState: 'running',
  creator: 'admin',
  contentPack: null,
  createdAt: 0,
  staticFields: {},
};

function fixture() {
  const told: string[] = [];
  const watch = createInputWatch(
    {
      logger: pino({ level: 'silent' }),
      notifications: {
        publish: async ({ type, key, details }) => {
          told.push(`publish ${type} ${key}${details.reason === undefined ? '' : `: ${details.reason}`}`);
          return true;
        },
        fix: async (type, key) => {
          told.push(`fix ${type} ${key}`);
          return true;
        },
      },
      systemMessages: { publish: async (_caller, content) => void told.push(content) },
    },
    { nodeId: 'n1' },
  );
  const becomes = (state: InputState, detailedMessage?: string) =>
    watch.changed(input, { state, detailedMessage, since: 0, runningSince: undefined, listening: undefined });
  return { watch, becomes, told, take: () => told.splice(0) };
}

test('a failure is told once, its end too, and the way between the attempts not at all', () => {
  const { becomes, take } = fixture();
  becomes('STARTING');
  expect(take()).toEqual([]);
  becomes('FAILED', 'port taken');
  expect(take()).toEqual([
    'publish input_failed_to_start i1:n1: port taken',
    'Input "GELF" (i1) failed: port taken',
  ]);
  becomes('STARTING');
  becomes('FAILED', 'port taken');
  expect(take()).toEqual([]);
  becomes('FAILED', 'no such address');
  expect(take()).toEqual(['publish input_failed_to_start i1:n1: no such address']);
  becomes('RUNNING');
  expect(take()).toEqual(['fix input_failed_to_start i1:n1', 'Input "GELF" (i1) is running']);
});

test('an input that is gone takes its notification along', () => {
  const { watch, becomes, take } = fixture();
  becomes('INVALID_CONFIGURATION', 'no such type');
  take();
  watch.changed(input, undefined);
  expect(take()).toEqual(['fix input_failed_to_start i1:n1']);
});

test('that none runs is told once all had their chance', async () => {
  const { watch, becomes, take } = fixture();
  becomes('FAILED', 'x');
  take();
  await watch.started();
  expect(take()).toEqual(['publish no_input_running n1']);
  becomes('RUNNING');
  expect(take()).toContain('fix no_input_running n1');
  becomes('STOPPED');
  expect(take()).toContain('publish no_input_running n1');
  watch.changed(input, undefined);
  expect(take()).not.toContain('publish no_input_running n1');
});

test('a node that stops has nothing to tell', async () => {
  const { watch, becomes, take } = fixture();
  becomes('RUNNING');
  await watch.started();
  take();
  watch.stop();
  becomes('STOPPED');
  expect(take()).toEqual([]);
});
