import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AuthFixture, basicAuth, createAuthFixture, passwordOf } from '#testing/auth-fixture.ts';

let fixture: AuthFixture;
beforeEach(async () => {
  fixture = await createAuthFixture();
});
afterEach(() => fixture.close());

const newUser = (changes: Record<string, unknown> = {}) => ({
  username: 'anna',
  password: 'correct horse',
  email: 'anna@example.org',
  full_name: 'Anna Muster',
  permissions: [],
  ...changes,
});
const create = (changes?: Record<string, unknown>, as = 'admin') =>
  fixture.call('POST', '/users', { as, body: newUser(changes) });
const get = async (user: string, as = 'admin') => (await fixture.call('GET', `/users/${user}`, { as })).body;

const ROOT_VIEW = {
  id: 'local:admin',
  username: 'admin',
  email: 'admin@example.org',
  full_name: 'Administrator',
  permissions: ['*'],
  timezone: 'UTC',
  session_timeout_ms: 28_800_000,
  read_only: true,
  external: false,
  startpage: null,
  roles: ['Admin'],
  account_status: 'enabled',
};

describe('POST /users', () => {
  test('creates a user in the shape of the older clients: 201, no body, where to find it', async () => {
    const answer = await create({
      timezone: 'Europe/Berlin',
      session_timeout_ms: 60_000,
      startpage: { type: 'stream', id: '000000000000000000000001' },
      roles: ['reader'],
      permissions: ['streams:read:1'],
    });
    expect([answer.status, answer.text, answer.headers.location]).toEqual([201, '', '/api/users/anna']);
    expect(await get('anna')).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      username: 'anna',
      email: 'anna@example.org',
      full_name: 'Anna Muster',
      first_name: 'Anna',
      last_name: 'Muster',
      timezone: 'Europe/Berlin',
      session_timeout_ms: 60_000,
      startpage: { type: 'stream', id: '000000000000000000000001' },
      roles: ['Reader'],
      preferences: { updateUnfocussed: false, enableSmartSearch: true },
      read_only: false,
      external: false,
      session_active: false,
      last_activity: null,
      client_address: null,
      account_status: 'enabled',
      service_account: false,
    });
    const { permissions } = await get('anna');
    for (const expected of ['streams:read:1', 'messages:read', 'users:edit:anna']) {
      expect(permissions).toContain(expected);
    }
  });

  test('creates a user in the shape of the newer clients', async () => {
    const { full_name: _, permissions: __, ...rest } = newUser();
    const answer = await fixture.call('POST', '/users', {
      as: 'admin',
      body: { ...rest, first_name: 'Anna Maria', last_name: 'Muster', service_account: true, roles: [] },
    });
    expect(answer.status).toBe(201);
    expect(await get('anna')).toMatchObject({
      full_name: 'Anna Maria Muster',
      first_name: 'Anna Maria',
      last_name: 'Muster',
      service_account: true,
      roles: [],
      session_timeout_ms: 28_800_000,
    });
  });

  test('gives the role Reader when no roles are named', async () => {
    await create();
    expect((await get('anna')).roles).toEqual(['Reader']);
  });

  test('lets the user in with the password, which is nowhere in the answers', async () => {
    await create();
    const login = await fixture.call('GET', '/whoami', { as: basicAuth('anna', 'correct horse') });
    expect(login.text).toBe('anna');
    const user = await fixture.call('GET', '/users/anna', { as: 'admin' });
    expect(user.text).not.toContain('argon2');
    expect(user.text).not.toContain('password_hash');
  });

  test.each([
    ['username', ''],
    ['username', 'x'.repeat(101)],
    ['username', ' anna'],
    ['username', 'an:na'],
    ['username', '*'],
    ['username', 'a,b'],
    ['username', 'a/b'],
    ['username', '..'],
    ['username', 'a\r\nb'],
    ['username', 'a\u0000b'],
    ['username', 'a\u202eb'],
    ['username', 'paginated'],
    ['username', '5a1b2c3d4e5f60718293a4b5'],
    ['username', 7],
    ['password', ''],
    ['password', 'short'],
    ['password', 'Session'],
    ['password', 'x'.repeat(1001)],
    ['email', ''],
    ['email', 'x'.repeat(255)],
    ['full_name', 'x'.repeat(201)],
    ['full_name', 'a\nb'],
    ['permissions', ['a::b']],
    ['permissions', 'streams:read'],
    ['permissions', [1]],
    ['timezone', 'Mars/Olympus'],
    ['session_timeout_ms', 0],
    ['session_timeout_ms', 1.5],
    ['session_timeout_ms', '1000'],
    ['startpage', { type: 'stream' }],
    ['roles', ['']],
    ['unknown_key', 1],
  ])('refuses %s = %j with 400 and its place', async (key, value) => {
    const answer = await create({ [key]: value });
    expect([answer.status, answer.body.type]).toEqual([400, 'ApiError']);
    expect(answer.body.message).toContain(key);
    if (key === 'password' && value !== '') expect(answer.body.message).not.toContain(String(value));
  });

  test.each(['username', 'password', 'email', 'full_name'])('refuses a user without %s', async (key) => {
    const answer = await create({ [key]: undefined });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(key);
  });

  test('takes names and limits to the edge, and Java’s largest number as "never"', async () => {
    const username = `Jürgen O'Neil ${'x'.repeat(86)}`;
    const answer = await create({
      username,
      email: 'x'.repeat(254),
      full_name: 'x'.repeat(200),
      password: '123456',
      session_timeout_ms: Number('9223372036854775807'),
    });
    expect(answer.status).toBe(201);
    const user = await get(encodeURIComponent(username));
    expect(user.session_timeout_ms).toBe(100 * 365 * 86_400_000);
  });

  test.each(['anna', 'ANNA', 'admin', 'Admin'])('refuses the taken name %s with 400', async (username) => {
    await create();
    const answer = await create({ username });
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('already taken')]);
  });

  test('refuses a role that is not there with 400, and creates nothing', async () => {
    const answer = await create({ roles: ['Reader', 'Nonsense'] });
    expect([answer.status, answer.body.message]).toEqual([400, 'There is no role Nonsense.']);
    expect((await fixture.call('GET', '/users/anna', { as: 'admin' })).status).toBe(404);
  });

  test('needs users:create, and is no way to more than one has', async () => {
    await fixture.addUser('creator', ['users:create', 'streams:read']);
    await fixture.addUser('nobody');
    expect((await create({}, 'nobody')).status).toBe(403);
    expect((await create({ permissions: ['*'] }, 'creator')).status).toBe(403);
    expect((await create({ roles: ['Admin'] }, 'creator')).status).toBe(403);
    expect((await create({ permissions: ['streams:read:1'], roles: ['Reader'] }, 'creator')).status).toBe(
      201,
    );
  });

  test('with users:permissionsedit and users:rolesedit hands out everything: that is what they mean', async () => {
    await fixture.addUser('giver', ['users:create', 'users:permissionsedit', 'users:rolesedit']);
    expect((await create({ permissions: ['*'], roles: ['Admin'] }, 'giver')).status).toBe(201);
  });
});

