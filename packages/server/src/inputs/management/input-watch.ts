import type { InputRecord } from '#metadata/index.ts';
import type { SystemMessages } from '#system/service.ts';
import type { Logger } from '#telemetry/index.ts';
import type { InputState } from '../host.ts';
import type { ShownState, StateListener } from './node-inputs.ts';

/** Where operators are told: the cluster's notifications and system messages. */
export interface Operators {
  readonly notifications: {
    publish(notification: {
      readonly type: 'input_failed_to_start' | 'no_input_running';
      readonly key: string;
      readonly severity: 'urgent';
      readonly details: Readonly<Record<string, unknown>>;
    }): Promise<boolean>;
    fix(type: 'input_failed_to_start' | 'no_input_running', key: string): Promise<boolean>;
  };
  readonly systemMessages: Pick<SystemMessages, 'publish'>;
  readonly logger: Logger;
}

/** Tells operators, once each, when inputs fail or recover and when none runs. */
export interface InputWatch {
  readonly changed: StateListener;
  /** Every input has tried to start. */
  started(): Promise<void>;
  /** The node stops, and its inputs with it: nothing is reported from now on. */
  stop(): void;
}

/** States that last. Those in between are not reported. */
type Resolved = 'running' | 'failed' | 'stopped';

const SETTLED: Partial<Record<InputState, Resolved>> = {
  RUNNING: 'running',
  FAILED: 'failed',
  INVALID_CONFIGURATION: 'failed',
  STOPPED: 'stopped',
};

interface Told {
  readonly settled: Resolved;
  readonly message: string | undefined;
}

export function createInputWatch(operators: Operators, config: { readonly nodeId: string }): InputWatch {
  const told = new Map<string, Told>();
  const { notifications, systemMessages, logger } = operators;
  let hasStarted = false;
  let isStopping = false;
  let noneRuns: boolean | undefined;
  // The node is part of the key: a failure on one node must not hide that of another.
  const keyOf = (id: string): string => `${id}:${config.nodeId}`;

  function tell(input: InputRecord, now: Told, before: Told | undefined): void {
    const { id, title } = input;
    if (now.settled === 'failed') {
      const reason = now.message ?? 'unknown';
      void notifications.publish({
        type: 'input_failed_to_start',
        key: keyOf(id),
        severity: 'urgent',
        details: { input_id: id, input_title: title, reason },
      });
      if (before?.settled !== 'failed') {
        void systemMessages.publish('inputs', `Input "${title}" (${id}) failed: ${reason}`);
      }
      return;
    }
    if (now.settled === 'running' && now.message !== undefined) {
      logger.warn({ input: id, title, notice: now.message }, 'an input runs, with a warning');
    }
    if (before?.settled === now.settled) return;
    // Even without a failure before: one may have been reported before this node was restarted.
    void notifications.fix('input_failed_to_start', keyOf(id));
    const content = now.settled === 'running' ? 'is running' : 'is stopped';
    // The announcement at the start lists the inputs anyway.
    const logLevel = before === undefined ? 'debug' : 'info';
    void systemMessages.publish('inputs', `Input "${title}" (${id}) ${content}`, { logLevel });
  }

  function countRunning(): void {
    if (!hasStarted) return;
    const none = ![...told.values()].some(({ settled }) => settled === 'running');
    if (none === noneRuns) return;
    noneRuns = none;
    if (!none) void notifications.fix('no_input_running', config.nodeId);
    else
      void notifications.publish({
        type: 'no_input_running',
        key: config.nodeId,
        severity: 'urgent',
        details: { node_id: config.nodeId },
      });
  }

  function follow(input: InputRecord, state: ShownState): void {
    const settled = SETTLED[state.state];
    if (settled === undefined) return;
    const before = told.get(input.id);
    const now = { settled, message: state.detailedMessage };
    if (before?.settled === settled && before.message === now.message) return;
    told.set(input.id, now);
    tell(input, now, before);
  }

  return {
    changed(input, state) {
      if (isStopping) return;
      if (state !== undefined) follow(input, state);
      else if (told.delete(input.id)) void notifications.fix('input_failed_to_start', keyOf(input.id));
      countRunning();
    },
    async started() {
      hasStarted = true;
      countRunning();
    },
    stop() {
      isStopping = true;
    },
  };
}
