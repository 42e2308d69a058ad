import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AuthFixture, basicAuth, createAuthFixture, passwordOf } from '#testing/auth-fixture.ts';

let fixture: AuthFixture;
beforeEach(async () => {
  fixture = await createAuthFixture();
});
afterEach(() => fixture.close());

const get = async (user: string, as = 'admin') => (await fixture.call('GET', `/users/${user}`, { as })).body;

describe('PUT /users/{username}', () => {
  test('changes the given properties and keeps the rest, ignoring unknown keys', async () => {
    await fixture.addUser('anna', ['streams:read:1']);
    const before = await get('anna');
    const answer = await fixture.call('PUT', '/users/anna', {
      as: 'admin',
      body: { email: 'new@example.org', whatever: 1 },
    });
    expect([answer.status, answer.text]).toEqual([204, '']);
    const after = await get('anna');
    expect(after).toEqual({ ...before, email: 'new@example.org', revision: expect.any(String) });
    expect(after.revision).not.toBe(before.revision);
  });

  test('a change made from an older revision is refused; without a revision it is made', async () => {
    await fixture.addUser('anna', ['streams:read:1']);
    const { revision, full_name } = await get('anna');
    const change = (body: object) => fixture.call('PUT', '/users/anna', { as: 'admin', body });
    expect((await change({ roles: [], revision })).status).toBe(204);
    const refused = await change({ full_name: 'Anna M', session_timeout_ms: 5000, revision });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('anna')]);
    expect(await get('anna')).toMatchObject({ roles: [], full_name });
    expect((await change({ full_name: 'Anna M', revision: null })).status).toBe(204);
    expect(await get('anna')).toMatchObject({ roles: [], full_name: 'Anna M' });
    // Somebody who may not see the permissions is told that there is something to see.
    await fixture.addUser('ben', ['users:list', 'users:edit']);
    expect(await get('anna', 'ben')).toMatchObject({ permissions: [], own_permissions: null });
  });

  test('accepts the user as it was read, also by id, without storing role permissions as direct ones', async () => {
    const id = await fixture.addUser('anna', ['streams:read:1']);
    const before = await get('anna');
    expect((await fixture.call('PUT', `/users/${id}`, { as: 'admin', body: before })).status).toBe(204);
    expect(await get('anna')).toEqual(before);
    const stored = await fixture.metadata.repositories.users.findById(id);
    expect(stored?.permissions).toEqual(['streams:read:1']);
  });

  test('accepts both forms of the name', async () => {
    await fixture.addUser('anna');
    await fixture.call('PUT', '/users/anna', { as: 'admin', body: { first_name: 'A', last_name: 'B' } });
    expect(await get('anna')).toMatchObject({ full_name: 'A B', first_name: 'A', last_name: 'B' });
    await fixture.call('PUT', '/users/anna', { as: 'admin', body: { full_name: 'Madonna' } });
    expect(await get('anna')).toMatchObject({ full_name: 'Madonna', first_name: 'Madonna', last_name: '' });
  });

  test('users may change their own profile but not their permissions', async () => {
    await fixture.addUser('anna');
    const answer = await fixture.call('PUT', '/users/anna', {
      as: 'anna',
      body: { email: 'me@example.org', timezone: 'Asia/Tokyo', roles: ['Admin'], permissions: ['*'] },
    });
    expect(answer.status).toBe(204);
    const user = await get('anna');
    expect(user).toMatchObject({ email: 'me@example.org', timezone: 'Asia/Tokyo', roles: ['Reader'] });
    expect(user.permissions).not.toContain('*');
  });

  test('changes roles and permissions if allowed, effective with the next request', async () => {
    await fixture.addUser('anna');
    expect((await fixture.call('GET', '/users', { as: 'anna' })).status).toBe(403);
    await fixture.call('PUT', '/users/anna', { as: 'admin', body: { roles: ['Admin'] } });
    expect((await fixture.call('GET', '/users', { as: 'anna' })).status).toBe(200);
    await fixture.call('PUT', '/users/anna', {
      as: 'admin',
      body: { roles: [], permissions: ['users:list'] },
    });
    expect((await fixture.call('GET', '/users', { as: 'anna' })).status).toBe(200);
    expect((await get('anna')).roles).toEqual([]);
    await fixture.call('PUT', '/users/anna', { as: 'admin', body: { permissions: [] } });
    expect((await fixture.call('GET', '/users', { as: 'anna' })).status).toBe(403);
  });

  test('errors: the root user 400, unknown role 400, unknown user 404, no permission 403, bad value 400', async () => {
    await fixture.addUser('anna');
    await fixture.addUser('bob');
    const put = (user: string, body: unknown, as = 'admin') =>
      fixture.call('PUT', `/users/${user}`, { as, body });
    for (const root of ['admin', 'local:admin']) {
      const answer = await put(root, { email: 'x@example.org' });
      expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('configuration')]);
    }
    expect((await put('anna', { roles: ['Nonsense'] })).status).toBe(400);
    expect((await put('nobody', {})).status).toBe(404);
    expect((await put('anna', {}, 'bob')).status).toBe(403);
    expect((await put('anna', { email: {} })).status).toBe(400);
    expect((await put('anna', [])).status).toBe(400);
    expect((await put('anna', { timezone: 'Nowhere' })).status).toBe(400);
  });
});

