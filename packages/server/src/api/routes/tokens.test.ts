import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AuthFixture, basicAuth, createAuthFixture } from '#testing/auth-fixture.ts';

const EPOCH = '1970-01-01T00:00:00.000Z';

let fixture: AuthFixture;
beforeEach(async () => {
  fixture = await createAuthFixture();
});
afterEach(() => fixture.close());

const token = (value: string) => basicAuth(value, 'token');

async function create(user = 'admin', name = 'icinga'): Promise<{ id: string; token: string }> {
  const answer = await fixture.call('POST', `/users/${user}/tokens/${name}`, { as: user });
  expect(answer.status).toBe(200);
  return answer.body;
}

describe('POST /users/{username}/tokens/{name}', () => {
  test('answers with the secret once, in the specified form', async () => {
    const { status, body } = await fixture.call('POST', '/users/admin/tokens/icinga', { as: 'admin' });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: 'icinga',
      token: expect.stringMatching(/^[0-9a-v]{52}$/),
      last_access: EPOCH,
    });
  });

  test.each([['{}'], ['{"anything": [1, 2]}'], ['not json at all'], [undefined]])(
    'ignores the body: %s',
    async (body) => {
      const answer = await fixture.call('POST', '/users/admin/tokens/icinga', { as: 'admin', body });
      expect(answer.status).toBe(200);
    },
  );

  test.each([
    ['with%20space', 'with space'],
    ['%C3%BCber%F0%9F%92%A7', 'über💧'],
    ['a%2Fb', 'a/b'],
    ['..%2F..%2Fetc', '../../etc'],
    ['100%25', '100%'],
    ['n'.repeat(200), 'n'.repeat(200)],
  ])('accepts the name %s', async (path, name) => {
    const answer = await fixture.call('POST', `/users/admin/tokens/${path}`, { as: 'admin' });
    expect([answer.status, answer.body.name]).toEqual([200, name]);
  });

  test.each(['%00', 'a%0D%0AX-Evil:1', '%1b', 'n'.repeat(201)])('refuses the name %s', async (path) => {
    const answer = await fixture.call('POST', `/users/admin/tokens/${path}`, { as: 'admin' });
    expect(answer.status).toBe(400);
    expect(answer.headers['x-evil']).toBeUndefined();
  });

  test('allows a name twice; every token is different', async () => {
    const values = new Set<string>();
    for (let count = 0; count < 20; count += 1) values.add((await create()).token);
    expect(values.size).toBe(20);
  });

  test('needs X-Requested-By and does nothing without it', async () => {
    const refused = await fixture.call('POST', '/users/admin/tokens/x', {
      as: 'admin',
      withoutCsrfHeader: true,
    });
    expect(refused.status).toBe(400);
    expect((await fixture.call('GET', '/users/admin/tokens', { as: 'admin' })).body).toEqual({ tokens: [] });
  });

  test('checks authentication (401) before the header (400)', async () => {
    const answer = await fixture.call('POST', '/users/admin/tokens/x', { withoutCsrfHeader: true });
    expect([answer.status, answer.text]).toEqual([401, '']);
  });
});

describe('a token', () => {
  test.each(['token', 'TOKEN', 'Token'])('is accepted with the password %s', async (word) => {
    const { token: value } = await create();
    const answer = await fixture.call('GET', '/whoami', { as: basicAuth(value, word) });
    expect([answer.status, answer.text]).toEqual([200, 'admin']);
  });

  test.each(['', 'x', '0'.repeat(52), 'v'.repeat(10_000 / 4)])(
    'that does not exist does not',
    async (value) => {
      expect((await fixture.call('GET', '/whoami', { as: token(value) })).status).toBe(401);
    },
  );

  test('is not accepted as anything else', async () => {
    const { token: value, id } = await create();
    expect((await fixture.call('GET', '/whoami', { as: basicAuth(value, 'session') })).status).toBe(401);
    expect((await fixture.call('GET', '/whoami', { as: basicAuth('admin', value) })).status).toBe(401);
    expect((await fixture.call('GET', '/whoami', { as: token(id) })).status).toBe(401);
    expect((await fixture.call('GET', '/whoami', { as: token(value.toUpperCase()) })).status).toBe(401);
  });

  test('never expires, and its last access is stored once a minute', async () => {
    const { token: value } = await create();
    const lastAccess = async () =>
      (await fixture.call('GET', '/users/admin/tokens', { as: 'admin' })).body.tokens[0].last_access;
    expect(await lastAccess()).toBe(EPOCH);
    await fixture.call('GET', '/whoami', { as: token(value) });
    expect(await lastAccess()).toBe('2026-01-01T00:00:00.000Z');
    fixture.clock.advance(59_999);
    await fixture.call('GET', '/whoami', { as: token(value) });
    expect(await lastAccess()).toBe('2026-01-01T00:00:00.000Z');
    fixture.clock.advance(1);
    await fixture.call('GET', '/whoami', { as: token(value) });
    expect(await lastAccess()).toBe('2026-01-01T00:01:00.000Z');
    fixture.clock.advance(20 * 365 * 86_400_000);
    expect((await fixture.call('GET', '/whoami', { as: token(value) })).status).toBe(200);
  });

  test('is stored in a form that cannot be used to log in', async () => {
    const { token: value } = await create();
    const [stored] = await fixture.metadata.repositories.accessTokens.listByUsername('admin');
    expect(JSON.stringify(stored)).not.toContain(value);
    expect((await fixture.call('GET', '/whoami', { as: token(stored!.tokenHash) })).status).toBe(401);
  });
});