describe('GET /users', () => {
  test('lists the root user first, then the others by name', async () => {
    await fixture.addUser('zoe');
    await fixture.addUser('anna');
    const { status, body } = await fixture.call('GET', '/users', { as: 'admin' });
    expect(status).toBe(200);
    expect(body.users.map((user: { username: string }) => user.username)).toEqual(['admin', 'anna', 'zoe']);
    expect(body.users[0]).toMatchObject(ROOT_VIEW);
    expect(body.users[1].permissions).toContain('messages:read');
  });

  test('leaves permissions and sessions out on demand', async () => {
    await fixture.logIn('admin');
    const all = await fixture.call('GET', '/users', { as: 'admin' });
    expect(all.body.users[0]).toMatchObject({
      session_active: true,
      last_activity: '2026-01-01T00:00:00.000Z',
      client_address: '127.0.0.1',
    });
    const few = await fixture.call('GET', '/users?include_permissions=false&include_sessions=false', {
      as: 'admin',
    });
    expect(few.body.users[0]).toMatchObject({ permissions: [], session_active: false });
  });

  test('needs users:list', async () => {
    await fixture.addUser('anna');
    expect((await fixture.call('GET', '/users', { as: 'anna' })).status).toBe(403);
    expect((await fixture.call('GET', '/users/paginated', { as: 'anna' })).status).toBe(403);
  });

  test('shows permissions only to those who may change them', async () => {
    await fixture.addUser('anna');
    await fixture.addUser('lister', ['users:list']);
    const { body } = await fixture.call('GET', '/users', { as: 'lister' });
    const shown = Object.fromEntries(
      body.users.map((user: { username: string; permissions: string[] }) => [
        user.username,
        user.permissions.length > 0,
      ]),
    );
    expect(shown).toEqual({ admin: false, anna: false, lister: true });
  });
});