describe('DELETE /users/{username}', () => {
  test.each(['/users/anna', 'id'])('ends sessions and tokens immediately: %s', async (path) => {
    const id = await fixture.addUser('anna');
    const session = basicAuth(await fixture.logIn('anna'), 'session');
    const created = await fixture.call('POST', '/users/anna/tokens/t', { as: 'anna' });
    const token = basicAuth(created.body.token, 'token');
    const url = path === 'id' ? `/users/id/${id}` : path;
    expect((await fixture.call('DELETE', url, { as: 'admin' })).status).toBe(204);
    for (const as of [session, token, 'anna']) {
      expect((await fixture.call('GET', '/whoami', { as })).status).toBe(401);
    }
    expect((await fixture.call('DELETE', url, { as: 'admin' })).status).toBe(404);
    // A new user of that name gets none of it back.
    await fixture.addUser('anna');
    for (const as of [session, token])
      expect((await fixture.call('GET', '/whoami', { as })).status).toBe(401);
  });

  test('administrators cannot lock themselves out: nobody can delete the root user or themselves', async () => {
    await fixture.addUser('boss', [], ['Admin']);
    for (const as of ['admin', 'boss']) {
      expect((await fixture.call('DELETE', '/users/admin', { as })).status).toBe(400);
      expect((await fixture.call('PUT', '/users/admin/status/disabled', { as })).status).toBe(400);
      expect(
        (await fixture.call('PUT', '/users/local:admin/permissions', { as, body: { permissions: [] } }))
          .status,
      ).toBe(400);
      expect((await fixture.call('DELETE', '/users/admin/permissions', { as })).status).toBe(400);
      expect((await fixture.call('DELETE', '/roles/Admin/members/admin', { as })).status).toBe(400);
      expect((await fixture.call('DELETE', '/roles/Admin', { as })).status).toBe(400);
    }
    expect((await fixture.call('DELETE', '/users/boss', { as: 'boss' })).status).toBe(400);
    expect((await fixture.call('PUT', '/users/boss/status/disabled', { as: 'boss' })).status).toBe(400);
    // All others can be deleted: root still exists.
    expect((await fixture.call('DELETE', '/users/boss', { as: 'admin' })).status).toBe(204);
    expect((await fixture.call('GET', '/whoami', { as: 'admin' })).text).toBe('admin');
  });
});

