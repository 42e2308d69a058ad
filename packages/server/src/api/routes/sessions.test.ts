import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RetryableError } from '#core/index.ts';
import {
  type AuthFixture,
  basicAuth,
  createAuthFixture,
  passwordOf,
  ROOT_PASSWORD,
  rootSettings,
} from '#testing/auth-fixture.ts';
import { ManualClock } from '#testing/manual-clock.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const HOUR_MS = 3_600_000;

let fixture: AuthFixture;
beforeEach(async () => {
  fixture = await createAuthFixture();
});
afterEach(() => fixture.close());

const session = (id: string) => basicAuth(id, 'session');

describe('POST /system/sessions', () => {
  test('answers with the session in the specified form and a cookie for the browser', async () => {
    const { status, body, headers } = await fixture.call('POST', '/system/sessions', {
      body: { username: 'admin', password: ROOT_PASSWORD, host: '' },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      session_id: expect.stringMatching(UUID),
      valid_until: '2026-01-01T08:00:00.000+0000',
      username: 'admin',
    });
    expect(headers['set-cookie']).toEqual([
      `authentication=${body.session_id}; Path=/; HttpOnly; SameSite=Strict`,
      expect.stringMatching(
        /^known_device=[\w-]+\.[\w-]+; Path=\/api; Max-Age=15552000; HttpOnly; SameSite=Strict$/,
      ),
    ]);
  });

  test('marks the cookie Secure behind TLS', async () => {
    const proxied = await createAuthFixture({ trustedProxies: ['127.0.0.1'] });
    const { headers } = await proxied.call('POST', '/system/sessions', {
      body: { username: 'admin', password: ROOT_PASSWORD, host: '' },
      headers: { 'x-forwarded-proto': 'https' },
    });
    for (const cookie of headers['set-cookie'] as string[]) expect(cookie).toContain('; Secure');
    await proxied.close();
  });

  test.each([
    [{ username: 'admin', password: ROOT_PASSWORD }],
    [{ username: 'admin', password: ROOT_PASSWORD, host: null }],
    [{ username: 'admin', password: ROOT_PASSWORD, host: 'web.example.org' }],
  ])('does not require a host: %j', async (body) => {
    expect((await fixture.call('POST', '/system/sessions', { body })).status).toBe(200);
  });

  test.each([
    ['wrong password', { username: 'admin', password: 'wrong', host: '' }],
    ['unknown user', { username: 'nobody', password: 'wrong', host: '' }],
    ['other case', { username: 'Admin', password: ROOT_PASSWORD, host: '' }],
    ['user with a line break', { username: 'admin\r\nX-Evil: 1', password: ROOT_PASSWORD, host: '' }],
    ['user with a NUL', { username: 'admin\u0000', password: ROOT_PASSWORD, host: '' }],
    ['the id of the root user', { username: 'local:admin', password: ROOT_PASSWORD, host: '' }],
  ])('refuses a wrong login without details: %s', async (_what, body) => {
    const answer = await fixture.call('POST', '/system/sessions', { body });
    expect(answer.status).toBe(401);
    expect(answer.text).toBe('');
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.headers['www-authenticate']).toMatch(/^Basic realm=/);
  });

  test('does not trigger the browser’s own login dialog on pages', async () => {
    const answer = await fixture.call('POST', '/system/sessions', {
      body: { username: 'admin', password: 'wrong', host: '' },
      headers: { 'x-requested-with': 'XMLHttpRequest' },
    });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBeUndefined();
  });

  test.each([
    [{}],
    [{ username: 'admin' }],
    [{ username: '', password: ROOT_PASSWORD }],
    [{ username: 'admin', password: '' }],
    [{ username: [], password: {} }],
    [{ username: 'admin', passwort: ROOT_PASSWORD }],
    ['not json'],
    ['null'],
  ])('answers 400 to %j and does not repeat the password', async (body) => {
    const answer = await fixture.call('POST', '/system/sessions', { body });
    expect(answer.status).toBe(400);
    expect(answer.body.type).toBe('ApiError');
    expect(answer.text).not.toContain(ROOT_PASSWORD);
  });

  test.each([undefined, '', '  '])('needs the header X-Requested-By, not %j', async (value) => {
    const answer = await fixture.call('POST', '/system/sessions', {
      body: { username: 'admin', password: ROOT_PASSWORD, host: '' },
      withoutCsrfHeader: true,
      headers: value === undefined ? {} : { 'x-requested-by': value },
    });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('X-Requested-By');
    expect(await fixture.metadata.repositories.sessions.listLatest()).toEqual([]);
  });

  test('creates a new session every time, whatever the request contains', async () => {
    const first = await fixture.logIn('admin');
    const second = await fixture.call('POST', '/system/sessions', {
      as: session(first),
      body: { username: 'admin', password: ROOT_PASSWORD, host: '' },
      headers: { cookie: `authentication=${first}` },
    });
    expect(second.body.session_id).not.toBe(first);
  });

  test('200 concurrent logins all succeed, with different sessions', async () => {
    await fixture.addUser('anna');
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        fixture.call('POST', '/system/sessions', {
          body: {
            username: index % 2 === 0 ? 'admin' : 'anna',
            password: passwordOf(index % 2 === 0 ? 'admin' : 'anna'),
            host: '',
          },
        }),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(200).fill(200));
    expect(new Set(answers.map((answer) => answer.body.session_id)).size).toBe(200);
  });
});

