import { expect, test } from 'vitest';
import type { InputState } from '../host.ts';
import { aggregateInputState, type WorkerInputStatus } from './aggregate-state.ts';

function status(state: InputState, detailedMessage?: string, startedAt?: number): WorkerInputStatus {
  const lost = { losing: ['dropped.x'], droppedField: '_@version' };
  return { id: 'i', state, detailedMessage, startedAt, address: '127.0.0.1', port: 12201, ...lost };
}

function f(
  wanted: 'running' | 'stopped',
  workers: readonly WorkerInputStatus[],
  state: InputState,
  detailedMessage?: string,
): void {
  expect(aggregateInputState(wanted, workers)).toMatchObject({ state, detailedMessage });
}

test('it runs when all workers listen, since the last of them does', () => {
  const all = [status('RUNNING', undefined, 10), status('RUNNING', undefined, 30)];
  expect(aggregateInputState('running', all)).toEqual({
    state: 'RUNNING',
    detailedMessage: undefined,
    runningSince: 30,
    listening: { address: '127.0.0.1', port: 12201 },
    losing: ['dropped.x'],
    droppedField: '_@version',
  });
  f('running', [status('RUNNING'), status('STARTING')], 'STARTING');
  f('running', [status('RUNNING'), 'unreported'], 'STARTING');
  f('running', [], 'STARTING');
});

test('one failure is a failure, and the message says where', () => {
  f('running', [status('RUNNING'), status('FAILED', 'no port')], 'FAILED', 'worker 1: no port');
  f('running', [status('FAILED', 'no port'), status('FAILED', 'no port')], 'FAILED', 'no port');
  f(
    'running',
    [status('FAILED', 'a'), status('FAILED', 'b'), status('FAILED', 'a')],
    'FAILED',
    'worker 0, 2: a; worker 1: b',
  );
  f(
    'running',
    [status('FAILED', 'a'), status('INVALID_CONFIGURATION', 'b')],
    'INVALID_CONFIGURATION',
    'worker 1: b',
  );
});

test('a notice of a running input is shown', () => {
  f(
    'running',
    [status('RUNNING', 'small buffer'), status('RUNNING', 'small buffer')],
    'RUNNING',
    'small buffer',
  );
});

test('a worker that is down keeps it from running', () => {
  f('running', [status('RUNNING'), 'down'], 'STARTING', 'worker 1 is being restarted');
  f('running', ['down', status('FAILED', 'a')], 'FAILED', 'worker 1: a');
});

test('it is stopped when no worker does anything any more', () => {
  f('stopped', [status('STOPPED'), status('RUNNING')], 'STOPPING');
  f('stopped', [status('STOPPED'), 'unreported', 'down'], 'STOPPED');
  f('stopped', [status('FAILED', 'whatever')], 'STOPPED');
});