describe('status', () => {
  test('disabled: sessions end, tokens and passwords do not work; enabled: tokens work again', async () => {
    const id = await fixture.addUser('anna');
    const session = basicAuth(await fixture.logIn('anna'), 'session');
    const created = await fixture.call('POST', '/users/anna/tokens/t', { as: 'anna' });
    const token = basicAuth(created.body.token, 'token');
    expect((await fixture.call('PUT', `/users/${id}/status/disabled`, { as: 'admin' })).status).toBe(204);
    expect((await get('anna')).account_status).toBe('disabled');
    for (const as of [session, token, 'anna']) {
      expect((await fixture.call('GET', '/whoami', { as })).status).toBe(401);
    }
    expect((await fixture.call('PUT', '/users/anna/status/enabled', { as: 'admin' })).status).toBe(204);
    expect((await fixture.call('GET', '/whoami', { as: token })).text).toBe('anna');
    expect((await fixture.call('GET', '/whoami', { as: 'anna' })).text).toBe('anna');
    expect((await fixture.call('GET', '/whoami', { as: session })).status).toBe(401);
  });

  test.each([
    ['deleted', 400],
    ['nonsense', 400],
  ])('%s is answered with %i', async (status, expected) => {
    await fixture.addUser('anna');
    expect((await fixture.call('PUT', `/users/anna/status/${status}`, { as: 'admin' })).status).toBe(
      expected,
    );
  });
});

describe('PUT /users/{username}/password', () => {
  const change = (user: string, body: unknown, as: string) =>
    fixture.call('PUT', `/users/${user}/password`, { as, body });

  test('one’s own needs the old password; other sessions end, this one and the tokens stay', async () => {
    await fixture.addUser('anna');
    const mine = basicAuth(await fixture.logIn('anna'), 'session');
    const other = basicAuth(await fixture.logIn('anna'), 'session');
    const created = await fixture.call('POST', '/users/anna/tokens/t', { as: mine });
    const body = { old_password: passwordOf('anna'), password: 'battery staple' };
    expect((await change('anna', body, mine)).status).toBe(204);
    const status = async (as: string) => (await fixture.call('GET', '/whoami', { as })).status;
    expect(await status(mine)).toBe(200);
    expect(await status(basicAuth(created.body.token, 'token'))).toBe(200);
    expect(await status(other)).toBe(401);
    expect(await status('anna')).toBe(401);
    expect(await status(basicAuth('anna', 'battery staple'))).toBe(200);
  });

  test('wrong or missing old password: 400; guessing is throttled as at the login', async () => {
    await fixture.addUser('anna');
    const session = basicAuth(await fixture.logIn('anna'), 'session');
    expect((await change('anna', { password: 'battery staple' }, session)).status).toBe(400);
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      const body = { old_password: `guess ${count}`, password: 'battery staple' };
      statuses.push((await change('anna', body, session)).status);
    }
    expect(statuses).toEqual([...Array(10).fill(400), 429, 429]);
    expect((await fixture.call('GET', '/whoami', { as: session })).status).toBe(200);
  });

  test('another user’s: no old password needed with the permission for all users, otherwise it is', async () => {
    await fixture.addUser('anna');
    await fixture.addUser('helper', ['users:passwordchange:anna']);
    await fixture.addUser('bob');
    expect((await change('anna', { password: 'battery staple' }, 'bob')).status).toBe(403);
    expect((await change('anna', { password: 'battery staple' }, 'helper')).status).toBe(400);
    const withOld = { old_password: passwordOf('anna'), password: 'battery staple' };
    expect((await change('anna', withOld, 'helper')).status).toBe(204);
    expect((await change('anna', { password: 'once more' }, 'admin')).status).toBe(204);
    expect((await fixture.call('GET', '/whoami', { as: basicAuth('anna', 'once more') })).status).toBe(200);
  });

  test('of a user with more rights needs those rights: otherwise it would be a way to become that user', async () => {
    await fixture.addUser('helpdesk', ['users:passwordchange', 'streams:read:1']);
    await fixture.addUser('boss', [], ['Admin']);
    await fixture.addUser('editor', ['streams:edit:1']);
    await fixture.addUser('reader', ['streams:read:1']);
    await fixture.addUser('personnel', ['users:passwordchange', 'users:permissionsedit']);
    const password = 'battery staple';
    const asBoss = await change('boss', { password }, 'helpdesk');
    expect([asBoss.status, asBoss.body.message]).toEqual([403, expect.stringContaining('boss')]);
    expect((await change('editor', { password }, 'helpdesk')).status).toBe(403);
    expect((await fixture.call('GET', '/whoami', { as: 'boss' })).status).toBe(200);
    expect((await change('reader', { password }, 'helpdesk')).status).toBe(204);
    // Who may grant any permission gains nothing here.
    expect((await change('editor', { password }, 'personnel')).status).toBe(204);
    expect((await change('boss', { password }, 'admin')).status).toBe(204);
  });

  test('refuses the root user, a short password and an unknown user', async () => {
    await fixture.addUser('anna');
    expect((await change('admin', { password: 'battery staple' }, 'admin')).status).toBe(400);
    expect((await change('anna', { password: 'short' }, 'admin')).status).toBe(400);
    expect((await change('nobody', { password: 'battery staple' }, 'admin')).status).toBe(404);
  });
});

