import { isIPv6 } from 'node:net';
import type { Clock } from '#core/index.ts';

/**
 * Slows down guessing of passwords without locking anybody out for good.
 *
 * Three counters of failed password logins, each a bucket that leaks at a steady rate:
 * - address + user: from `slowFrom` on every attempt is delayed, at `limit` it is refused until one failure has
 *   leaked away;
 * - address: refused at its limit, so that one address cannot try many users;
 * - user, from all addresses: only delayed, never refused, so that nobody elsewhere can lock the owner out.
 *   Addresses from which this user came in lately are not delayed at all.
 *
 * A refused attempt is not looked at and does not count, so waiting for `Retry-After` always gives another try.
 * A success takes back what this user failed from this address. Access tokens and sessions never come here:
 * they keep working while passwords are refused.
 *
 * All in memory, per node and bounded: an attacker who spreads over n nodes gets n times the tries, which
 * is still a few guesses a minute.
 */
export interface LoginThrottle {
  /** What to do with an attempt before its password is looked at. Changes nothing. */
  check(address: string, username: string): ThrottleDecision;
  failed(address: string, username: string): void;
  succeeded(address: string, username: string): void;
}

export type ThrottleDecision =
  | { readonly allowed: true; readonly delayMs: number }
  | { readonly allowed: false; readonly retryAfterSeconds: number };

export interface LoginThrottleSettings {
  readonly pair: { readonly slowFrom: number; readonly limit: number; readonly leakMs: number };
  readonly address: { readonly limit: number; readonly leakMs: number };
  readonly user: { readonly slowFrom: number; readonly leakMs: number };
  /** The first delay; each further failure doubles it, up to `maxDelayMs`. */
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  /** How long an address is remembered as one the user came in from. */
  readonly knownForMs: number;
  /** How many addresses, users and pairs are remembered, each. */
  readonly maxEntries: number;
}

export const DEFAULT_LOGIN_THROTTLE: LoginThrottleSettings = {
  pair: { slowFrom: 5, limit: 10, leakMs: 30_000 },
  address: { limit: 50, leakMs: 6_000 },
  user: { slowFrom: 20, leakMs: 10_000 },
  firstDelayMs: 250,
  maxDelayMs: 2_000,
  knownForMs: 24 * 3_600_000,
  maxEntries: 10_000,
};

interface Buckets {
  level(key: string): number;
  add(key: string, amount: number): void;
  delete(key: string): void;
}

/** A map of leaking buckets that forgets the ones not touched for longest when it is full. */
function createBuckets(clock: Clock, leakMs: number, maxEntries: number): Buckets {
  const buckets = new Map<string, { level: number; at: number }>();
  const level = (key: string): number => {
    const bucket = buckets.get(key);
    return bucket === undefined ? 0 : Math.max(0, bucket.level - (clock.now() - bucket.at) / leakMs);
  };
  return {
    level,
    add(key, amount) {
      const raised = level(key) + amount;
      buckets.delete(key);
      if (raised <= 0) return;
      buckets.set(key, { level: raised, at: clock.now() });
      if (buckets.size > maxEntries) {
        const oldest = buckets.keys().next();
        if (!oldest.done) buckets.delete(oldest.value);
      }
    },
    delete: (key) => buckets.delete(key),
  };
}

/** One customer has a whole /64 of IPv6, so that is what counts as one address. */
function addressKey(address: string): string {
  const plain =
    address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
  const withoutZone = plain.split('%', 1)[0] ?? plain;
  if (!isIPv6(withoutZone)) return plain;
  const [head = '', tail] = withoutZone.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const rest = tail === '' ? [] : tail.split(':');
    while (groups.length + rest.length < 8) groups.push('0');
    groups.push(...rest);
  }
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

/** Names are attacker's text: keep memory bounded per entry too. No real name is longer. */
function userKey(username: string): string {
  return username.slice(0, 100);
}

export function createLoginThrottle(
  deps: { readonly clock: Clock },
  settings: LoginThrottleSettings = DEFAULT_LOGIN_THROTTLE,
): LoginThrottle {
  const { clock } = deps;
  const pairs = createBuckets(clock, settings.pair.leakMs, settings.maxEntries);
  const addresses = createBuckets(clock, settings.address.leakMs, settings.maxEntries);
  const users = createBuckets(clock, settings.user.leakMs, settings.maxEntries);
  // A bucket that leaks once in `knownForMs` is a memory that lasts that long.
  const known = createBuckets(clock, settings.knownForMs, settings.maxEntries);

  const pairKey = (address: string, user: string): string => `${address} ${user}`;

  const delay = (excess: number): number =>
    excess < 0 ? 0 : Math.min(settings.maxDelayMs, settings.firstDelayMs * 2 ** Math.floor(excess));

  const refusal = (level: number, limit: number, leakMs: number): ThrottleDecision => ({
    allowed: false,
    // Until the level is back below the limit by one whole failure.
    retryAfterSeconds: Math.max(1, Math.ceil(((level - limit + 1) * leakMs) / 1000)),
  });

  return {
    check(address, username) {
      const from = addressKey(address);
      const user = userKey(username);
      const pair = pairKey(from, user);
      const pairLevel = pairs.level(pair);
      if (pairLevel > settings.pair.limit - 1)
        return refusal(pairLevel, settings.pair.limit, settings.pair.leakMs);
      const addressLevel = addresses.level(from);
      if (addressLevel > settings.address.limit - 1) {
        return refusal(addressLevel, settings.address.limit, settings.address.leakMs);
      }
      const forUser = known.level(pair) > 0 ? 0 : delay(users.level(user) - settings.user.slowFrom);
      return { allowed: true, delayMs: Math.max(forUser, delay(pairLevel - settings.pair.slowFrom)) };
    },

    failed(address, username) {
      const from = addressKey(address);
      const user = userKey(username);
      pairs.add(pairKey(from, user), 1);
      addresses.add(from, 1);
      users.add(user, 1);
    },

    succeeded(address, username) {
      const from = addressKey(address);
      const pair = pairKey(from, userKey(username));
      // Only this user's part: a valid account must not buy an attacker new tries at other accounts.
      addresses.add(from, -pairs.level(pair));
      pairs.delete(pair);
      known.delete(pair);
      known.add(pair, 1);
    },
  };
}
