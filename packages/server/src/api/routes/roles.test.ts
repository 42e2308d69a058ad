import { PERMISSION_CATALOGUE } from '@millrace/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type AuthFixture, createAuthFixture } from '#testing/auth-fixture.ts';

let fixture: AuthFixture;
beforeEach(async () => {
  fixture = await createAuthFixture();
});
afterEach(() => fixture.close());

const role = { name: 'Operators', description: 'On call', permissions: ['streams:read', 'users:list'] };
const create = (changes: Record<string, unknown> = {}, as = 'admin') =>
  fixture.call('POST', '/roles', { as, body: { ...role, ...changes } });

describe('roles', () => {
  test('Admin and Reader exist and cannot be changed or deleted', async () => {
    const { body } = await fixture.call('GET', '/roles', { as: 'admin' });
    expect(body.total).toBe(2);
    expect(body.roles).toMatchObject([
      { name: 'Admin', permissions: ['*'], read_only: true },
      { name: 'Reader', read_only: true },
    ]);
    expect(body.roles[1].permissions).not.toContain('streams:read');
    for (const name of ['Admin', 'reader']) {
      expect((await fixture.call('PUT', `/roles/${name}`, { as: 'admin', body: role })).status).toBe(400);
      expect((await fixture.call('DELETE', `/roles/${name}`, { as: 'admin' })).status).toBe(400);
    }
  });

  test('are created (201 with the role), read ignoring case, changed and deleted', async () => {
    const created = await create({ read_only: true });
    expect([created.status, created.body]).toEqual([
      201,
      { ...role, read_only: false, revision: expect.any(String) },
    ]);
    expect(created.headers.location).toBe('/api/roles/Operators');
    expect((await fixture.call('GET', '/roles/operators', { as: 'admin' })).body).toEqual(created.body);
    const changed = await fixture.call('PUT', '/roles/OPERATORS', {
      as: 'admin',
      body: { name: 'Night shift', description: null, permissions: ['streams:read:1'] },
    });
    expect([changed.status, changed.body]).toEqual([
      200,
      {
        name: 'Night shift',
        description: null,
        permissions: ['streams:read:1'],
        read_only: false,
        revision: expect.any(String),
      },
    ]);
    expect((await fixture.call('GET', '/roles/operators', { as: 'admin' })).status).toBe(404);
    expect((await fixture.call('DELETE', '/roles/Night%20shift', { as: 'admin' })).status).toBe(204);
    expect((await fixture.call('DELETE', '/roles/Night%20shift', { as: 'admin' })).status).toBe(404);
  });

  test('the audit log has what a change replaced, also when a colleague was a moment faster', async () => {
    await create();
    const { roles, auditLog } = fixture.metadata.repositories;
    const findByName = roles.findByName.bind(roles);
    vi.spyOn(roles, 'findByName').mockImplementationOnce(async (name) => {
      const found = await findByName(name);
      await roles.update(found?.id ?? '', { description: 'of a colleague' });
      return found;
    });
    await fixture.call('PUT', '/roles/operators', { as: 'admin', body: { ...role, description: 'mine' } });
    const { items } = await auditLog.listPage({}, { limit: 50, offset: 0 });
    expect(items.find(({ action }) => action === 'role.update')).toMatchObject({
      before: { description: 'of a colleague' },
      after: { description: 'mine' },
    });
  });

  test('a change made from an older revision is refused; without a revision it is made', async () => {
    const { revision } = (await create()).body;
    const change = (body: object) =>
      fixture.call('PUT', '/roles/operators', { as: 'admin', body: { ...role, ...body } });
    const get = async () => (await fixture.call('GET', '/roles/operators', { as: 'admin' })).body;
    // Another order of the permissions is no change.
    expect((await change({ permissions: role.permissions.toReversed(), revision })).status).toBe(200);
    expect((await get()).revision).toBe(revision);
    expect((await change({ permissions: ['streams:read'], revision })).status).toBe(200);
    const refused = await change({ description: 'Mine', revision });
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('Operators')]);
    expect(await get()).toMatchObject({ description: 'On call', permissions: ['streams:read'] });
    expect((await change({ description: 'Mine', revision: null })).status).toBe(200);
    expect(await get()).toMatchObject({ description: 'Mine', permissions: role.permissions });
  });

  test('of two changes from the same revision at the same time one is refused', async () => {
    const { revision } = (await create()).body;
    const change = (description: string) =>
      fixture.call('PUT', '/roles/operators', { as: 'admin', body: { ...role, description, revision } });
    const answers = await Promise.all([change('Mine'), change('Theirs')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('are found, sorted and paged', async () => {
    for (const name of ['Beta', 'Gamma', 'Alpha']) await create({ name, description: `role ${name}` });
    const page = (query: string) => fixture.call('GET', `/authz/roles?${query}`, { as: 'admin' });
    const names = async (query: string) =>
      (await page(query)).body.roles.map((found: { name: string }) => found.name);
    expect(await names('query=ROLE&order=desc')).toEqual(['Gamma', 'Beta', 'Alpha']);
    expect(await names('query=role&page=2&per_page=2')).toEqual(['Gamma']);
    expect((await page('query=nobody')).body).toMatchObject({ total: 0, roles: [] });
    expect((await page('per_page=2')).body).toMatchObject({ total: 5, count: 2, page: 1, per_page: 2 });
  });

  test('have names that are unique ignoring case, and limits', async () => {
    await create();
    expect((await create({ name: 'OPERATORS' })).status).toBe(400);
    expect((await create({ name: 'admin' })).status).toBe(400);
    await create({ name: 'Second' });
    const taken = await fixture.call('PUT', '/roles/second', { as: 'admin', body: role });
    expect([taken.status, taken.body.message]).toEqual([400, expect.stringContaining('already taken')]);
    for (const bad of [
      { name: '' },
      { name: ' x' },
      { name: 'x\ny' },
      { permissions: ['a b'] },
      { permissions: null },
      { permissions: [{}] },
    ]) {
      expect((await create({ name: 'Third', ...bad })).status).toBe(400);
    }
  });

  test.each(['unknown', '%00', '..%2f', '%0d%0aX:1'])('unknown ones are 404: %s', async (name) => {
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/members'],
      ['PUT', '/members/admin'],
      ['DELETE', '/members/admin'],
    ] as const) {
      const answer = await fixture.call(method, `/roles/${name}${path}`, { as: 'admin' });
      expect([method, path, answer.status]).toEqual([method, path, 404]);
    }
  });
});

