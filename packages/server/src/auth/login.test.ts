import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AuthFixture, basicAuth, createAuthFixture, passwordOf } from '#testing/auth-fixture.ts';
import { ManualClock } from '#testing/manual-clock.ts';

let fixture: AuthFixture;
beforeEach(async () => {
  fixture = await createAuthFixture();
  await fixture.addUser('anna');
});
afterEach(() => fixture.close());

const whoami = (authorization: string, remoteAddress?: string) =>
  fixture.call('GET', '/whoami', {
    as: authorization,
    ...(remoteAddress === undefined ? {} : { remoteAddress }),
  });

async function computationsOf(work: () => Promise<unknown>): Promise<number> {
  const before = fixture.auth.passwordComputations();
  await work();
  return fixture.auth.passwordComputations() - before;
}

describe('HTTP Basic with a password', () => {
  test('logs in the root user and stored users', async () => {
    expect((await fixture.call('GET', '/whoami', { as: 'admin' })).text).toBe('admin');
    expect((await fixture.call('GET', '/whoami', { as: 'anna' })).text).toBe('anna');
  });

  test('accepts any characters, including a colon in the password', async () => {
    await fixture.call('PUT', '/users/anna/password', { as: 'admin', body: { password: 'pä:ss:wörd💧' } });
    expect((await whoami(basicAuth('anna', 'pä:ss:wörd💧'))).text).toBe('anna');
  });

  test('answers a broken header with 400 and the reason', async () => {
    for (const header of ['Basic !!!', 'Basic', `Basic ${Buffer.from('nocolon').toString('base64')}`]) {
      const answer = await fixture.call('GET', '/whoami', { headers: { authorization: header } });
      expect([answer.status, answer.body.type]).toEqual([400, 'ApiError']);
    }
  });

  test('no credentials, or another scheme: 401 with an empty body and a challenge', async () => {
    for (const headers of [{}, { authorization: 'Bearer abc' }, { authorization: '' }]) {
      const answer = await fixture.call('GET', '/whoami', { headers });
      expect([answer.status, answer.text]).toEqual([401, '']);
      expect(answer.headers['www-authenticate']).toMatch(/^Basic realm="/);
    }
  });
});

describe('the cost of a login', () => {
  test('is the same for every failure and for successful logins of root and stored users', async () => {
    const attempts = {
      'unknown user': basicAuth('nobody', 'wrong password'),
      'wrong password': basicAuth('anna', 'wrong password'),
      'wrong root password': basicAuth('admin', 'wrong password'),
      'empty password': basicAuth('anna', ''),
      'impossible name': basicAuth('a\u0000b', 'wrong password'),
      'right password': basicAuth('anna', passwordOf('anna')),
    };
    for (const [what, authorization] of Object.entries(attempts)) {
      expect([what, await computationsOf(() => whoami(authorization))]).toEqual([what, 1]);
    }
  });

  test('is the same for a disabled user, and so is the answer', async () => {
    await fixture.call('PUT', '/users/anna/status/disabled', { as: 'admin' });
    const unknown = await whoami(basicAuth('nobody', 'wrong'));
    const disabled = await fixture.call('GET', '/whoami', { as: 'anna' });
    expect([disabled.status, disabled.text]).toEqual([unknown.status, unknown.text]);
    expect(Object.keys(disabled.headers)).toEqual(Object.keys(unknown.headers));
    expect(await computationsOf(() => fixture.call('GET', '/whoami', { as: 'anna' }))).toBe(1);
  });

  test('is paid once by a client that sends the same password with every request', async () => {
    const work = async () => {
      for (let count = 0; count < 20; count += 1) await fixture.call('GET', '/whoami', { as: 'anna' });
    };
    expect(await computationsOf(work)).toBe(1);
    fixture.clock.advance(60_000);
    expect(await computationsOf(work)).toBe(1);
  });

  test('is shared by simultaneous equal requests', async () => {
    const together = () =>
      Promise.all(Array.from({ length: 50 }, () => fixture.call('GET', '/whoami', { as: 'anna' })));
    expect(await computationsOf(together)).toBe(1);
  });
});

describe('a cached password', () => {
  test('is invalid after a password change on any node', async () => {
    const other = await createAuthFixture({ metadata: fixture.metadata, clock: fixture.clock });
    expect((await other.call('GET', '/whoami', { as: 'anna' })).status).toBe(200);
    await fixture.call('PUT', '/users/anna/password', { as: 'admin', body: { password: 'another one' } });
    expect((await other.call('GET', '/whoami', { as: 'anna' })).status).toBe(401);
    expect((await other.call('GET', '/whoami', { as: basicAuth('anna', 'another one') })).status).toBe(200);
    await other.api.api.stop();
  });

  test.each([
    ['disabled', 'PUT', '/users/anna/status/disabled'],
    ['deleted', 'DELETE', '/users/anna'],
  ] as const)('does not log in a %s user', async (_what, method, path) => {
    expect((await fixture.call('GET', '/whoami', { as: 'anna' })).status).toBe(200);
    expect((await fixture.call(method, path, { as: 'admin' })).status).toBe(204);
    expect((await fixture.call('GET', '/whoami', { as: 'anna' })).status).toBe(401);
  });
});

describe('repeated failures', () => {
  const guess = (user = 'anna', remoteAddress = '192.0.2.1') =>
    whoami(basicAuth(user, 'wrong'), remoteAddress);

  test('are delayed, then refused with a Retry-After and no password check', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1) statuses.push((await guess()).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    expect(fixture.pauses).toEqual([250, 500, 1000, 2000, 2000]);
    const refused = await guess();
    expect(refused.headers['retry-after']).toBe('30');
    expect(refused.body.type).toBe('ApiError');
    expect(await computationsOf(guess)).toBe(0);
  });

  test('refuse the right password too, but only for a while', async () => {
    for (let count = 0; count < 10; count += 1) await guess();
    const right = basicAuth('anna', passwordOf('anna'));
    expect((await whoami(right, '192.0.2.1')).status).toBe(429);
    const session = await fixture.call('POST', '/system/sessions', {
      body: { username: 'anna', password: passwordOf('anna'), host: '' },
      remoteAddress: '192.0.2.1',
    });
    expect([session.status, session.headers['retry-after']]).toEqual([429, '30']);
    fixture.clock.advance(30_000);
    expect((await whoami(right, '192.0.2.1')).status).toBe(200);
    // The success resets the count.
    expect((await guess()).status).toBe(401);
  });

  test('do not affect the user’s sessions and tokens, nor the user at other addresses', async () => {
    const sessionId = await fixture.logIn('anna');
    const { token } = (await fixture.call('POST', '/users/anna/tokens/t', { as: 'anna' })).body;
    for (let count = 0; count < 12; count += 1) await guess();
    expect((await guess()).status).toBe(429);
    expect((await whoami(basicAuth(sessionId, 'session'), '192.0.2.1')).status).toBe(200);
    expect((await whoami(basicAuth(token, 'token'), '192.0.2.1')).status).toBe(200);
    expect((await whoami(basicAuth('anna', passwordOf('anna')), '192.0.2.2')).status).toBe(200);
  });

  test('for many users from one address block the address', async () => {
    const statuses = new Set<number>();
    for (let count = 0; count < 50; count += 1) statuses.add((await guess(`user-${count}`)).status);
    expect([...statuses]).toEqual([401]);
    expect((await whoami(basicAuth('anna', passwordOf('anna')), '192.0.2.1')).status).toBe(429);
    expect((await whoami(basicAuth('anna', passwordOf('anna')), '192.0.2.9')).status).toBe(200);
  });

  test('of one user from many addresses never block the user', async () => {
    for (let count = 0; count < 60; count += 1) await guess('anna', `198.51.100.${count}`);
    expect((await whoami(basicAuth('anna', passwordOf('anna')), '192.0.2.1')).status).toBe(200);
    expect(fixture.pauses.at(-1)).toBe(2000);
  });

  test('are not forgotten when somebody sets the time of the machine', async () => {
    const wall = new ManualClock();
    const other = await createAuthFixture({ clock: wall, monotonic: new ManualClock() });
    await other.addUser('anna');
    const attempt = () => other.call('GET', '/whoami', { as: basicAuth('anna', 'wrong') });
    for (let count = 0; count < 10; count += 1) await attempt();
    wall.advance(86_400_000);
    expect((await attempt()).status).toBe(429);
    await other.close();
  });

  test('of others behind the same address do not lock out a browser in which the user logged in before', async () => {
    const logIn = (cookie?: string, username = 'anna', password = passwordOf(username)) =>
      fixture.call('POST', '/system/sessions', {
        body: { username, password, host: '' },
        remoteAddress: '192.0.2.1',
        ...(cookie !== undefined && { headers: { cookie } }),
      });
    const cookies = (await logIn()).headers['set-cookie'] as string[];
    const device = cookies.find((cookie) => cookie.startsWith('known_device='))?.split(';')[0] ?? '';
    for (let count = 0; count < 10; count += 1) await guess();
    for (let count = 0; count < 50; count += 1) await guess(`user-${count}`);
    expect((await logIn()).status).toBe(429);
    expect((await logIn(`${device}x`)).status).toBe(429);
    expect((await logIn(device, 'admin')).status).toBe(429);
    const pauses = fixture.pauses.length;
    expect((await logIn(device)).status).toBe(200);
    expect(fixture.pauses).toHaveLength(pauses);
    // A stolen cookie does not allow endless guessing.
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      statuses.push((await logIn(device, 'anna', 'wrong')).status);
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
  });

  test('sent all at once exceed the limit by no more than the number of slots', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, count) => whoami(basicAuth('anna', `guess ${count}`), '192.0.2.1')),
    );
    const looked = answers.filter((answer) => answer.status === 401).length;
    expect(looked).toBeGreaterThanOrEqual(10);
    expect(looked).toBeLessThanOrEqual(11);
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(100 - looked);
  });

  test('are handled the same for users who do not exist', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1) statuses.push((await guess('nobody')).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
  });

  test('with expired sessions and tokens block nobody', async () => {
    for (let count = 0; count < 60; count += 1) {
      expect((await whoami(basicAuth('gone', 'session'), '192.0.2.1')).status).toBe(401);
      expect((await whoami(basicAuth('0'.repeat(52), 'token'), '192.0.2.1')).status).toBe(401);
    }
    expect((await whoami(basicAuth('anna', passwordOf('anna')), '192.0.2.1')).status).toBe(200);
  });
});

test('a hash with other costs is recomputed at the next login', async () => {
  const dear = await createAuthFixture({
    metadata: fixture.metadata,
    clock: fixture.clock,
    settings: { passwordCost: { memoryKib: 128, passes: 1 } },
  });
  const hash = async () => (await fixture.metadata.repositories.users.findByUsername('anna'))?.passwordHash;
  expect(await hash()).toContain('m=64,');
  expect((await dear.call('GET', '/whoami', { as: 'anna' })).status).toBe(200);
  expect(await hash()).toContain('m=128,');
  expect((await fixture.call('GET', '/whoami', { as: 'anna' })).status).toBe(200);
  await dear.api.api.stop();
});