describe('permissions and preferences', () => {
  test('permissions are replaced and removed, effective with the next request', async () => {
    await fixture.addUser('anna', [], []);
    const put = (permissions: unknown, as = 'admin') =>
      fixture.call('PUT', '/users/anna/permissions', { as, body: { permissions } });
    expect((await put(['users:list', 'users:list'])).status).toBe(204);
    expect((await fixture.call('GET', '/users', { as: 'anna' })).status).toBe(200);
    expect((await fixture.call('DELETE', '/users/anna/permissions', { as: 'admin' })).status).toBe(204);
    expect((await fixture.call('GET', '/users', { as: 'anna' })).status).toBe(403);
    expect((await put(['no permission'])).status).toBe(400);
    expect((await put(['*'], 'anna')).status).toBe(403);
    await fixture.addUser('limited', ['users:permissionsedit:anna']);
    expect((await put(['*'], 'limited')).status).toBe(403);
  });

  test('preferences are replaced, including the root user’s', async () => {
    await fixture.addUser('anna');
    const body = { preferences: { updateUnfocussed: true, theme: { dark: true }, ü: [1] } };
    for (const user of ['anna', 'admin']) {
      expect((await fixture.call('PUT', `/users/${user}/preferences`, { as: user, body })).status).toBe(204);
      expect((await get(user)).preferences).toEqual({ enableSmartSearch: true, ...body.preferences });
    }
    const large = { preferences: { text: 'x'.repeat(70_000) } };
    expect((await fixture.call('PUT', '/users/anna/preferences', { as: 'anna', body: large })).status).toBe(
      400,
    );
    expect((await fixture.call('PUT', '/users/admin/preferences', { as: 'anna', body })).status).toBe(403);
  });
});

test('last activity and address are recorded', async () => {
  await fixture.addUser('anna');
  fixture.clock.advance(5000);
  await fixture.logIn('anna');
  expect(await get('anna')).toMatchObject({
    session_active: true,
    last_activity: '2026-01-01T00:00:05.000Z',
    client_address: '127.0.0.1',
  });
});

test('every change needs X-Requested-By and does nothing without it', async () => {
  await fixture.addUser('anna');
  const before = await get('anna');
  for (const [method, path, body] of [
    ['POST', '/users', { username: 'bob', password: 'battery staple', email: 'b', full_name: 'Bob' }],
    ['PUT', '/users/anna', { email: 'x@example.org' }],
    ['DELETE', '/users/anna', undefined],
    ['PUT', '/users/anna/password', { password: 'battery staple' }],
    ['PUT', '/users/anna/status/disabled', undefined],
    ['PUT', '/users/anna/permissions', { permissions: ['*'] }],
    ['PUT', '/users/anna/preferences', { preferences: { a: 1 } }],
  ] as const) {
    const answer = await fixture.call(method, path, { as: 'admin', body, withoutCsrfHeader: true });
    expect([path, answer.status]).toEqual([path, 400]);
  }
  expect(await get('anna')).toEqual(before);
  expect((await fixture.call('GET', '/users/bob', { as: 'admin' })).status).toBe(404);
});
