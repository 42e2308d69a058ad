import { isIPv6 } from 'node:net';
import { BoundedMap, type Clock, exponentialDelay } from '#core/index.ts';

/**
 * Slows down password guessing without locking anybody out permanently.
 *
 * Three leaky buckets count failed password logins:
 * - per address and user: above `slowFrom` every attempt is delayed; at `limit` attempts are refused until one failure
 *   has leaked away;
 * - per address: attempts are refused at the limit, so that one address cannot try many users;
 * - per user, from all addresses: attempts are delayed but never refused, so that nobody can lock the owner out.
 *   Addresses from which the user logged in recently are not delayed.
 *
 * A device in which the user logged in before (see `known-devices.ts`) has a count of its own in place of all these. So
 * where many people share an address, such as that of a proxy that is not trusted, nobody can lock out the others.
 *
 * A refused attempt is not checked and does not count, so there is always another try after `Retry-After`. A success
 * forgives the failures of this user from this address. Access tokens and sessions are not throttled: they keep working
 * while passwords are refused.
 *
 * All state is in memory, per node and bounded. An attacker who uses n nodes gets n times the tries, which is still a
 * few guesses a minute.
 */
export interface LoginThrottle {
  /** Decides about an attempt before its password is checked. Changes nothing. */
  check(address: string, username: string, device?: string): ThrottleDecision;
  failed(address: string, username: string, device?: string): void;
  succeeded(address: string, username: string, device?: string): void;
}

export type ThrottleDecision =
  | { readonly allowed: true; readonly delayMs: number }
  | { readonly allowed: false; readonly retryAfterSeconds: number };

export interface LoginThrottleSettings {
  readonly pair: { readonly slowFrom: number; readonly limit: number; readonly leakMs: number };
  readonly address: { readonly limit: number; readonly leakMs: number };
  readonly user: { readonly slowFrom: number; readonly leakMs: number };
  /** The first delay. Each further failure doubles it, up to `maxDelayMs`. */
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  /** How long an address counts as known after a login of the user. */
  readonly knownForMs: number;
  /** The maximum number of entries per kind: addresses, users, pairs. */
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

/** A bounded map of leaky buckets. When full, it drops the least recently filled one. */
function createBuckets(clock: Clock, leakMs: number, maxEntries: number): Buckets {
  const buckets = new BoundedMap<string, { readonly level: number; readonly at: number }>({ maxEntries });
  const level = (key: string): number => {
    const bucket = buckets.get(key);
    return bucket === undefined ? 0 : Math.max(0, bucket.level - (clock.now() - bucket.at) / leakMs);
  };
  return {
    level,
    add(key, amount) {
      const raised = level(key) + amount;
      if (raised <= 0) buckets.delete(key);
      else buckets.set(key, { level: raised, at: clock.now() });
    },
    delete: (key) => buckets.delete(key),
  };
}

/** Every IPv6 customer has at least a /64, so a /64 counts as one address. */
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

function sourceKey(address: string, device: string | undefined): string {
  return device === undefined ? addressKey(address) : `device ${device}`;
}

/** Bounds the memory per entry, because attackers choose these names. No real name is longer. */
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
  // A bucket that leaks once per `knownForMs` remembers an address for that long.
  const known = createBuckets(clock, settings.knownForMs, settings.maxEntries);

  const pairKey = (address: string, user: string): string => `${address} ${user}`;

  const delay = (excess: number): number =>
    excess < 0
      ? 0
      : exponentialDelay(Math.floor(excess), { firstMs: settings.firstDelayMs, maxMs: settings.maxDelayMs });

  const refusal = (level: number, limit: number, leakMs: number): ThrottleDecision => ({
    allowed: false,
    // The time until the level is one whole failure below the limit.
    retryAfterSeconds: Math.max(1, Math.ceil(((level - limit + 1) * leakMs) / 1000)),
  });

  return {
    check(address, username, device) {
      const from = sourceKey(address, device);
      const user = userKey(username);
      const pair = pairKey(from, user);
      const pairLevel = pairs.level(pair);
      if (pairLevel > settings.pair.limit - 1)
        return refusal(pairLevel, settings.pair.limit, settings.pair.leakMs);
      const addressLevel = addresses.level(from);
      if (addressLevel > settings.address.limit - 1) {
        return refusal(addressLevel, settings.address.limit, settings.address.leakMs);
      }
      const isKnown = device !== undefined || known.level(pair) > 0;
      const forUser = isKnown ? 0 : delay(users.level(user) - settings.user.slowFrom);
      return { allowed: true, delayMs: Math.max(forUser, delay(pairLevel - settings.pair.slowFrom)) };
    },

    failed(address, username, device) {
      const from = sourceKey(address, device);
      const user = userKey(username);
      pairs.add(pairKey(from, user), 1);
      addresses.add(from, 1);
      users.add(user, 1);
    },

    succeeded(address, username, device) {
      const from = sourceKey(address, device);
      const pair = pairKey(from, userKey(username));
      // Only this user's failures: an attacker with a valid account must not gain tries at other accounts.
      addresses.add(from, -pairs.level(pair));
      pairs.delete(pair);
      known.delete(pair);
      known.add(pair, 1);
    },
  };
}
