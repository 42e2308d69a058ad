import { hash, randomBytes } from 'node:crypto';
import { type AccessToken, type CreatedToken, formatTimestamp } from '@millrace/contract';
import {
  type AuditLog,
  type AuthenticationResult,
  type Caller,
  type Clock,
  ForbiddenError,
  InvalidError,
  NotFoundError,
  RetryableError,
  recordAction,
} from '#core/index.ts';
import type { AccessTokenRecord, LoginToken, Repositories } from '#metadata/index.ts';
import type { Account, Accounts } from './accounts.ts';
import type { ActivityRecorder } from './activity.ts';
import { within } from './remembered-logins.ts';

/**
 * Access tokens: 256 random bits, shown once and stored as SHA-256. They need no salt and no slow hash, because nobody
 * can guess 256 bits. All users, including administrators, manage only their own tokens.
 */
export interface Tokens {
  list(caller: Caller, user: string): Promise<AccessToken[]>;
  create(caller: Caller, user: string, name: string): Promise<CreatedToken>;
  /** By the token's value or its id. */
  remove(caller: Caller, user: string, tokenOrId: string): Promise<void>;
  authenticate(token: string, remoteAddress: string): AuthenticationResult | Promise<AuthenticationResult>;
}

export interface TokensDeps {
  readonly repositories: Pick<Repositories, 'logins' | 'accessTokens'>;
  readonly accounts: Accounts;
  readonly activity: ActivityRecorder;
  readonly audit: AuditLog;
  readonly clock: Clock;
}

const TOKEN_BYTES = 32;
/** 256 bits in base 32. */
const TOKEN_LENGTH = 52;
const MAX_TOKENS_PER_USER = 1000;
/** `last_access` is stored at most this often. */
const LAST_ACCESS_INTERVAL_MS = 60_000;
const WRONG: AuthenticationResult = { failure: 'wrong' };

export function createTokens(deps: TokensDeps): Tokens {
  const { audit } = deps;
  const { accessTokens } = deps.repositories;

  return {
    authenticate: createTokenCheck(deps),

    async list(caller, user) {
      requireOwn(caller, user);
      return (await ownTokens(caller)).map(toView);
    },

    async create(caller, user, name) {
      requireOwn(caller, user);
      const { principal } = caller;
      if ((await ownTokens(caller)).length >= MAX_TOKENS_PER_USER) {
        throw new InvalidError(
          `User ${principal.username} already has ${MAX_TOKENS_PER_USER} access tokens. Delete the ones that are no longer used.`,
        );
      }
      const token = newToken();
      const stored = await accessTokens.insert({
        userId: principal.isRoot ? null : principal.userId,
        username: principal.username,
        name,
        tokenHash: hash('sha256', token),
      });
      await recordAction(audit, caller, 'token.create', { objectId: stored.id, after: toView(stored) });
      return { ...toView(stored), token };
    },

    async remove(caller, user, tokenOrId) {
      requireOwn(caller, user);
      const own = await ownTokens(caller);
      const tokenHash = hash('sha256', tokenOrId);
      const token =
        own.find((candidate) => candidate.tokenHash === tokenHash) ??
        own.find((candidate) => candidate.id === tokenOrId);
      if (token === undefined || !(await accessTokens.remove(token.id))) {
        throw new NotFoundError(`User ${caller.principal.username} has no such access token.`);
      }
      await recordAction(audit, caller, 'token.delete', { objectId: token.id, before: toView(token) });
    },
  };

  /** Compares ids too: a stored user may have the name that the root user was given later. */
  async function ownTokens({ principal }: Caller): Promise<AccessTokenRecord[]> {
    const ownerId = principal.isRoot ? null : principal.userId;
    const tokens = await accessTokens.listByUsername(principal.username);
    return tokens.filter((token) => token.userId === ownerId);
  }
}

function createTokenCheck({ accounts, activity, clock, repositories }: TokensDeps): Tokens['authenticate'] {
  const { logins, accessTokens } = repositories;

  /** Synchronous unless the use must be stored. */
  function admit(
    stored: LoginToken | undefined,
    remoteAddress: string,
  ): AuthenticationResult | Promise<AuthenticationResult> {
    const admission = stored && accounts.admit(stored, { tokenId: stored.id });
    if (stored === undefined || admission === undefined) return WRONG;
    const { account, principal } = admission;
    if (clock.now() - stored.lastAccess < LAST_ACCESS_INTERVAL_MS) return principal;
    return recordUse(stored, account, remoteAddress).then(() => principal);
  }

  async function recordUse(token: LoginToken, account: Account, remoteAddress: string): Promise<void> {
    try {
      await within(accessTokens.touch(token.id, clock.now()));
      await within(activity.seen(account, remoteAddress));
    } catch (error) {
      // With a full disk, or while PostgreSQL is away, operators must still be able to get in.
      if (!(error instanceof RetryableError)) throw error;
    }
  }

  return (token, remoteAddress) => {
    if (token.length !== TOKEN_LENGTH) return WRONG;
    const stored = logins.findToken(hash('sha256', token));
    if (!(stored instanceof Promise)) return admit(stored, remoteAddress);
    return stored.then((found) => admit(found, remoteAddress));
  };
}

/** `user` is a name or an id. The answer does not reveal whether another user of that name exists. */
function requireOwn({ principal }: Caller, user: string): void {
  if (user === principal.username || user === principal.userId) return;
  throw new ForbiddenError(
    `Not authorized to manage the access tokens of ${user}: all users, including administrators, manage only their own.`,
  );
}

function newToken(): string {
  return BigInt(`0x${randomBytes(TOKEN_BYTES).toString('hex')}`)
    .toString(32)
    .padStart(TOKEN_LENGTH, '0');
}

function toView(token: AccessTokenRecord): AccessToken {
  return { id: token.id, name: token.name, last_access: formatTimestamp(token.lastAccess) };
}
