import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { InputRecord } from '#metadata/index.ts';
import type { InputState } from '../host.ts';
import { NOT_RUNNING } from './aggregate-state.ts';
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
  const becomes = (state: InputState, detailedMessage?: string, losing: string[] = []) =>
    watch.changed(input, { ...NOT_RUNNING, state, detailedMessage, since: 0, losing });
  const take = () => told.splice(0).filter((line) => !line.includes('newline_delimited'));
  return { watch, becomes, told, take };
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

test('a sender that ends its messages with newlines is told once, until the input is changed or deleted', () => {
  const { watch, becomes, told } = fixture();
  const ofDelimiter = () => told.splice(0).filter((line) => line.includes('newline_delimited'));
  becomes('RUNNING');
  // One may be left from before the node was restarted.
  expect(ofDelimiter()).toEqual(['fix input_newline_delimited i1:n1']);
  const losing = ['dropped.too_large', 'errors.newline_delimited'];
  becomes('RUNNING', 'messages were lost', losing);
  expect(ofDelimiter()).toEqual([
    expect.stringMatching(
      /^publish input_newline_delimited i1:n1: a connection ends its messages with newlines/,
    ),
  ]);
  becomes('RUNNING', 'messages were lost, and more', losing);
  // The sender goes on with the connection it has.
  becomes('RUNNING');
  expect(ofDelimiter()).toEqual([]);
  becomes('STARTING');
  expect(ofDelimiter()).toEqual(['fix input_newline_delimited i1:n1']);
  becomes('RUNNING', 'messages were lost', losing);
  told.length = 0;
  watch.changed(input, undefined);
  expect(ofDelimiter()).toEqual(['fix input_newline_delimited i1:n1']);
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
