import { RetryableError } from '#core/index.ts';
import type { AlertNotice } from './notice.ts';

/**
 * Sends notices by one configured notification.
 *
 * Contract: `send` resolves when the notice has arrived, as far as the receiver says so. It rejects with a `SendFailure`
 * that says whether another attempt makes sense. It ends soon after `progress.signal` is aborted. What consists of
 * several parts (a mail for each receiver) marks each part as done before it begins the next, and skips those that are.
 */
export interface NotificationSender {
  send(notice: AlertNotice, progress: SendProgress): Promise<SendReport>;
}

export interface SendProgress {
  /** Parts that arrived in an earlier attempt. */
  readonly done: ReadonlySet<string>;
  /** Resolves when that is stored; rejects when nothing more may be sent. */
  markDone(part: string): Promise<void>;
  readonly signal: AbortSignal;
}

export interface SendReport {
  /** It arrived, but not everywhere: who was not reached, and why. */
  readonly warning?: string;
}

export class SendFailure extends Error {
  override readonly name = 'SendFailure';
  readonly isRetryable: boolean;
  /** When the receiver wants the next attempt at the earliest. */
  readonly retryAfterMs: number | undefined;
  /** The way to send is missing or wrong on this node, whoever the receiver is. */
  readonly isSetup: boolean;

  constructor(
    message: string,
    options: {
      readonly isRetryable: boolean;
      readonly retryAfterMs?: number | undefined;
      readonly isSetup?: boolean;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.isRetryable = options.isRetryable;
    this.retryAfterMs = options.retryAfterMs;
    this.isSetup = options.isSetup ?? false;
  }
}

/** Another attempt would end in the same way. */
export function givesUp(message: string, options: { readonly isSetup?: boolean } = {}): SendFailure {
  return new SendFailure(message, { isRetryable: false, ...options });
}

export function triesAgain(message: string, cause?: unknown, retryAfterMs?: number): SendFailure {
  return new SendFailure(message, { isRetryable: true, cause, retryAfterMs });
}

/** For attempts that nothing follows, such as tests. */
export function wholeAttempt(signal: AbortSignal): SendProgress {
  return { done: new Set(), markDone: async () => {}, signal };
}

export function isRetryable(error: unknown): boolean {
  if (error instanceof SendFailure) return error.isRetryable;
  return error instanceof RetryableError;
}
