/**
 * The one way in which tests wait for something that has no event to await. Everything else that polls is refused by
 * `npm run check`: a fixed sleep is too short on a busy machine and too long everywhere else, and a loop without a
 * deadline ends as a timeout that does not say what was missing.
 */
import { inspect } from 'node:util';

export interface Patience {
  /** Long enough for a busy machine, since a test that passes never waits for it. */
  readonly timeoutMs?: number;
  /** The pause after each attempt, for what must be seen while it lasts. */
  readonly intervalMs?: number;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const MIN_PAUSE_MS = 10;
const MAX_PAUSE_MS = 100;

/** Repeats `assertion` until it no longer throws; resolves with what it returns. */
export async function eventually<T>(assertion: () => T | Promise<T>, patience: Patience = {}): Promise<T> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = patience;
  const start = performance.now();
  const deadline = start + timeoutMs;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (performance.now() >= deadline) throw withTimeout(error, timeoutMs);
    }
    await pause(start, patience);
  }
}

/** Repeats `probe` until it returns something truthy; resolves with that. An error of `probe` is not retried. */
export async function until<T>(
  probe: () => T | Promise<T>,
  patience: Patience = {},
): Promise<NonNullable<T>> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = patience;
  const start = performance.now();
  const deadline = start + timeoutMs;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (performance.now() >= deadline) {
      throw new Error(`\`${probe}\` was still ${inspect(value)} after ${timeoutMs} ms`);
    }
    await pause(start, patience);
  }
}

/**
 * A tenth of the time waited so far: questions to a node or to ClickHouse take the time of the processor for which what is
 * awaited waits, too.
 */
function pause(start: number, { intervalMs }: Patience): Promise<void> {
  const grown = Math.min(Math.max((performance.now() - start) / 10, MIN_PAUSE_MS), MAX_PAUSE_MS);
  return new Promise((resolve) => setTimeout(resolve, intervalMs ?? grown));
}

/** Keeps the error's own fields, from which the test runner shows expected and received values. */
function withTimeout(error: unknown, timeoutMs: number): unknown {
  if (error instanceof Error) error.message = `still failing after ${timeoutMs} ms: ${error.message}`;
  return error;
}