describe('a session', () => {
  test.each(['session', 'SESSION', 'Session'])('is accepted with the password %s', async (word) => {
    const id = await fixture.logIn('admin');
    const answer = await fixture.call('GET', '/whoami', { as: basicAuth(id, word) });
    expect([answer.status, answer.text]).toEqual([200, 'admin']);
  });

  test('is accepted as a cookie; a header wins over it', async () => {
    await fixture.addUser('anna');
    const cookie = `other=1; authentication=${await fixture.logIn('anna')}; more=2`;
    expect((await fixture.call('GET', '/whoami', { headers: { cookie } })).text).toBe('anna');
    expect((await fixture.call('GET', '/whoami', { as: 'admin', headers: { cookie } })).text).toBe('admin');
    const wrong = await fixture.call('GET', '/whoami', {
      as: basicAuth('admin', 'wrong'),
      headers: { cookie },
    });
    expect(wrong.status).toBe(401);
  });

  test('as a cookie needs X-Requested-By for changes, like all credentials', async () => {
    const cookie = `authentication=${await fixture.logIn('admin')}`;
    const refused = await fixture.call('DELETE', '/system/sessions', {
      headers: { cookie },
      withoutCsrfHeader: true,
    });
    expect(refused.status).toBe(400);
    expect((await fixture.call('GET', '/whoami', { headers: { cookie } })).status).toBe(200);
  });

  test.each(['', 'undefined', 'x', '00000000-0000-4000-8000-000000000000', 'ü'.repeat(500)])(
    'that does not exist does not: %s',
    async (id) => {
      const answer = await fixture.call('GET', '/whoami', { as: session(id) });
      expect([answer.status, answer.text]).toEqual([401, '']);
    },
  );

  test('is extended by use and ends without', async () => {
    const id = await fixture.logIn('admin');
    for (let count = 0; count < 5; count += 1) {
      fixture.clock.advance(7 * HOUR_MS);
      expect((await fixture.call('GET', '/whoami', { as: session(id) })).status).toBe(200);
    }
    fixture.clock.advance(8 * HOUR_MS - 1);
    expect((await fixture.call('GET', '/whoami', { as: session(id) })).status).toBe(200);
    fixture.clock.advance(8 * HOUR_MS);
    expect((await fixture.call('GET', '/whoami', { as: session(id) })).status).toBe(401);
  });

  test('is not extended by requests that ask for that', async () => {
    const id = await fixture.logIn('admin');
    fixture.clock.advance(7 * HOUR_MS);
    const headers = { 'x-graylog-no-session-extension': 'true' };
    expect((await fixture.call('GET', '/whoami', { as: session(id), headers })).status).toBe(200);
    fixture.clock.advance(HOUR_MS);
    expect((await fixture.call('GET', '/whoami', { as: session(id) })).status).toBe(401);
  });

  test('stores its last use rarely and still never outlives its timeout', async () => {
    const id = await fixture.logIn('admin');
    const { sessions } = fixture.metadata.repositories;
    const lastUse = async () => (await sessions.listLatest())[0]?.lastUsedAt;
    const start = fixture.clock.now();
    fixture.clock.advance(29_000);
    await fixture.call('GET', '/whoami', { as: session(id) });
    expect(await lastUse()).toBe(start);
    fixture.clock.advance(1000);
    await fixture.call('GET', '/whoami', { as: session(id) });
    expect(await lastUse()).toBe(start + 30_000);
    fixture.clock.advance(8 * HOUR_MS);
    expect((await fixture.call('GET', '/whoami', { as: session(id) })).status).toBe(401);
  });

  test('ends by the user’s own timeout, and changing it affects open sessions', async () => {
    await fixture.addUser('anna');
    const id = await fixture.logIn('anna');
    await fixture.call('PUT', '/users/anna', { as: 'anna', body: { session_timeout_ms: 60_000 } });
    fixture.clock.advance(59_000);
    expect((await fixture.call('GET', '/whoami', { as: session(id) })).status).toBe(200);
    const again = await fixture.call('POST', '/system/sessions', {
      body: { username: 'anna', password: passwordOf('anna'), host: '' },
    });
    expect(again.body.valid_until).toBe('2026-01-01T00:01:59.000+0000');
    fixture.clock.advance(60_000);
    expect((await fixture.call('GET', '/whoami', { as: session(id) })).status).toBe(401);
  });

  test('survives a restart, and ending it affects every node', async () => {
    const id = await fixture.logIn('admin');
    const other = await createAuthFixture({ metadata: fixture.metadata, clock: fixture.clock });
    expect((await other.call('GET', '/whoami', { as: session(id) })).text).toBe('admin');
    expect((await other.call('DELETE', `/system/sessions/${id}`, { as: session(id) })).status).toBe(204);
    expect((await fixture.call('GET', '/whoami', { as: session(id) })).status).toBe(401);
    await other.api.api.stop();
  });

  test('is stored in a form that cannot be used to log in', async () => {
    const id = await fixture.logIn('admin');
    const [stored] = await fixture.metadata.repositories.sessions.listLatest();
    expect(JSON.stringify(stored)).not.toContain(id);
    expect((await fixture.call('GET', '/whoami', { as: session(stored!.idHash) })).status).toBe(401);
  });
});

