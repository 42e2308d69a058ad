import { describe, expect, test } from 'vitest';
import { ManualClock } from '#testing/manual-clock.ts';
import { createLoginThrottle, DEFAULT_LOGIN_THROTTLE, type LoginThrottle } from './login-throttle.ts';

function setUp() {
  const clock = new ManualClock();
  return { clock, throttle: createLoginThrottle({ clock }) };
}

function fail(throttle: LoginThrottle, times: number, address: string, user: string): void {
  for (let count = 0; count < times; count += 1) throttle.failed(address, user);
}

const free = { allowed: true, delayMs: 0 };

describe('one address and one user', () => {
  test('are allowed at first, then delayed, then refused', () => {
    const { throttle } = setUp();
    const decisions = Array.from({ length: 11 }, () => {
      const decision = throttle.check('192.0.2.1', 'anna');
      throttle.failed('192.0.2.1', 'anna');
      return decision.allowed ? decision.delayMs : 'refused';
    });
    expect(decisions).toEqual([0, 0, 0, 0, 0, 250, 500, 1000, 2000, 2000, 'refused']);
  });

  test('always get another try after Retry-After', () => {
    const { clock, throttle } = setUp();
    fail(throttle, 10, '192.0.2.1', 'anna');
    for (let round = 0; round < 20; round += 1) {
      const decision = throttle.check('192.0.2.1', 'anna');
      if (decision.allowed) throw new Error('expected a refusal');
      expect(decision.retryAfterSeconds).toBe(30);
      clock.advance(decision.retryAfterSeconds * 1000);
      expect(throttle.check('192.0.2.1', 'anna').allowed).toBe(true);
      throttle.failed('192.0.2.1', 'anna');
    }
  });

  test('refused attempts do not extend the refusal', () => {
    const { clock, throttle } = setUp();
    fail(throttle, 10, '192.0.2.1', 'anna');
    for (let second = 0; second < 30; second += 1) {
      expect(throttle.check('192.0.2.1', 'anna').allowed).toBe(false);
      clock.advance(1000);
    }
    expect(throttle.check('192.0.2.1', 'anna').allowed).toBe(true);
  });

  test('start from zero after a success', () => {
    const { throttle } = setUp();
    fail(throttle, 9, '192.0.2.1', 'anna');
    throttle.succeeded('192.0.2.1', 'anna');
    expect(throttle.check('192.0.2.1', 'anna')).toEqual(free);
  });

  test('are forgotten over time', () => {
    const { clock, throttle } = setUp();
    fail(throttle, 10, '192.0.2.1', 'anna');
    clock.advance(10 * DEFAULT_LOGIN_THROTTLE.pair.leakMs);
    expect(throttle.check('192.0.2.1', 'anna')).toEqual(free);
  });
});

describe('an address', () => {
  test('that tries many users is refused for all of them; other addresses are not', () => {
    const { clock, throttle } = setUp();
    for (let user = 0; user < 50; user += 1) throttle.failed('192.0.2.1', `user-${user}`);
    expect(throttle.check('192.0.2.1', 'anna')).toEqual({ allowed: false, retryAfterSeconds: 6 });
    expect(throttle.check('192.0.2.2', 'anna')).toEqual(free);
    clock.advance(6000);
    expect(throttle.check('192.0.2.1', 'anna').allowed).toBe(true);
  });

  test('is not cleared by one successful login', () => {
    const { throttle } = setUp();
    for (let user = 0; user < 49; user += 1) throttle.failed('192.0.2.1', `user-${user}`);
    throttle.failed('192.0.2.1', 'mallory');
    throttle.succeeded('192.0.2.1', 'mallory');
    // Back to 49: one more try, not fifty.
    expect(throttle.check('192.0.2.1', 'anna').allowed).toBe(true);
    throttle.failed('192.0.2.1', 'anna');
    expect(throttle.check('192.0.2.1', 'anna').allowed).toBe(false);
  });

  test('is a /64 for IPv6; IPv4-mapped IPv6 counts as IPv4', () => {
    const { throttle } = setUp();
    fail(throttle, 10, '2001:db8:0:1::5', 'anna');
    for (const same of ['2001:db8:0:1:ffff::9', '2001:0db8:0000:0001:1:2:3:4', '2001:db8:0:1::']) {
      expect(throttle.check(same, 'anna').allowed).toBe(false);
    }
    expect(throttle.check('2001:db8:0:2::5', 'anna').allowed).toBe(true);
    expect(throttle.check('::1', 'anna').allowed).toBe(true);
    fail(throttle, 10, '192.0.2.1', 'bob');
    expect(throttle.check('::ffff:192.0.2.1', 'bob').allowed).toBe(false);
    expect(throttle.check('not an address', 'bob').allowed).toBe(true);
  });
});

describe('a user attacked from many addresses', () => {
  test('is delayed and never refused', () => {
    const { throttle } = setUp();
    for (let address = 0; address < 5000; address += 1) {
      throttle.failed(`10.0.${address >> 8}.${address & 255}`, 'anna');
    }
    expect(throttle.check('192.0.2.1', 'anna')).toEqual({ allowed: true, delayMs: 2000 });
    expect(throttle.check('192.0.2.1', 'bob')).toEqual(free);
  });

  test('is not delayed at addresses they recently logged in from', () => {
    const { clock, throttle } = setUp();
    throttle.succeeded('192.0.2.1', 'anna');
    for (let address = 0; address < 500; address += 1)
      throttle.failed(`10.0.${address >> 8}.${address & 255}`, 'anna');
    expect(throttle.check('192.0.2.1', 'anna')).toEqual(free);
    clock.advance(DEFAULT_LOGIN_THROTTLE.knownForMs);
    fail(throttle, 30, '10.9.9.9', 'anna');
    expect(throttle.check('192.0.2.1', 'anna')).toEqual({ allowed: true, delayMs: 2000 });
  });
});

test('memory is bounded: the least recently used entries are dropped first', () => {
  const clock = new ManualClock();
  const throttle = createLoginThrottle({ clock }, { ...DEFAULT_LOGIN_THROTTLE, maxEntries: 3 });
  fail(throttle, 10, '192.0.2.1', 'anna');
  for (const address of ['192.0.2.2', '192.0.2.3']) throttle.failed(address, 'x'.repeat(1_000_000));
  expect(throttle.check('192.0.2.1', 'anna').allowed).toBe(false);
  throttle.failed('192.0.2.4', 'bob');
  expect(throttle.check('192.0.2.1', 'anna').allowed).toBe(true);
});
