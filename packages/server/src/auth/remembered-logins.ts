import { type Clock, ExpiringMap, RetryableError } from '#core/index.ts';
import type { LoginsRepository } from '#metadata/index.ts';

/** After its last answer about a session, a token or a user, the database may be away for so long. */
const MEMORY_MS = 120_000;
const MAX_REMEMBERED = 10_000;

export interface RememberedLoginsSettings {
  /** A database that has not answered by then is away. */
  readonly patienceMs?: number;
}

const DEFAULT_PATIENCE_MS = 2000;

/**
 * Look-ups that go on while PostgreSQL is away or hangs: whoever was let in during the last two minutes still is.
 * Otherwise nobody could search when only the metadata is missing. As long as the database answers, its answer counts,
 * so what was ended on any node is refused at once.
 */
export function createRememberedLogins(
  logins: LoginsRepository,
  monotonic: Clock,
  { patienceMs = DEFAULT_PATIENCE_MS }: RememberedLoginsSettings = {},
): LoginsRepository {
  function remembered<T>(find: (key: string) => T | undefined | Promise<T | undefined>) {
    const known = new ExpiringMap<string, T>(monotonic, { maxEntries: MAX_REMEMBERED, maxAgeMs: MEMORY_MS });

    async function wait(key: string, asked: Promise<T | undefined>): Promise<T | undefined> {
      const memory = known.get(key);
      try {
        const answer = await (memory === undefined ? asked : within(asked, patienceMs));
        if (answer === undefined) known.delete(key);
        else known.set(key, answer);
        return answer;
      } catch (error) {
        if (memory !== undefined && error instanceof RetryableError) return memory;
        throw error;
      }
    }

    return (key: string) => {
      const asked = find(key);
      // SQLite answers at once, and is never away.
      return asked instanceof Promise ? wait(key, asked) : asked;
    };
  }

  return {
    findSession: remembered((idHash) => logins.findSession(idHash)),
    findToken: remembered((tokenHash) => logins.findToken(tokenHash)),
    findUser: remembered((username) => logins.findUser(username)),
  };
}

/** Rejects with a `RetryableError` when this takes too long. What was asked for goes on. */
export async function within<T>(work: Promise<T>, milliseconds = DEFAULT_PATIENCE_MS): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new RetryableError(`no answer from the database within ${milliseconds} ms`)),
    milliseconds,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
