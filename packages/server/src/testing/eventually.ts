/**
 * The one way in which tests wait for something that has no event to await. Everything else that polls is refused by
 * `npm run check`: a fixed sleep is too short on a busy machine and too long everywhere else, and a loop without a
 * deadline ends as a timeout that does not say what was missing.
 */
import { inspect } from 'node:util';

export interface Patience {
  /** Long enough for a busy machine, since a test that passes never waits for it. */
  readonly timeoutMs?: number;
  readonly intervalMs?: number;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_INTERVAL_MS = 10;

/** Repeats `assertion` until it no longer throws; resolves with what it returns. */
export async function eventually<T>(assertion: () => T | Promise<T>, patience: Patience = {}): Promise<T> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, intervalMs = DEFAULT_INTERVAL_MS } = patience;
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (performance.now() >= deadline) throw withTimeout(error, timeoutMs);
    }
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}

/** Repeats `probe` until it returns something truthy; resolves with that. An error of `probe` is not retried. */
export async function until<T>(
  probe: () => T | Promise<T>,
  patience: Patience = {},
): Promise<NonNullable<T>> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, intervalMs = DEFAULT_INTERVAL_MS } = patience;
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (performance.now() >= deadline) {
      throw new Error(`\`${probe}\` was still ${inspect(value)} after ${timeoutMs} ms`);
    }
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}

/** Keeps the error's own fields, from which the test runner shows expected and received values. */
function withTimeout(error: unknown, timeoutMs: number): unknown {
  if (error instanceof Error) error.message = `still failing after ${timeoutMs} ms: ${error.message}`;
  return error;
}
