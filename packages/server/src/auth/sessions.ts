import { hash, randomUUID } from 'node:crypto';
import { formatOffsetTimestamp, type Session } from '@millrace/contract';
import {
  type AuditLog,
  type AuthenticationResult,
  type Caller,
  type Clock,
  NotFoundError,
  RetryableError,
  TooManyRequestsError,
  UnauthenticatedError,
} from '#core/index.ts';
import type { LoginSession, Repositories } from '#metadata/index.ts';
import type { Account, Accounts } from './accounts.ts';
import type { ActivityRecorder } from './activity.ts';
import type { LoginAttempt, PasswordLogin } from './login.ts';

/**
 * Sessions are UUIDs, stored as SHA-256, so that a copy of the database lets nobody in. Every request reads
 * its session from the database: one that was ended on any node is dead on all of them at once, and they
 * survive restarts.
 */
export interface Sessions {
  /** Throws `UnauthenticatedError` for wrong credentials and `TooManyRequestsError` when refused. */
  logIn(attempt: LoginAttempt): Promise<Session>;
  authenticate(sessionId: string, use: SessionUse): AuthenticationResult | Promise<AuthenticationResult>;
  /**
   * Ends a session of the caller: the one with this id, or the one the request came with. Throws
   * `NotFoundError` when there is none, or when it is somebody else's.
   */
  end(caller: Caller, sessionId: string | undefined): Promise<void>;
}

export interface SessionUse {
  /** False: this request does not prolong the session. */
  readonly extend: boolean;
  readonly remoteAddress: string;
}

export interface SessionsDeps {
  readonly repositories: Pick<Repositories, 'logins' | 'sessions'>;
  readonly accounts: Accounts;
  readonly login: PasswordLogin;
  readonly activity: ActivityRecorder;
  readonly audit: AuditLog;
  readonly clock: Clock;
}

/**
 * The last use is written at most this often (for short timeouts: every twentieth of the timeout), so a
 * session may end that much before "last use + timeout", never after it.
 */
const MAX_SLIDE_INTERVAL_MS = 30_000;
const SLIDES_PER_TIMEOUT = 20;
/** Longer than any session id: not worth hashing. */
const MAX_ID_LENGTH = 100;
const WRONG: AuthenticationResult = { failure: 'wrong' };

/** What is stored of a session id: enough to recognise it, nothing to come in with. */
export function hashSessionId(sessionId: string): string {
  return hash('sha256', sessionId);
}

export function createSessions(deps: SessionsDeps): Sessions {
  const { accounts, activity, audit } = deps;
  const { logins, sessions } = deps.repositories;

  return {
    authenticate: createSessionCheck(deps),

    async logIn(attempt) {
      const outcome = await deps.login.verify(attempt);
      if (outcome.kind === 'refused') {
        throw new TooManyRequestsError(
          `Too many failed logins. Try again in ${outcome.retryAfterSeconds} seconds.`,
          outcome.retryAfterSeconds,
        );
      }
      if (outcome.kind === 'wrong') throw new UnauthenticatedError();
      const { account } = outcome;
      const sessionId = randomUUID();
      const idHash = hashSessionId(sessionId);
      const stored = await sessions.insert({
        idHash,
        userId: account.isRoot ? null : account.id,
        username: account.username,
        timeoutMs: account.sessionTimeoutMs,
        clientAddress: attempt.remoteAddress,
      });
      await activity.seen(account, attempt.remoteAddress);
      await audit.record({
        actor: account.username,
        address: attempt.remoteAddress,
        action: 'session.create',
        objectType: 'session',
        objectId: publicName(idHash),
      });
      return {
        session_id: sessionId,
        valid_until: formatOffsetTimestamp(stored.lastUsedAt + stored.timeoutMs),
        username: account.username,
      };
    },

    async end({ principal, remoteAddress }, sessionId = principal.sessionId) {
      const idHash = sessionId === undefined ? undefined : hashSessionId(sessionId);
      const session = idHash === undefined ? undefined : await logins.findSession(idHash);
      const owner = session && accounts.ownerOf(session);
      if (idHash === undefined || owner?.id !== principal.userId || !(await sessions.remove(idHash))) {
        throw new NotFoundError(
          sessionId === undefined
            ? 'This request did not come with a session, so there is none to end.'
            : 'You have no such session.',
        );
      }
      await audit.record({
        actor: principal.username,
        address: remoteAddress,
        action: 'session.delete',
        objectType: 'session',
        objectId: publicName(idHash),
      });
    },
  };
}

function createSessionCheck({
  accounts,
  activity,
  clock,
  repositories,
}: SessionsDeps): Sessions['authenticate'] {
  const { logins, sessions } = repositories;

  /** Answers at once unless the use must be written down. */
  function admit(
    sessionId: string,
    idHash: string,
    session: LoginSession | undefined,
    use: SessionUse,
  ): AuthenticationResult | Promise<AuthenticationResult> {
    const now = clock.now();
    if (session === undefined || session.lastUsedAt + session.timeoutMs <= now) return WRONG;
    const admission = accounts.admit(session, { sessionId });
    if (admission === undefined) return WRONG;
    const { account, principal } = admission;
    const slideEvery = Math.min(MAX_SLIDE_INTERVAL_MS, session.timeoutMs / SLIDES_PER_TIMEOUT);
    if (!use.extend || now - session.lastUsedAt < slideEvery) return principal;
    return slide(idHash, account, use).then((isAlive) => (isAlive ? principal : WRONG));
  }

  /** False when the session was ended between the look-up and this. */
  async function slide(idHash: string, account: Account, use: SessionUse): Promise<boolean> {
    try {
      const isAlive = await sessions.touch(idHash, clock.now());
      if (isAlive) await activity.seen(account, use.remoteAddress);
      return isAlive;
    } catch (error) {
      // A full disk must not keep those out who come to look what is wrong.
      if (error instanceof RetryableError) return true;
      throw error;
    }
  }

  return (sessionId, use) => {
    if (sessionId.length > MAX_ID_LENGTH) return WRONG;
    const idHash = hashSessionId(sessionId);
    const session = logins.findSession(idHash);
    if (!(session instanceof Promise)) return admit(sessionId, idHash, session, use);
    return session.then((found) => admit(sessionId, idHash, found, use));
  };
}

/** Names a session in the audit log without letting anybody in: the beginning of its hash. */
function publicName(idHash: string): string {
  return idHash.slice(0, 16);
}
