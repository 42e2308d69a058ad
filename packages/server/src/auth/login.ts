import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditLog } from '#core/index.ts';
import type { UsersRepository } from '#metadata/index.ts';
import type { Account, Accounts } from './accounts.ts';
import type { KnownDevices } from './known-devices.ts';
import type { LoginThrottle } from './login-throttle.ts';
import type { PasswordHasher } from './password.ts';
import type { VerifiedPasswordCache } from './verified-password-cache.ts';
import type { WorkSlots } from './work-slots.ts';

export interface LoginAttempt {
  readonly username: string;
  readonly password: string;
  readonly remoteAddress: string;
  /** The cookie of a known device, as it was sent. */
  readonly deviceCookie?: string | undefined;
  /** The id of a user who is already authenticated and proves a password once more. */
  readonly callerId?: string;
}

export type LoginOutcome =
  | { readonly kind: 'accepted'; readonly account: Account }
  /** Unknown user, wrong password or disabled user: clients cannot tell which. */
  | { readonly kind: 'wrong' }
  /** Too many failures: the password was not checked. */
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
  readonly devices: KnownDevices;
  readonly cache: VerifiedPasswordCache;
  readonly audit: AuditLog;
  /** Delays an attempt; tests replace it. */
  readonly pause?: (milliseconds: number) => Promise<void>;
}

/** Each delayed attempt holds a connection, so attempts beyond this number are refused. */
const MAX_PAUSED = 200;
const PAUSED_RETRY_SECONDS = 5;
const WRONG: LoginOutcome = { kind: 'wrong' };

export function createPasswordLogin(deps: PasswordLoginDeps): PasswordLogin {
  const { accounts, cache, hasher, slots, throttle } = deps;
  const pause = deps.pause ?? ((milliseconds) => sleep(milliseconds));
  // Simultaneous requests with the same credentials from the same address and device share one computation.
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

  async function compute(attempt: LoginAttempt): Promise<LoginOutcome> {
    const { username, password, remoteAddress } = attempt;
    const device = deviceOf(deps.devices, attempt);
    // Checked again, because other attempts may have failed while this one waited for its slot. However many attempts
    // are sent at once, only as many as there are slots can exceed the limit.
    const decision = throttle.check(remoteAddress, username, device);
    if (!decision.allowed) return { kind: 'refused', retryAfterSeconds: decision.retryAfterSeconds };
    const account = await accounts.findByName(username);
    const isCorrect = await hasher.verify(password, account?.password);
    if (account === undefined || !isCorrect || !account.isEnabled) {
      throttle.failed(remoteAddress, username, device);
      await recordFailure(deps.audit, attempt);
      return WRONG;
    }
    throttle.succeeded(remoteAddress, username, device);
    const current = await withCurrentHash(account, password);
    cache.add(username, password, storedHash(current));
    return { kind: 'accepted', account: current };
  }

  /** Rehashes a password whose hash has outdated costs, now that the password is known. */
  async function withCurrentHash(account: Account, password: string): Promise<Account> {
    if (account.isRoot || account.password.kind !== 'argon2id') return account;
    if (!hasher.isOutdated(account.password.hash)) return account;
    const hash = await hasher.hash(password);
    const isReplaced = await deps.users.replacePasswordHash(account.id, account.password.hash, hash);
    return isReplaced ? { ...account, password: { kind: 'argon2id', hash } } : account;
  }

  async function computeShared(attempt: LoginAttempt): Promise<LoginOutcome> {
    const key = `${attempt.remoteAddress} ${deviceOf(deps.devices, attempt) ?? ''} ${cache.key(attempt.username, attempt.password)}`;
    const known = running.get(key);
    if (known !== undefined) return known;
    const outcome = slots.run(() => compute(attempt)).finally(() => running.delete(key));
    running.set(key, outcome);
    return outcome;
  }

  return {
    async verify(attempt) {
      const { username, password, remoteAddress } = attempt;
      const device = deviceOf(deps.devices, attempt);
      // Before the cache: while attempts are refused, the right password must get the same answer as a wrong one.
      const decision = throttle.check(remoteAddress, username, device);
      if (!decision.allowed) return { kind: 'refused', retryAfterSeconds: decision.retryAfterSeconds };
      if (decision.delayMs > 0) {
        const refusal = await slowDown(decision.delayMs);
        if (refusal !== undefined) return refusal;
      }
      const account = await accounts.findByName(username);
      if (account?.isEnabled && cache.has(username, password, storedHash(account))) {
        return { kind: 'accepted', account };
      }
      return computeShared(attempt);
    },
  };
}

/** What failures are counted for in place of the address, which others may share. */
function deviceOf(
  devices: KnownDevices,
  { username, deviceCookie, callerId }: LoginAttempt,
): string | undefined {
  return callerId === undefined ? devices.identify(username, deviceCookie) : `of user ${callerId}`;
}

function recordFailure(
  audit: PasswordLoginDeps['audit'],
  { username, remoteAddress }: LoginAttempt,
): Promise<void> {
  const name = username.slice(0, 100);
  return audit.record({
    actor: name,
    address: remoteAddress,
    action: 'user.login',
    objectType: 'user',
    objectId: name,
    outcome: 'failure',
  });
}

export function storedHash({ password }: Account): string {
  return password.kind === 'sha256' ? password.hex : password.hash;
}