describe('GET /system/sessions', () => {
  test('reports whether the credentials are valid, always with 200', async () => {
    const id = await fixture.logIn('admin');
    const invalid = { is_valid: false, session_id: null, username: null };
    const cases: [string | undefined, unknown][] = [
      [session(id), { is_valid: true, session_id: id, username: 'admin' }],
      ['admin', { is_valid: true, session_id: null, username: 'admin' }],
      [undefined, invalid],
      [session('gone'), invalid],
      [basicAuth('admin', 'wrong'), invalid],
      [basicAuth('undefined', 'session'), invalid],
      ['Basic !!', invalid],
      ['Bearer x', invalid],
    ];
    for (const [as, expected] of cases) {
      const answer = await fixture.call('GET', '/system/sessions', as === undefined ? {} : { as });
      expect([answer.status, answer.body]).toEqual([200, expected]);
    }
    const byCookie = await fixture.call('GET', '/system/sessions', {
      headers: { cookie: `authentication=${id}` },
    });
    expect(byCookie.body).toEqual({ is_valid: true, session_id: id, username: 'admin' });
  });
});

describe('DELETE /system/sessions', () => {
  test('ends one of the caller’s sessions by id, or the current one without an id, and removes the cookie', async () => {
    const [first, second] = [await fixture.logIn('admin'), await fixture.logIn('admin')];
    const byId = await fixture.call('DELETE', `/system/sessions/${first}`, { as: session(second) });
    expect([byId.status, byId.text, byId.headers['set-cookie']]).toEqual([204, '', undefined]);
    expect((await fixture.call('GET', '/whoami', { as: session(first) })).status).toBe(401);

    const current = await fixture.call('DELETE', '/system/sessions', { as: session(second) });
    expect(current.status).toBe(204);
    expect(current.headers['set-cookie']).toBe(
      'authentication=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0',
    );
    expect((await fixture.call('GET', '/whoami', { as: session(second) })).status).toBe(401);
  });

  test('answers 404 to an unknown session, another user’s session and a request without one', async () => {
    await fixture.addUser('anna');
    const annas = await fixture.logIn('anna');
    for (const [path, as] of [
      [`/system/sessions/${annas}`, 'admin'],
      ['/system/sessions/unknown', 'admin'],
      ['/system/sessions/..%2f..%00', 'admin'],
      ['/system/sessions', 'admin'],
    ] as const) {
      expect((await fixture.call('DELETE', path, { as })).status).toBe(404);
    }
    expect((await fixture.call('GET', '/whoami', { as: session(annas) })).text).toBe('anna');
    expect((await fixture.call('DELETE', `/system/sessions/${annas}`)).status).toBe(401);
  });
});

