import type { RawConfiguration } from '#core/index.ts';
import type { InputContext, InputType } from './input.ts';

/** The states of an input, as the API names them. */
export const INPUT_STATES = [
  'CREATED',
  'INITIALIZED',
  'INVALID_CONFIGURATION',
  'STARTING',
  'RUNNING',
  'FAILED',
  'STOPPING',
  'STOPPED',
  'TERMINATED',
] as const;
export type InputState = (typeof INPUT_STATES)[number];

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
}

/** All inputs of one worker. An input that misbehaves never affects another. */
export interface InputHost {
  /**
   * Makes this list true: starts what is new, stops what is gone or no longer wanted, restarts what was
   * changed, leaves the rest alone. Resolves when nothing is left to do, apart from retries. Inputs that
   * left the list report TERMINATED and lose their metrics.
   */
  apply(desired: readonly WantedInput[]): Promise<void>;
  statuses(): InputStateReport[];
  /** Stops all inputs; nothing is started afterwards. */
  stop(): Promise<void>;
}

export interface InputHostDeps extends Omit<InputContext, 'inputId' | 'failed'> {
  /** Every change of state, in order. Must not throw. */
  readonly report: (status: InputStateReport) => void;
  /** The types that exist; all of them unless told otherwise. */
  readonly types?: readonly InputType[];
}

export interface InputHostConfig {
  /** Wait before the first new attempt after a failure; doubled each time up to the longest. */
  readonly retryDelayMs?: number;
  readonly maxRetryDelayMs?: number;
}
