import type { InputRecord } from '#metadata/index.ts';
import type { SystemMessages } from '#system/service.ts';
import type { Logger } from '#telemetry/index.ts';
import type { InputState } from '../host.ts';
import { LOSS_OF_DELIMITER, NEWLINES } from '../loss-watch.ts';
import type { ShownState, StateListener } from './node-inputs.ts';

type WatchedProblem = 'input_failed_to_start' | 'no_input_running' | 'input_newline_delimited';

/** Where operators are told: the cluster's notifications and system messages. */
export interface Operators {
  readonly notifications: {
    publish(notification: {
      readonly type: WatchedProblem;
      readonly key: string;
      readonly severity: 'urgent' | 'normal';
      readonly details: Readonly<Record<string, unknown>>;
    }): Promise<boolean>;
    fix(type: WatchedProblem, key: string): Promise<boolean>;
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

const NEWLINE_DELIMITED = 'input_newline_delimited';

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
  // The node is part of the key: a failure on one node must not hide that of another.
  const keyOf = (id: string): string => `${id}:${config.nodeId}`;
  const delimiters = createDelimiterWatch(notifications, keyOf);
  const tellWhetherAnyRuns = createRunningWatch(notifications, config.nodeId);

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
    tellWhetherAnyRuns([...told.values()].some(({ settled }) => settled === 'running'));
  }

  function follow(input: InputRecord, state: ShownState): void {
    delimiters.follow(input, state);
    const settled = SETTLED[state.state];
    if (settled === undefined) return;
    const before = told.get(input.id);
    const now = { settled, message: state.detailedMessage };
    if (before?.settled === settled && before.message === now.message) return;
    told.set(input.id, now);
    tell(input, now, before);
  }

  function forget(id: string): void {
    if (!told.delete(id)) return;
    void notifications.fix('input_failed_to_start', keyOf(id));
    delimiters.forget(id);
  }

  return {
    changed(input, state) {
      if (isStopping) return;
      if (state !== undefined) follow(input, state);
      else forget(input.id);
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

/** Tells operators when none runs, and when one does again. */
function createRunningWatch(notifications: Operators['notifications'], nodeId: string) {
  let told: boolean | undefined;
  return (anyRuns: boolean): void => {
    if (anyRuns === told) return;
    told = anyRuns;
    if (anyRuns) void notifications.fix('no_input_running', nodeId);
    else
      void notifications.publish({
        type: 'no_input_running',
        key: nodeId,
        severity: 'urgent',
        details: { node_id: nodeId },
      });
  };
}

/** Whether senders end their messages as the input expects it. */
function createDelimiterWatch(notifications: Operators['notifications'], keyOf: (id: string) => string) {
  const told = new Map<string, boolean>();
  return {
    /** A sender may keep its connection for days, so this is solved only when the input is changed or stopped. */
    follow({ id, title }: InputRecord, { state, losing }: ShownState): void {
      const isTold = told.get(id);
      const isWrong = state === 'RUNNING' && (isTold === true || losing.includes(LOSS_OF_DELIMITER));
      if (isWrong === isTold) return;
      told.set(id, isWrong);
      if (!isWrong) {
        // Also the first time: it may have been reported before this node was restarted.
        void notifications.fix(NEWLINE_DELIMITED, keyOf(id));
        return;
      }
      const { what, remedy } = NEWLINES;
      void notifications.publish({
        type: NEWLINE_DELIMITED,
        key: keyOf(id),
        severity: 'normal',
        details: { input_id: id, input_title: title, reason: what, remedy },
      });
    },
    forget(id: string): void {
      if (told.get(id) === true) void notifications.fix(NEWLINE_DELIMITED, keyOf(id));
      told.delete(id);
    },
  };
}