test('session ids are not logged', async () => {
  const id = await fixture.logIn('admin');
  await fixture.call('DELETE', `/system/sessions/${id}`, { as: session(id) });
  expect(fixture.api.logLines.length).toBeGreaterThan(0);
  expect(fixture.api.logLines.join('')).not.toContain(id);
});

test('maintenance removes expired sessions', async () => {
  await fixture.logIn('admin');
  fixture.clock.advance(8 * HOUR_MS);
  await fixture.auth.maintain();
  const { n } = await fixture.metadata.db
    .selectFrom('sessions')
    .select((expression) => expression.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  expect(n).toBe(0);
});

test('a new root password in the configuration ends the root user’s sessions; the same one does not', async () => {
  const id = await fixture.logIn('admin');
  const same = await createAuthFixture({ metadata: fixture.metadata, clock: fixture.clock });
  expect((await same.call('GET', '/whoami', { as: session(id) })).status).toBe(200);
  const changed = await createAuthFixture({
    metadata: fixture.metadata,
    clock: new ManualClock(fixture.clock.now()),
    settings: { root: rootSettings('another password') },
  });
  expect((await changed.call('GET', '/whoami', { as: session(id) })).status).toBe(401);
  expect((await changed.call('GET', '/whoami', { as: basicAuth('admin', 'another password') })).status).toBe(
    200,
  );
  await same.api.api.stop();
  await changed.api.api.stop();
});

test('sessions and tokens are accepted even if their use cannot be stored', async () => {
  const { repositories } = fixture.metadata;
  const full = async () => {
    throw new RetryableError('the disk is full');
  };
  const readOnly = await createAuthFixture({
    clock: fixture.clock,
    metadata: {
      ...fixture.metadata,
      repositories: {
        ...repositories,
        sessions: { ...repositories.sessions, touch: full },
        accessTokens: { ...repositories.accessTokens, touch: full },
        users: { ...repositories.users, touch: full },
      },
    },
  });
  await fixture.addUser('anna');
  const as = session(await fixture.logIn('anna'));
  const created = await fixture.call('POST', '/users/anna/tokens/t', { as });
  fixture.clock.advance(HOUR_MS);
  for (const credentials of [as, basicAuth(created.body.token, 'token')]) {
    expect((await readOnly.call('GET', '/whoami', { as: credentials })).text).toBe('anna');
  }
  await readOnly.api.api.stop();
});
