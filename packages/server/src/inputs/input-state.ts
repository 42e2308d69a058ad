import type { InputStateName } from '@millrace/contract';
import type { RawConfiguration } from '#core/index.ts';

export type InputState = InputStateName;

/** What should run. Plain data: it crosses from the main thread. */
export interface WantedInput {
  readonly id: string;
  /** The wire type or the short id. */
  readonly type: string;
  readonly configuration: RawConfiguration;
  /** False: it exists and is stopped. */
  readonly started: boolean;
}

/** What an input does in this worker. Plain data: it crosses to the main thread. */
export interface InputStateReport {
  readonly id: string;
  readonly state: InputState;
  /** Why, for people: the reason of a failure and when it is tried again; a warning while it runs. */
  readonly detailedMessage: string | undefined;
  /** When it entered RUNNING, milliseconds since the epoch; undefined unless it runs. */
  readonly startedAt: number | undefined;
  /** Where it listens; undefined unless it runs. */
  readonly address: string | undefined;
  readonly port: number | undefined;
  /** Why it lost something during the last minute, as in `InputLoss.reason`. */
  readonly losing: readonly string[];
  /** The name of a field that was dropped for its name. */
  readonly droppedField: string | undefined;
}
