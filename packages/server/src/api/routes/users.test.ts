import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AuthFixture, basicAuth, createAuthFixture, rootSettings } from '#testing/auth-fixture.ts';

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
  test('a user without their own session timeout has the configured one', async () => {
    await fixture.close();
    fixture = await createAuthFixture({
      settings: { root: { ...rootSettings(), sessionTimeoutMs: 3_600_000 } },
    });
    await create();
    expect(await get('anna')).toMatchObject({ session_timeout_ms: 3_600_000 });
  });

  test('creates a user in the shape of older clients: 201, no body, a Location', async () => {
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
      own_permissions: ['streams:read:1'],
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

  test('creates a user in the shape of newer clients', async () => {
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

  test('assigns the role Reader if no roles are given', async () => {
    await create();
    expect((await get('anna')).roles).toEqual(['Reader']);
  });

  test('lets the user log in with the password, which no answer contains', async () => {
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
    ['username', {}],
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
    ['permissions', [{}]],
    ['timezone', 'Mars/Olympus'],
    ['session_timeout_ms', -1],
    ['session_timeout_ms', 1.5],
    ['session_timeout_ms', 'soon'],
    ['startpage', { type: 'stream' }],
    ['roles', ['']],
    ['timezones', 'UTC'],
  ])('refuses %s = %j with 400 and its path', async (key, value) => {
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

  test('accepts names and limits at their maximum, and Java’s largest number as "never"', async () => {
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

  test('refuses an unknown role with 400 and creates nothing', async () => {
    const answer = await create({ roles: ['Reader', 'Nonsense'] });
    expect([answer.status, answer.body.message]).toEqual([400, 'The role Nonsense does not exist.']);
    expect((await fixture.call('GET', '/users/anna', { as: 'admin' })).status).toBe(404);
  });

  test('needs users:create and does not gain more permissions', async () => {
    await fixture.addUser('creator', ['users:create', 'streams:read']);
    await fixture.addUser('nobody');
    expect((await create({}, 'nobody')).status).toBe(403);
    expect((await create({ permissions: ['*'] }, 'creator')).status).toBe(403);
    expect((await create({ roles: ['Admin'] }, 'creator')).status).toBe(403);
    expect((await create({ permissions: ['streams:read:1'], roles: ['Reader'] }, 'creator')).status).toBe(
      201,
    );
  });

  test('users:permissionsedit and users:rolesedit allow granting everything', async () => {
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

  test('omits permissions and sessions on request', async () => {
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
    expect(few.body.users[0]).toMatchObject({
      permissions: [],
      own_permissions: null,
      session_active: false,
    });
  });

  test('needs users:list', async () => {
    await fixture.addUser('anna');
    expect((await fixture.call('GET', '/users', { as: 'anna' })).status).toBe(403);
    expect((await fixture.call('GET', '/users/paginated', { as: 'anna' })).status).toBe(403);
  });

  test('shows permissions only to users who may change them', async () => {
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
  test('returns sorted and filtered pages, with the root user in the context', async () => {
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
  test('by name or id; users see themselves', async () => {
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

  test('other users need users:edit, and users:permissionsedit to see the permissions', async () => {
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