describe('members', () => {
  test('are added and removed, and have the permissions with the next request', async () => {
    await create();
    const id = await fixture.addUser('anna');
    const mayList = async () => (await fixture.call('GET', '/users', { as: 'anna' })).status === 200;
    expect(await mayList()).toBe(false);
    for (const user of ['anna', id]) {
      expect((await fixture.call('PUT', `/roles/operators/members/${user}`, { as: 'admin' })).status).toBe(
        204,
      );
    }
    expect(await mayList()).toBe(true);
    const members = await fixture.call('GET', '/roles/operators/members', { as: 'admin' });
    expect(members.body).toMatchObject({ role: 'Operators', users: [{ username: 'anna' }] });
    expect(members.body.users).toHaveLength(1);
    await fixture.addUser('bert');
    await fixture.call('PUT', '/roles/operators/members/bert', { as: 'admin' });
    const page = async (query: string) => {
      const { body } = await fixture.call('GET', `/roles/operators/members?${query}`, { as: 'admin' });
      return [body.total, ...body.users.map(({ username }: { readonly username: string }) => username)];
    };
    expect(await page('per_page=1&page=2')).toEqual([2, 'bert']);
    expect(await page('query=BER')).toEqual([1, 'bert']);
    await fixture.call('DELETE', '/roles/operators/members/bert', { as: 'admin' });

    await fixture.call('PUT', '/roles/operators', { as: 'admin', body: { ...role, permissions: [] } });
    expect(await mayList()).toBe(false);
    await fixture.call('PUT', '/roles/operators', { as: 'admin', body: role });
    expect(await mayList()).toBe(true);
    expect((await fixture.call('DELETE', '/roles/operators/members/anna', { as: 'admin' })).status).toBe(204);
    expect(await mayList()).toBe(false);
  });

  test('lose the role when it is deleted', async () => {
    await create();
    await fixture.addUser('anna', [], ['Reader', 'operators']);
    await fixture.call('DELETE', '/roles/Operators', { as: 'admin' });
    const user = await fixture.call('GET', '/users/anna', { as: 'admin' });
    expect(user.body.roles).toEqual(['Reader']);
    expect((await fixture.call('GET', '/users', { as: 'anna' })).status).toBe(403);
  });

  test('of Admin are the root user and users with the role; unknown users are 404', async () => {
    await fixture.addUser('boss', [], ['Admin']);
    const { body } = await fixture.call('GET', '/roles/Admin/members', { as: 'admin' });
    expect(body.users.map((user: { username: string }) => user.username)).toEqual(['admin', 'boss']);
    expect((await fixture.call('PUT', '/roles/Admin/members/nobody', { as: 'admin' })).status).toBe(404);
    expect((await fixture.call('PUT', '/roles/Reader/members/admin', { as: 'admin' })).status).toBe(400);
  });
});

