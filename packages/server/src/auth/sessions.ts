import { hash, randomUUID } from 'node:crypto';
import { formatOffsetTimestamp, type Session } from '@millrace/contract';
import {
  type AuditLog,
  type AuthenticationResult,
  type Caller,
  type Clock,
  ConflictError,
  NotFoundError,
  RetryableError,
  recordAction,
  TooManyRequestsError,
  UnauthenticatedError,
} from '#core/index.ts';
import type { LoginSession, Repositories, SessionRecord } from '#metadata/index.ts';
import type { Account, Accounts } from './accounts.ts';
import type { ActivityRecorder } from './activity.ts';
import type { KnownDevices } from './known-devices.ts';
import { type LoginAttempt, type PasswordLogin, storedHash } from './login.ts';
import { within } from './remembered-logins.ts';

/**
 * Session ids are UUIDs, stored as SHA-256, so that a copy of the database does not let anybody in. Every request
 * reads its session from the database: a session ended on one node is immediately invalid on all nodes, and sessions
 * survive restarts. Only while the database is away does what it last said count, for two minutes.
 */
export interface Sessions {
  /** Throws `UnauthenticatedError` for wrong credentials and `TooManyRequestsError` after too many failures. */
  logIn(attempt: LoginAttempt): Promise<NewSession>;
  authenticate(sessionId: string, use: SessionUse): AuthenticationResult | Promise<AuthenticationResult>;
  /**
   * Ends a session of the caller: the one with this id, or the session of this request. Throws `NotFoundError` if there
   * is none or it belongs to another user.
   */
  end(caller: Caller, sessionId: string | undefined): Promise<void>;
}

export interface NewSession {
  readonly session: Session;
  /** For the cookie by which this browser is recognised at its next login. */
  readonly deviceCookie: string;
}

export interface SessionUse {
  /** Whether this request extends the session. */
  readonly extend: boolean;
  readonly remoteAddress: string;
}

export interface SessionsDeps {
  readonly repositories: Pick<Repositories, 'logins' | 'sessions'>;
  readonly accounts: Accounts;
  readonly login: PasswordLogin;
  readonly devices: KnownDevices;
  readonly activity: ActivityRecorder;
  readonly audit: AuditLog;
  readonly clock: Clock;
}

/**
 * The last use is stored at most this often (for short timeouts: every twentieth of the timeout), so a session may end
 * that much earlier than "last use + timeout", never later.
 */
const MAX_EXTEND_INTERVAL_MS = 30_000;
const EXTENSIONS_PER_TIMEOUT = 20;
/** Longer than any session id. */
const MAX_ID_LENGTH = 100;
const WRONG: AuthenticationResult = { failure: 'wrong' };

/** The database stores this hash, not the id, which would let anybody in. */
export function hashSessionId(sessionId: string): string {
  return hash('sha256', sessionId);
}

export function createSessions(deps: SessionsDeps): Sessions {
  const { accounts, activity, audit } = deps;
  const { logins, sessions } = deps.repositories;

  return {
    authenticate: createSessionCheck(deps),

    async logIn(attempt) {
      const sessionId = randomUUID();
      const idHash = hashSessionId(sessionId);
      const { account, stored } = await storeNew(deps, attempt, idHash);
      await activity.seen(account, attempt.remoteAddress);
      await audit.record({
        actor: account.username,
        address: attempt.remoteAddress,
        action: 'session.create',
        objectType: 'session',
        objectId: publicName(idHash),
      });
      const session = {
        session_id: sessionId,
        valid_until: formatOffsetTimestamp(stored.lastUsedAt + stored.timeoutMs),
        username: account.username,
      };
      return { session, deviceCookie: deps.devices.issue(account.username) };
    },

    async end(caller, sessionId = caller.principal.sessionId) {
      const { principal } = caller;
      const idHash = sessionId === undefined ? undefined : hashSessionId(sessionId);
      const session = idHash === undefined ? undefined : await logins.findSession(idHash);
      const owner = session && accounts.ownerOf(session);
      if (idHash === undefined || owner?.id !== principal.userId || !(await sessions.remove(idHash))) {
        throw new NotFoundError(
          sessionId === undefined
            ? 'This request has no session, so there is none to end.'
            : 'You have no such session.',
        );
      }
      await recordAction(audit, caller, 'session.delete', { objectId: publicName(idHash) });
    },
  };
}

const MAX_CHECKS = 3;

/** Checks the password again if the user has changed before the session could be stored. */
async function storeNew(
  { login, repositories }: SessionsDeps,
  attempt: LoginAttempt,
  idHash: string,
): Promise<{ readonly account: Account; readonly stored: SessionRecord }> {
  for (let check = 0; check < MAX_CHECKS; check++) {
    const outcome = await login.verify(attempt);
    if (outcome.kind === 'refused') {
      throw new TooManyRequestsError(
        `Too many failed logins. Try again in ${outcome.retryAfterSeconds} seconds.`,
        outcome.retryAfterSeconds,
      );
    }
    if (outcome.kind === 'wrong') throw new UnauthenticatedError();
    const { account } = outcome;
    const session = {
      idHash,
      userId: account.isRoot ? null : account.id,
      username: account.username,
      timeoutMs: account.sessionTimeoutMs,
      clientAddress: attempt.remoteAddress,
    };
    try {
      return { account, stored: await repositories.sessions.insert(session, storedHash(account)) };
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
    }
  }
  throw new RetryableError(`the user ${attempt.username} was changed during each check of the password`);
}

function createSessionCheck({
  accounts,
  activity,
  clock,
  repositories,
}: SessionsDeps): Sessions['authenticate'] {
  const { logins, sessions } = repositories;

  /** Synchronous unless the use must be stored. */
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
    const extendEvery = Math.min(MAX_EXTEND_INTERVAL_MS, session.timeoutMs / EXTENSIONS_PER_TIMEOUT);
    if (!use.extend || now - session.lastUsedAt < extendEvery) return principal;
    return extend(idHash, account, use).then((isAlive) => (isAlive ? principal : WRONG));
  }

  /** False if the session was ended after the look-up. */
  async function extend(idHash: string, account: Account, use: SessionUse): Promise<boolean> {
    try {
      const isAlive = await within(sessions.touch(idHash, clock.now()));
      if (isAlive) await within(activity.seen(account, use.remoteAddress));
      return isAlive;
    } catch (error) {
      // With a full disk, or while PostgreSQL is away, operators must still be able to get in.
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

/** Identifies a session in the audit log: the first characters of its hash, useless for logging in. */
function publicName(idHash: string): string {
  return idHash.slice(0, 16);
}