describe('GET /users/{username}/tokens', () => {
  test.each(['/users/admin/tokens', '/users/admin/tokens/'])(
    'lists without the secrets: %s',
    async (path) => {
      const { token: value, id } = await create();
      const answer = await fixture.call('GET', path, { as: token(value) });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        tokens: [{ id, name: 'icinga', last_access: '2026-01-01T00:00:00.000Z' }],
      });
      expect(answer.text).not.toContain(value);
    },
  );

  test('accepts the user’s id in place of the name', async () => {
    const id = await fixture.addUser('anna');
    await create('anna');
    expect((await fixture.call('GET', `/users/${id}/tokens`, { as: 'anna' })).body.tokens).toHaveLength(1);
    await create('admin');
    const root = await fixture.call('GET', '/users/local:admin/tokens', { as: 'admin' });
    expect(root.body.tokens).toHaveLength(1);
  });
});

describe('DELETE /users/{username}/tokens/{token}', () => {
  test('deletes by value or by id, effective immediately on every node', async () => {
    const other = await createAuthFixture({ metadata: fixture.metadata, clock: fixture.clock });
    for (const by of ['token', 'id'] as const) {
      const created = await create();
      expect((await other.call('GET', '/whoami', { as: token(created.token) })).status).toBe(200);
      const answer = await fixture.call('DELETE', `/users/admin/tokens/${created[by]}`, { as: 'admin' });
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect((await other.call('GET', '/whoami', { as: token(created.token) })).status).toBe(401);
      const again = await fixture.call('DELETE', `/users/admin/tokens/${created[by]}`, { as: 'admin' });
      expect([again.status, again.body.type]).toEqual([404, 'ApiError']);
    }
    await other.api.api.stop();
  });

  test('a token may delete itself', async () => {
    const { token: value } = await create();
    const answer = await fixture.call('DELETE', `/users/admin/tokens/${value}`, { as: token(value) });
    expect(answer.status).toBe(204);
  });

  test('another user’s token under one’s own name: 404, and the token still works', async () => {
    await fixture.addUser('anna');
    const annas = await create('anna');
    for (const by of [annas.token, annas.id]) {
      expect((await fixture.call('DELETE', `/users/admin/tokens/${by}`, { as: 'admin' })).status).toBe(404);
    }
    expect((await fixture.call('GET', '/whoami', { as: token(annas.token) })).text).toBe('anna');
  });

  test.each(['%00', '..%2f', '%0d%0a', 'x'])('an unusual value is an unknown token: %s', async (value) => {
    expect((await fixture.call('DELETE', `/users/admin/tokens/${value}`, { as: 'admin' })).status).toBe(404);
  });

  test('the secret in the path is not logged', async () => {
    const { token: value } = await create();
    await fixture.call('DELETE', `/users/admin/tokens/${value}`, { as: 'admin' });
    expect(fixture.api.logLines.join('')).toContain('/tokens/');
    expect(fixture.api.logLines.join('')).not.toContain(value);
  });
});

describe('tokens of another user', () => {
  test.each(['admin', 'bob', 'carl'])(
    'are forbidden: 403 for %s, whether the user exists or not',
    async (caller) => {
      await fixture.addUser('anna');
      await fixture.addUser('bob');
      await fixture.addUser('carl', ['users:tokenlist', 'users:tokencreate', 'users:tokenremove']);
      const annas = await create('anna');
      for (const user of ['anna', 'nobody', 'ADMIN', '*', 'anna,bob', caller === 'admin' ? 'bob' : 'admin']) {
        const path = `/users/${encodeURIComponent(user)}/tokens`;
        for (const [method, url] of [
          ['GET', path],
          ['GET', `${path}/`],
          ['POST', `${path}/mine`],
          ['DELETE', `${path}/${annas.token}`],
          ['DELETE', `${path}/${annas.id}`],
        ] as const) {
          const answer = await fixture.call(method, url, { as: caller });
          expect([method, url, answer.status, answer.body?.type]).toEqual([method, url, 403, 'ApiError']);
        }
      }
      expect((await fixture.call('GET', '/users/anna/tokens', { as: 'anna' })).body.tokens).toHaveLength(1);
    },
  );

  test('a stored user named like the start of the root user’s id cannot reach the root user', async () => {
    await fixture.addUser('local');
    const answer = await fixture.call('GET', '/users/local:admin/tokens', { as: 'local' });
    expect(answer.status).toBe(403);
  });
});

test('a user has at most 1000 tokens, and the error says what to do', async () => {
  const { accessTokens } = fixture.metadata.repositories;
  for (let count = 0; count < 1000; count += 1) {
    await accessTokens.insert({ userId: null, username: 'admin', name: 'n', tokenHash: `hash-${count}` });
  }
  const answer = await fixture.call('POST', '/users/admin/tokens/x', { as: 'admin' });
  expect(answer.status).toBe(400);
  expect(answer.body.message).toContain('1000 access tokens');
});
