/** What the main thread wants of an output. Plain data. */
export interface WantedOutput {
  readonly id: string;
  readonly title: string;
  /** The short id of its type. */
  readonly type: string;
  /** With secrets in clear. */
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly paused: boolean;
}

export type OutputState = 'STARTING' | 'RUNNING' | 'FAILED' | 'PAUSED' | 'INVALID_CONFIGURATION';

/** What an output does for one journal partition. Plain data. */
export interface OutputReport {
  readonly id: string;
  readonly partition: number;
  readonly state: OutputState;
  /** Why it is in its state, for people. */
  readonly message: string | undefined;
  readonly queuedMessages: number;
  readonly queuedBytes: number;
  /** When the oldest queued message was received, milliseconds since the epoch. */
  readonly oldestReceivedAt: number | undefined;
  /** Since the worker started. */
  readonly sentMessages: number;
  /** Messages a second, lately. */
  readonly sentRate: number;
  readonly droppedMessages: number;
  readonly refusedMessages: number;
  readonly lastError: { readonly message: string; readonly at: number } | undefined;
}