describe('GET /users/paginated', () => {
  test('gives pages, sorted and searched, with the root user in the context', async () => {
    for (const name of ['carl', 'anna', 'bob']) await fixture.addUser(name);
    const page = await fixture.call('GET', '/users/paginated?page=2&per_page=2&sort=username&order=desc', {
      as: 'admin',
    });
    expect(page.body).toMatchObject({
      total: 3,
      count: 1,
      page: 2,
      per_page: 2,
      sort: 'username',
      order: 'desc',
      pagination: { total: 3, count: 1, page: 2, per_page: 2 },
      context: { admin_user: ROOT_VIEW },
    });
    expect(page.body.users.map((user: { username: string }) => user.username)).toEqual(['anna']);
    const search = await fixture.call('GET', '/users/paginated?query=BOB%40example', { as: 'admin' });
    expect(search.body.users.map((user: { username: string }) => user.username)).toEqual(['bob']);
    expect((await fixture.call('GET', '/users/paginated?query=%25', { as: 'admin' })).body.total).toBe(0);
  });

  test.each(['page=0', 'per_page=0', 'per_page=1001', 'sort=password_hash', 'order=up'])(
    'refuses %s',
    async (query) => {
      expect((await fixture.call('GET', `/users/paginated?${query}`, { as: 'admin' })).status).toBe(400);
    },
  );
});

describe('GET /users/{username}', () => {
  test('by name or id; oneself sees oneself', async () => {
    const id = await fixture.addUser('anna');
    for (const path of ['/users/anna', `/users/${id}`, `/users/id/${id}`]) {
      for (const as of ['admin', 'anna']) {
        const answer = await fixture.call('GET', path, { as });
        expect([answer.status, answer.body.username]).toEqual([200, 'anna']);
        expect(answer.body.permissions).toContain('users:edit:anna');
      }
    }
    expect(await get('admin')).toMatchObject(ROOT_VIEW);
    expect(await get('local:admin')).toMatchObject(ROOT_VIEW);
    expect(await get('id/local:admin')).toMatchObject(ROOT_VIEW);
  });

  test('somebody else needs users:edit, and users:permissionsedit to see the permissions', async () => {
    await fixture.addUser('anna');
    await fixture.addUser('bob');
    await fixture.addUser('editor', ['users:edit:anna']);
    await fixture.addUser('granter', ['users:edit', 'users:permissionsedit:anna']);
    expect((await fixture.call('GET', '/users/anna', { as: 'bob' })).status).toBe(403);
    expect((await fixture.call('GET', '/users/unknown', { as: 'bob' })).status).toBe(403);
    expect((await get('anna', 'editor')).permissions).toEqual([]);
    expect((await get('anna', 'granter')).permissions).toContain('users:edit:anna');
    expect((await get('bob', 'granter')).permissions).toEqual([]);
  });

  test.each([
    'unknown',
    'Anna',
    '%00',
    '..%2f..',
    '%F0%9F%92%A7',
    '5a1b2c3d4e5f60718293a4b5',
    "x'%20or%201=1",
  ])('answers 404 to %s', async (name) => {
    await fixture.addUser('anna');
    const answer = await fixture.call('GET', `/users/${name}`, { as: 'admin' });
    expect([answer.status, answer.body.type]).toEqual([404, 'ApiError']);
  });
});

