/** Errors that say what the caller may do about them, by type and never by message text. */
import { constants } from 'node:os';

/** The same call can succeed later: a server that is away, a lock that is held, a full disk. */
export class RetryableError extends Error {
  override readonly name = 'RetryableError';
}

/** The same call will never succeed: retrying wastes time and hides the fault. */
export class PermanentError extends Error {
  override readonly name = 'PermanentError';
}

/** What should be stored conflicts with what is there: a name that is taken, an id that exists. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
}

/** Does the work. When the database has something else in its place already, rejects with `refusal` instead. */
export async function onConflict<T>(work: Promise<T>, refusal: () => Error): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof ConflictError ? refusal() : error;
  }
}

/**
 * The node cannot start. Printed to the user as it is: one sentence that says what is wrong, with the
 * offending value, and one that says what to do.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError';
  readonly whatToDo: string;

  constructor(message: string, whatToDo: string, options?: ErrorOptions) {
    super(message, options);
    this.whatToDo = whatToDo;
  }
}

/** The text of anything that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The system error code (`ENOENT`, `EADDRINUSE`, ...) of anything that was thrown, if it has one. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  // Node has no name for this one.
  if ('errno' in error && error.errno === -constants.errno.EDQUOT) return 'EDQUOT';
  return typeof error.code === 'string' ? error.code : undefined;
}
