import type { InputState, InputStateReport } from '../host.ts';

/** The state of an input on this node, over all its workers. */
export interface NodeInputState {
  readonly state: InputState;
  /** The reason, for people; undefined when there is none. */
  readonly detailedMessage: string | undefined;
  /** When the last worker began to listen, milliseconds since the epoch; undefined unless it runs. */
  readonly runningSince: number | undefined;
  /** Where it listens; undefined unless it runs. */
  readonly listening: { readonly address: string; readonly port: number } | undefined;
  /** Why it lost something during the last minute. */
  readonly losing: readonly string[];
  /** The name of a field that was dropped for its name. */
  readonly droppedField: string | undefined;
}

export const NOT_RUNNING = {
  runningSince: undefined,
  listening: undefined,
  losing: [],
  droppedField: undefined,
} as const;

/** The report of one worker; `unreported` before the first one, `down` while the worker does not run. */
export type WorkerInputStatus = InputStateReport | 'unreported' | 'down';

/**
 * An input runs when all workers listen. When one worker fails, the input fails, and the message names the worker
 * unless all of them say the same.
 */
export function aggregateInputState(
  wanted: 'running' | 'stopped',
  workers: readonly WorkerInputStatus[],
): NodeInputState {
  const reported = workers.filter((status): status is InputStateReport => typeof status === 'object');
  if (wanted === 'stopped') {
    const stopped = reported.every(({ state }) => !isAlive(state));
    return { ...NOT_RUNNING, state: stopped ? 'STOPPED' : 'STOPPING', detailedMessage: undefined };
  }
  const summary = (state: InputState, among: (status: InputStateReport) => boolean): NodeInputState => ({
    ...NOT_RUNNING,
    state,
    detailedMessage: messageOf(workers, among),
  });
  for (const state of ['INVALID_CONFIGURATION', 'FAILED'] as const) {
    if (reported.some((status) => status.state === state)) {
      return summary(state, (status) => status.state === state);
    }
  }
  if (workers.includes('down')) {
    const down = workers.flatMap((status, worker) => (status === 'down' ? [worker] : []));
    const detailedMessage = `worker ${down.join(', ')} is being restarted`;
    return { ...NOT_RUNNING, state: 'STARTING', detailedMessage };
  }
  const running = reported.filter(({ state }) => state === 'RUNNING');
  if (workers.length === 0 || running.length < workers.length) return summary('STARTING', () => true);
  const { address = '', port = 0 } = running[0] ?? {};
  return {
    ...summary('RUNNING', () => true),
    runningSince: Math.max(...running.map(({ startedAt }) => startedAt ?? 0)),
    listening: { address, port },
    losing: [...new Set(running.flatMap(({ losing }) => losing))],
    droppedField: running.find(({ droppedField }) => droppedField !== undefined)?.droppedField,
  };
}

function isAlive(state: InputState): boolean {
  return state === 'RUNNING' || state === 'STARTING' || state === 'STOPPING';
}

/** Each message once, with the workers it comes from unless it comes from all. */
function messageOf(
  workers: readonly WorkerInputStatus[],
  among: (status: InputStateReport) => boolean,
): string | undefined {
  const byMessage = new Map<string, number[]>();
  for (const [worker, status] of workers.entries()) {
    if (typeof status !== 'object' || status.detailedMessage === undefined || !among(status)) continue;
    byMessage.set(status.detailedMessage, [...(byMessage.get(status.detailedMessage) ?? []), worker]);
  }
  const texts = [...byMessage].map(([message, from]) =>
    from.length === workers.length ? message : `worker ${from.join(', ')}: ${message}`,
  );
  return texts.length === 0 ? undefined : texts.join('; ');
}
