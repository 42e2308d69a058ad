import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditLog } from '#core/index.ts';
import type { UsersRepository } from '#metadata/index.ts';
import type { Account, Accounts } from './accounts.ts';
import type { LoginThrottle } from './login-throttle.ts';
import type { PasswordHasher } from './password.ts';
import type { VerifiedPasswordCache } from './verified-password-cache.ts';
import type { WorkSlots } from './work-slots.ts';

export interface LoginAttempt {
  readonly username: string;
  readonly password: string;
  readonly remoteAddress: string;
}

export type LoginOutcome =
  | { readonly kind: 'in'; readonly account: Account }
  /** Unknown user, wrong password, disabled user: nobody outside can tell which. */
  | { readonly kind: 'wrong' }
  /** Too many failures: the password was not looked at. */
  | { readonly kind: 'refused'; readonly retryAfterSeconds: number };

/** Checks user names and passwords, the only credentials that can be guessed. */
export interface PasswordLogin {
  verify(attempt: LoginAttempt): Promise<LoginOutcome>;
}

export interface PasswordLoginDeps {
  readonly accounts: Accounts;
  readonly users: UsersRepository;
  readonly hasher: PasswordHasher;
  readonly slots: WorkSlots;
  readonly throttle: LoginThrottle;
  readonly cache: VerifiedPasswordCache;
  readonly audit: AuditLog;
  /** Waits; tests do not. */
  readonly pause?: (milliseconds: number) => Promise<void>;
}

/** Attempts that are being slowed down hold a connection each; more of them than this are turned away. */
const MAX_PAUSED = 200;
const PAUSED_RETRY_SECONDS = 5;
const WRONG: LoginOutcome = { kind: 'wrong' };

export function createPasswordLogin(deps: PasswordLoginDeps): PasswordLogin {
  const { accounts, cache, hasher, slots, throttle } = deps;
  const pause = deps.pause ?? ((milliseconds) => sleep(milliseconds));
  // Requests that arrive together with the same credentials from the same place share one computation.
  const running = new Map<string, Promise<LoginOutcome>>();
  let paused = 0;

  async function slowDown(milliseconds: number): Promise<LoginOutcome | undefined> {
    if (paused >= MAX_PAUSED) return { kind: 'refused', retryAfterSeconds: PAUSED_RETRY_SECONDS };
    paused += 1;
    try {
      await pause(milliseconds);
      return undefined;
    } finally {
      paused -= 1;
    }
  }

  async function compute({ username, password, remoteAddress }: LoginAttempt): Promise<LoginOutcome> {
    // Asked again here: what failed while this attempt waited for its turn counts. Only as many attempts as
    // there are slots can get past the limit, however many are sent at once.
    const decision = throttle.check(remoteAddress, username);
    if (!decision.allowed) return { kind: 'refused', retryAfterSeconds: decision.retryAfterSeconds };
    const account = await accounts.findByName(username);
    const isRight = await hasher.verify(password, account?.password);
    if (account === undefined || !isRight || !account.isEnabled) {
      throttle.failed(remoteAddress, username);
      await deps.audit.record({
        actor: username.slice(0, 100),
        address: remoteAddress,
        action: 'user.login',
        objectType: 'user',
        objectId: username.slice(0, 100),
        outcome: 'failure',
      });
      return WRONG;
    }
    throttle.succeeded(remoteAddress, username);
    await renewHash(account, password);
    cache.add(username, password, storedText(account));
    return { kind: 'in', account };
  }

  /** Brings a hash that was made with other costs up to today's, now that the password is known. */
  async function renewHash(account: Account, password: string): Promise<void> {
    if (account.isRoot || account.password.kind !== 'argon2id') return;
    if (!hasher.isOutdated(account.password.hash)) return;
    await deps.users.update(account.id, { passwordHash: await hasher.hash(password) });
  }

  async function computeShared(attempt: LoginAttempt): Promise<LoginOutcome> {
    const key = `${attempt.remoteAddress} ${cache.key(attempt.username, attempt.password)}`;
    const known = running.get(key);
    if (known !== undefined) return known;
    const outcome = slots.run(() => compute(attempt)).finally(() => running.delete(key));
    running.set(key, outcome);
    return outcome;
  }

  return {
    async verify(attempt) {
      const { username, password, remoteAddress } = attempt;
      // Before the cache: while guesses are refused, a right one must not be told from the wrong ones.
      const decision = throttle.check(remoteAddress, username);
      if (!decision.allowed) return { kind: 'refused', retryAfterSeconds: decision.retryAfterSeconds };
      if (decision.delayMs > 0) {
        const refusal = await slowDown(decision.delayMs);
        if (refusal !== undefined) return refusal;
      }
      const account = await accounts.findByName(username);
      if (account?.isEnabled && cache.has(username, password, storedText(account))) {
        return { kind: 'in', account };
      }
      return computeShared(attempt);
    },
  };
}

function storedText({ password }: Account): string {
  return password.kind === 'sha256' ? password.hex : password.hash;
}
