import { expect, test } from 'vitest';
import { createComponentSecrets, createSecretCipher, Secret } from '#core/index.ts';
import type { InputRecord } from '#metadata/index.ts';
import { eventually } from '#testing/eventually.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { obedientWorkers } from '#testing/obedient-workers.ts';
import { INPUT_TYPES } from '../registry.ts';
import { createNodeInputs, type NodeInputs, type ShownState } from './node-inputs.ts';
import { createPortClaims, type ProbePort } from './port-claims.ts';

const stored = (changes: Partial<InputRecord> = {}): InputRecord => ({
  id: 'a',
  title: 'A',
  type: 'gelf-tcp',
  global: true,
  nodeId: null,
  configuration: { bind_address: '127.0.0.1', port: 1000 },
  desiredState: 'running',
  creator: 'admin',
  contentPack: null,
  createdAt: 0,
  staticFields: {},
  ...changes,
});

function fixture(probe: ProbePort = async (_transport, _address, port) => port || 4711) {
  const parts = obedientWorkers();
  const clock = new ManualClock(1000);
  const changes: string[] = [];
  const nodeInputs: NodeInputs = createNodeInputs(
    {
      workers: parts.workers,
      claims: createPortClaims(probe),
      clock,
      findType: INPUT_TYPES.find,
      secrets: createComponentSecrets(createSecretCipher(new Secret('a secret of this test')), 'input'),
      changed: (input, now: ShownState | undefined) =>
        void changes.push(`${input.id} ${now?.state ?? 'gone'}`),
    },
    { patienceMs: 20, retryDelayMs: 5, maxRetryDelayMs: 10 },
  );
  return { ...parts, clock, changes, nodeInputs };
}

test('inputs run, stop and go as they are stored', async () => {
  const { nodeInputs, history, changes } = fixture();
  await nodeInputs.apply([stored(), stored({ id: 'b', configuration: { bind_address: '::1', port: 1 } })]);
  expect(nodeInputs.state('a')).toMatchObject({ state: 'RUNNING', since: 5 });
  await nodeInputs.apply([stored({ desiredState: 'stopped' })]);
  expect(nodeInputs.state('a')).toMatchObject({ state: 'STOPPED', since: 1000 });
  expect(nodeInputs.state('b')).toBeUndefined();
  // What leaves its port does so before anything else happens.
  expect(history()).toEqual(['a+ b+', 'a- b-', 'a-']);
  expect(changes).toEqual(['a RUNNING', 'b RUNNING', 'b gone', 'a STOPPED']);
});

test('a port chosen by the system is the same for all workers, and stays', async () => {
  const { nodeInputs, applied } = fixture();
  const any = stored({ configuration: { bind_address: '127.0.0.1', port: 0 } });
  await nodeInputs.apply([any]);
  await nodeInputs.apply([{ ...any, title: 'Renamed' }]);
  expect(applied.map((inputs) => inputs[0]?.configuration.port)).toEqual([4711, 4711]);
});

test('a port that is taken makes the input fail without asking the workers, and is tried until it is free', async () => {
  let isTaken = true;
  const { nodeInputs, history, changes } = fixture(async (_transport, _address, port) => {
    if (isTaken) throw new Error('in use');
    return port;
  });
  await nodeInputs.apply([stored()]);
  expect(nodeInputs.state('a')).toMatchObject({ state: 'FAILED', detailedMessage: 'in use' });
  expect(history()).toEqual(['a-']);
  isTaken = false;
  await eventually(() => expect(nodeInputs.state('a')?.state).toBe('RUNNING'));
  expect(changes).toEqual(['a FAILED', 'a RUNNING']);
  await nodeInputs.stop();
});

test('two inputs that swap their ports get them', async () => {
  const { nodeInputs } = fixture();
  const on = (id: string, port: number) => stored({ id, configuration: { bind_address: '127.0.0.1', port } });
  await nodeInputs.apply([on('a', 1), on('b', 2)]);
  await nodeInputs.apply([on('a', 2), on('b', 1)]);
  expect([nodeInputs.state('a')?.state, nodeInputs.state('b')?.state]).toEqual(['RUNNING', 'RUNNING']);
});

test('of two inputs with one port the second fails until the first is gone', async () => {
  const { nodeInputs } = fixture();
  await nodeInputs.apply([stored(), stored({ id: 'b' })]);
  expect(nodeInputs.state('b')).toMatchObject({
    state: 'FAILED',
    detailedMessage: expect.stringContaining('input "A"'),
  });
  await nodeInputs.apply([stored({ id: 'b' })]);
  expect(nodeInputs.state('b')?.state).toBe('RUNNING');
});

test('what the workers report is shown as it comes', async () => {
  const { nodeInputs, failing, down, changed, clock } = fixture();
  await nodeInputs.apply([stored()]);
  clock.advance(500);
  failing.set('a', 'certificate missing');
  changed();
  expect(nodeInputs.state('a')).toMatchObject({
    state: 'FAILED',
    detailedMessage: 'certificate missing',
    since: 1500,
  });
  failing.clear();
  down.add(1);
  changed();
  expect(nodeInputs.state('a')?.state).toBe('STARTING');
  down.clear();
  changed();
  expect(nodeInputs.state('a')?.state).toBe('RUNNING');
});

test('an input of a type nobody knows is shown as such and told to no worker', async () => {
  const { nodeInputs, applied } = fixture();
  await nodeInputs.apply([stored({ type: 'carrier-pigeon' })]);
  expect(applied).toEqual([[]]);
  expect(nodeInputs.state('a')).toMatchObject({
    state: 'INVALID_CONFIGURATION',
    detailedMessage: expect.stringContaining('carrier-pigeon'),
  });
});

test('workers that do not answer do not hold a change up for ever', async () => {
  const { nodeInputs, getStuck } = fixture();
  getStuck();
  await nodeInputs.apply([stored()]);
  expect(nodeInputs.state('a')?.state).toBe('RUNNING');
});

test('a restart stops and starts', async () => {
  const { nodeInputs, history } = fixture();
  await nodeInputs.apply([stored()]);
  await nodeInputs.restart('a');
  expect(history()).toEqual(['a+', 'a-', 'a+']);
});