describe('permissions', () => {
  test('each call needs its permission', async () => {
    await create();
    await fixture.addUser('anna');
    for (const [method, path, body] of [
      ['GET', '/roles', undefined],
      ['GET', '/roles/Operators', undefined],
      ['POST', '/roles', { ...role, name: 'x' }],
      ['PUT', '/roles/Operators', role],
      ['DELETE', '/roles/Operators', undefined],
      ['GET', '/roles/Operators/members', undefined],
      ['PUT', '/roles/Operators/members/anna', undefined],
      ['DELETE', '/roles/Operators/members/anna', undefined],
    ] as const) {
      expect((await fixture.call(method, path, { as: 'anna', body })).status).toBe(403);
      expect((await fixture.call(method, path, { body })).status).toBe(401);
    }
  });

  test('changing roles does not gain more permissions', async () => {
    await create();
    await fixture.addUser(
      'editor',
      ['roles:create', 'roles:edit', 'streams:read', 'users:list'],
      ['Operators'],
    );
    const body = { ...role, permissions: ['*'] };
    expect((await fixture.call('PUT', '/roles/Operators', { as: 'editor', body })).status).toBe(403);
    expect((await create({ name: 'Mine', permissions: ['*'] }, 'editor')).status).toBe(403);
    expect((await fixture.call('PUT', '/roles/Admin/members/editor', { as: 'editor' })).status).toBe(403);
    expect((await create({ name: 'Mine', permissions: ['streams:read:1'] }, 'editor')).status).toBe(201);
    expect((await fixture.call('PUT', '/roles/Mine/members/editor', { as: 'editor' })).status).toBe(204);
    expect((await fixture.call('PUT', '/roles/Mine/members/admin', { as: 'editor' })).status).toBe(403);
  });
});

describe('GET /system/permissions', () => {
  test('lists groups and actions for every logged-in user', async () => {
    await fixture.addUser('anna', [], []);
    const { status, body } = await fixture.call('GET', '/system/permissions', { as: 'anna' });
    expect(status).toBe(200);
    expect(body).toEqual({ permissions: PERMISSION_CATALOGUE });
    expect((await fixture.call('GET', '/system/permissions')).status).toBe(401);
  });

  test('lists the permissions of a reader', async () => {
    const { body } = await fixture.call('GET', '/system/permissions/reader/anna', { as: 'admin' });
    expect(body.permissions).toContain('messages:read');
    expect(body.permissions).toContain('users:tokencreate:anna');
  });
});

describe('the roles of a user', () => {
  test('are listed page by page, as a connection test asks for them', async () => {
    await create();
    await fixture.addUser('anna', ['roles:read:Reader', 'users:edit:anna'], ['Operators', 'Reader']);
    const path = '/authz/roles/user/anna?page=1&per_page=50&query=&sort=name&order=asc';
    const { status, body } = await fixture.call('GET', path, { as: 'admin' });
    const numbers = { total: 2, count: 2, page: 1, per_page: 50 };
    expect(status).toBe(200);
    expect(body).toEqual({
      ...numbers,
      query: '',
      pagination: numbers,
      roles: [
        {
          id: expect.stringMatching(/^[0-9a-f]{24}$/),
          ...role,
          read_only: false,
          revision: expect.any(String),
        },
        expect.objectContaining({ name: 'Reader', read_only: true }),
      ],
    });
    const own = await fixture.call('GET', '/authz/roles/user/anna', { as: 'anna' });
    expect(own.body.roles.map(({ name }: { name: string }) => name)).toEqual(['Reader']);
    expect((await fixture.call('GET', '/authz/roles/user/admin', { as: 'anna' })).status).toBe(403);
    expect((await fixture.call('GET', '/authz/roles/user/unknown', { as: 'admin' })).status).toBe(404);
  });

  test('are found by the id of the list, with who has them (Chrxxxxs/graylog_api_client)', async () => {
    await create();
    await fixture.addUser('anna', [], ['Operators']);
    await fixture.addUser('bob', ['users:list'], []);
    const { body: list } = await fixture.call('GET', '/authz/roles?query=operators', { as: 'admin' });
    const [listed] = list.roles;
    expect(listed).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      ...role,
      read_only: false,
      revision: expect.any(String),
    });
    const path = `/authz/roles/${listed.id}`;
    expect((await fixture.call('GET', path, { as: 'admin' })).body).toEqual(listed);
    expect((await fixture.call('GET', path, { as: 'bob' })).status).toBe(403);
    const { body } = await fixture.call('GET', `${path}/assignees?page=1&per_page=10&query=ann`, {
      as: 'bob',
    });
    expect(body).toMatchObject({ total: 1, count: 1, page: 1, per_page: 10, query: 'ann' });
    expect(body.users).toMatchObject([{ username: 'anna', roles: ['Operators'] }]);
    for (const unknown of [`/authz/roles/${'a'.repeat(24)}`, '/authz/roles/%00/assignees']) {
      expect((await fixture.call('GET', unknown, { as: 'admin' })).status).toBe(404);
    }
  });
});