describe('PUT /users/{username}', () => {
  test('changes what is there and leaves the rest, unknown keys ignored', async () => {
    await fixture.addUser('anna', ['streams:read:1']);
    const before = await get('anna');
    const answer = await fixture.call('PUT', '/users/anna', {
      as: 'admin',
      body: { email: 'new@example.org', whatever: 1 },
    });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await get('anna')).toEqual({ ...before, email: 'new@example.org' });
  });

  test('takes the user as it was read, by id too, without making role permissions the user’s own', async () => {
    const id = await fixture.addUser('anna', ['streams:read:1']);
    const before = await get('anna');
    expect((await fixture.call('PUT', `/users/${id}`, { as: 'admin', body: before })).status).toBe(204);
    expect(await get('anna')).toEqual(before);
    const stored = await fixture.metadata.repositories.users.findById(id);
    expect(stored?.permissions).toEqual(['streams:read:1']);
  });

  test('both forms of the name', async () => {
    await fixture.addUser('anna');
    await fixture.call('PUT', '/users/anna', { as: 'admin', body: { first_name: 'A', last_name: 'B' } });
    expect(await get('anna')).toMatchObject({ full_name: 'A B', first_name: 'A', last_name: 'B' });
    await fixture.call('PUT', '/users/anna', { as: 'admin', body: { full_name: 'Madonna' } });
    expect(await get('anna')).toMatchObject({ full_name: 'Madonna', first_name: 'Madonna', last_name: '' });
  });

  test('oneself may change one’s profile but not one’s rights', async () => {
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

  test('changes roles and permissions for those who may, with the next request', async () => {
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

  test('errors: the root user 400, unknown role 400, unknown user 404, no right 403, bad value 400', async () => {
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
    expect((await put('anna', { email: '' })).status).toBe(400);
    expect((await put('anna', [])).status).toBe(400);
    expect((await put('anna', { timezone: 'Nowhere' })).status).toBe(400);
  });
});

describe('DELETE /users/{username}', () => {
  test.each(['/users/anna', 'id'])('ends sessions and tokens at once: %s', async (path) => {
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
    // Somebody new of that name gets none of it back.
    await fixture.addUser('anna');
    for (const as of [session, token])
      expect((await fixture.call('GET', '/whoami', { as })).status).toBe(401);
  });

  test('the last way in cannot be removed: not the root user, and nobody removes themselves', async () => {
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
    // Everybody else may go: root is still there.
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

  test('one’s own with the old one; the other sessions end, this one and the tokens stay', async () => {
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

  test('wrong or missing old password: 400; guessing it is refused like guessing at the login', async () => {
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

  test('somebody else’s: without the old one for those who may change everybody’s, else with it', async () => {
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

  test('not the root user’s, not too short, not of nobody', async () => {
    await fixture.addUser('anna');
    expect((await change('admin', { password: 'battery staple' }, 'admin')).status).toBe(400);
    expect((await change('anna', { password: 'short' }, 'admin')).status).toBe(400);
    expect((await change('nobody', { password: 'battery staple' }, 'admin')).status).toBe(404);
  });
});

describe('permissions and preferences', () => {
  test('permissions are replaced and removed, and hold with the next request', async () => {
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

  test('preferences are replaced, also the root user’s', async () => {
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

describe('grants of other parts of the program', () => {
  test('are added when they are missing and removed with the instance', async () => {
    await fixture.addUser('anna', ['streams:read:7']);
    await fixture.addUser('boss', [], ['Admin']);
    const { users } = fixture.auth;
    const stored = async (name: string) =>
      (await fixture.metadata.repositories.users.findByUsername(name))?.permissions;
    const granted = ['streams:read:7', 'streams:edit:7', 'streams:changestate:7'];
    for (const name of ['anna', 'boss', 'admin', 'nobody']) await users.grantPermissions(name, granted);
    expect(await stored('anna')).toEqual(granted);
    expect(await stored('boss')).toEqual([]);
    await users.grantPermissions('anna', ['streams:read:8', 'dashboards:read:7']);
    await users.revokePermissionsFor('streams', '7');
    expect(await stored('anna')).toEqual(['streams:read:8', 'dashboards:read:7']);
  });
});

test('last activity and address are noted', async () => {
  await fixture.addUser('anna');
  fixture.clock.advance(5000);
  await fixture.logIn('anna');
  expect(await get('anna')).toMatchObject({
    session_active: true,
    last_activity: '2026-01-01T00:00:05.000Z',
    client_address: '127.0.0.1',
  });
});

test('every change needs X-Requested-By and changes nothing without', async () => {
  await fixture.addUser('anna');
  const before = await get('anna');
  for (const [method, path, body] of [
    ['POST', '/users', newUser({ username: 'bob' })],
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
