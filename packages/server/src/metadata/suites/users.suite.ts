import { describe, expect, test } from 'vitest';
import { ConflictError, InvalidError, isEntityId } from '#core/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { aUser, type MetadataBackend, openEmpty } from '#testing/metadata-backend.ts';
import type { NewRole } from '../repositories/index.ts';

const aRole = (changes: Partial<NewRole> = {}): NewRole => ({
  name: 'Auditors',
  description: 'Read everything',
  permissions: ['audit:read'],
  readOnly: false,
  ...changes,
});

export function usersSuite(backend: MetadataBackend): void {
  describe('users', () => {
    test('a password hash is replaced only if it is still the one that was read', async () => {
      const { users } = (await openEmpty(backend)).repositories;
      const { id, passwordHash } = await users.insert(aUser());
      expect(await users.replacePasswordHash(id, 'another', 'newer')).toBe(false);
      expect(await users.replacePasswordHash(id, passwordHash, 'new')).toBe(true);
      expect((await users.findById(id))?.passwordHash).toBe('new');
    });

    test('a user is stored with all properties', async () => {
      const clock = new ManualClock();
      const { users } = (await openEmpty(backend, { clock })).repositories;
      const user = await users.insert(aUser({ serviceAccount: true, status: 'disabled' }));
      expect(user).toEqual({
        ...aUser({ serviceAccount: true, status: 'disabled' }),
        id: user.id,
        createdAt: clock.now(),
        lastActivity: null,
        clientAddress: null,
      });
      expect(isEntityId(user.id)).toBe(true);
      expect(await users.findById(user.id)).toEqual(user);
      expect(await users.findById('unknown')).toBeUndefined();
    });

    test('empty values stay empty', async () => {
      const { users } = (await openEmpty(backend)).repositories;
      const empty = aUser({ timezone: null, startpage: null, permissions: [], preferences: {}, email: '' });
      const { id } = await users.insert(empty);
      expect(await users.findById(id)).toMatchObject(empty);
    });

    test('names are found and unique regardless of case, including accents', async () => {
      const { users } = (await openEmpty(backend)).repositories;
      const user = await users.insert(aUser({ username: 'JÜRGEN' }));
      expect(await users.findByUsername('jürgen')).toEqual(user);
      expect(await users.findByUsername('JU\u0308rgen')).toEqual(user);
      expect(await users.findByUsername('jurgen')).toBeUndefined();
      await expect(users.insert(aUser({ username: 'Jürgen' }))).rejects.toBeInstanceOf(ConflictError);
    });

    test('a change keeps all other properties', async () => {
      const { users } = (await openEmpty(backend)).repositories;
      const user = await users.insert(aUser());
      const changed = await users.update(user.id, {
        fullName: 'Anna Tal',
        status: 'disabled',
        startpage: null,
      });
      expect(changed).toEqual({ ...user, fullName: 'Anna Tal', status: 'disabled', startpage: null });
      expect(await users.update(user.id, {})).toEqual(changed);
      expect(await users.update('unknown', { fullName: 'x' })).toBeUndefined();
    });

    test('concurrent changes of different properties all survive', async () => {
      const { users } = (await openEmpty(backend)).repositories;
      const user = await users.insert(aUser());
      await Promise.all([
        users.update(user.id, { email: 'new@example.org' }),
        users.update(user.id, { timezone: 'UTC' }),
        users.update(user.id, { sessionTimeoutMs: 1 }),
        users.update(user.id, { permissions: ['a'] }),
      ]);
      expect(await users.findById(user.id)).toEqual({
        ...user,
        email: 'new@example.org',
        timezone: 'UTC',
        sessionTimeoutMs: 1,
        permissions: ['a'],
      });
    });

    test('activity only moves forward', async () => {
      const { users } = (await openEmpty(backend)).repositories;
      const { id } = await users.insert(aUser());
      await users.touch(id, 5000, '10.0.0.1');
      await users.touch(id, 4000, '10.0.0.2');
      expect(await users.findById(id)).toMatchObject({ lastActivity: 5000, clientAddress: '10.0.0.1' });
    });

    test('users are listed by name, in pages, and searched in name and address', async () => {
      const { users } = (await openEmpty(backend)).repositories;
      for (const [username, fullName] of [
        ['bob', 'Robert'],
        ['Anna', '100% Ärger'],
        ['dora', 'D_ra'],
        ['Carl', 'Carlsson'],
      ] as const) {
        await users.insert(aUser({ username, fullName, email: `${username}@Example.org` }));
      }
      const page = async (limit: number, offset: number, search?: string) => {
        const result = await users.listPage({ limit, offset, ...(search !== undefined && { search }) });
        return [result.items.map((user) => user.username), result.total];
      };
      expect((await users.list()).map((user) => user.username)).toEqual(['Anna', 'bob', 'Carl', 'dora']);
      expect(await page(2, 0)).toEqual([['Anna', 'bob'], 4]);
      expect(await page(2, 2)).toEqual([['Carl', 'dora'], 4]);
      expect(await page(2, 4)).toEqual([[], 4]);
      expect(await page(9, 0, '')).toEqual([['Anna', 'bob', 'Carl', 'dora'], 4]);
      expect(await page(9, 0, 'ROBER')).toEqual([['bob'], 1]);
      expect(await page(9, 0, 'ärg')).toEqual([['Anna'], 1]);
      expect(await page(9, 0, '%')).toEqual([['Anna'], 1]);
      expect(await page(9, 0, 'd_')).toEqual([['dora'], 1]);
      expect(await page(9, 0, 'CARL@example')).toEqual([['Carl'], 1]);
      expect(await page(1, 1, 'example.org')).toEqual([['bob'], 4]);
      expect(await page(9, 0, '!')).toEqual([[], 0]);
    });

    test('users are sorted by the requested property, never active ones last', async () => {
      const { users } = (await openEmpty(backend)).repositories;
      for (const [username, email, seen] of [
        ['a', 'z@x', 0],
        ['b', 'y@x', 2000],
        ['c', 'y@x', 1000],
      ] as const) {
        const { id } = await users.insert(aUser({ username, email }));
        if (seen > 0) await users.touch(id, seen, null);
      }
      const names = async (sort: 'email' | 'last_activity' | 'username', descending: boolean) =>
        (await users.listPage({ limit: 9, offset: 0, sort, descending })).items
          .map((user) => user.username)
          .join('');
      expect(await names('username', true)).toBe('cba');
      expect(await names('email', false)).toBe('bca');
      expect(await names('email', true)).toBe('abc');
      expect(await names('last_activity', false)).toBe('cba');
      expect(await names('last_activity', true)).toBe('bca');
    });

    test('a list may be longer than the limit of users named in one query', async () => {
      const { users, roles } = (await openEmpty(backend)).repositories;
      await roles.insert(aRole());
      const names = Array.from({ length: 510 }, (_, index) => `user-${String(index).padStart(4, '0')}`);
      for (const username of names) await users.insert(aUser({ username, roles: ['auditors'] }));
      const listed = await users.list();
      expect(listed.map((user) => user.username)).toEqual(names);
      expect(listed.every((user) => user.roles[0] === 'Auditors')).toBe(true);
    });

    test('removing a user removes their tokens, sessions and memberships, and nobody else’s', async () => {
      const { users, accessTokens, sessions, roles } = (await openEmpty(backend)).repositories;
      const role = await roles.insert(aRole());
      const own = { name: 't', timeoutMs: 1000, clientAddress: null };
      for (const username of ['anna', 'bob']) {
        const { id } = await users.insert(aUser({ username, roles: [role.name] }));
        await accessTokens.insert({ ...own, userId: id, username, tokenHash: `token-${username}` });
        await sessions.insert({ ...own, userId: id, username, idHash: `session-${username}` });
      }
      const anna = await users.findByUsername('anna');
      expect(await users.remove(anna!.id)).toBe(true);
      expect(await users.remove(anna!.id)).toBe(false);
      expect(await accessTokens.findByHash('token-anna')).toBeUndefined();
      expect(await sessions.find('session-anna')).toBeUndefined();
      expect(await accessTokens.findByHash('token-bob')).toBeDefined();
      expect(await sessions.find('session-bob')).toBeDefined();
      expect(await roles.listMembers(role.id)).toEqual(['bob']);
    });
  });

  describe('roles', () => {
    test('a role is stored, found regardless of case, changed and removed', async () => {
      const clock = new ManualClock();
      const { roles } = (await openEmpty(backend, { clock })).repositories;
      const role = await roles.insert(aRole());
      expect(role).toEqual({ ...aRole(), id: role.id, createdAt: clock.now() });
      expect(await roles.findByName('AUDITORS')).toEqual(role);
      await expect(roles.insert(aRole({ name: 'auditors' }))).rejects.toBeInstanceOf(ConflictError);

      const renamed = await roles.update(role.id, { name: 'Inspectors', permissions: [] });
      expect(renamed).toEqual({ ...role, name: 'Inspectors', permissions: [] });
      expect(await roles.update(role.id, {})).toEqual(renamed);
      expect(await roles.update('unknown', {})).toBeUndefined();
      expect(await roles.findByName('auditors')).toBeUndefined();

      expect(await roles.remove(role.id)).toBe(true);
      expect(await roles.remove(role.id)).toBe(false);
      expect(await roles.list()).toEqual([]);
    });

    test('renaming to a taken name is a conflict', async () => {
      const { roles } = (await openEmpty(backend)).repositories;
      await roles.insert(aRole({ name: 'One' }));
      const two = await roles.insert(aRole({ name: 'Two' }));
      await expect(roles.update(two.id, { name: 'ONE' })).rejects.toBeInstanceOf(ConflictError);
    });

    test('a built-in role is created once and updated by the program', async () => {
      const { roles } = (await openEmpty(backend)).repositories;
      const admin = aRole({ name: 'Admin', permissions: ['*'], readOnly: true });
      await Promise.all([roles.ensure(admin), roles.ensure(admin)]);
      const first = await roles.findByName('admin');
      await roles.ensure({ ...admin, description: 'All rights' });
      expect(await roles.list()).toEqual([{ ...first, description: 'All rights' }]);
    });

    test('users have roles by name, and unknown roles are refused', async () => {
      const { roles, users } = (await openEmpty(backend)).repositories;
      await roles.insert(aRole({ name: 'Reader' }));
      await roles.insert(aRole({ name: 'Admin' }));
      const anna = await users.insert(aUser({ roles: ['reader', 'READER', 'admin'] }));
      expect(anna.roles).toEqual(['Admin', 'Reader']);
      expect((await users.update(anna.id, { email: 'x@y' }))?.roles).toEqual(['Admin', 'Reader']);
      expect((await users.update(anna.id, { roles: ['reader'] }))?.roles).toEqual(['Reader']);

      const refused = users.update(anna.id, { roles: ['Reader', 'Wizard'], email: 'lost@y' });
      await expect(refused).rejects.toBeInstanceOf(InvalidError);
      await expect(refused).rejects.toThrow('`Wizard`');
      expect(await users.findById(anna.id)).toMatchObject({ roles: ['Reader'], email: 'x@y' });
      await expect(users.insert(aUser({ username: 'b', roles: ['x'] }))).rejects.toBeInstanceOf(InvalidError);
      expect(await users.findByUsername('b')).toBeUndefined();
    });

    test('members are added and removed; removing a role removes it from its members', async () => {
      const { roles, users } = (await openEmpty(backend)).repositories;
      const role = await roles.insert(aRole());
      const bob = await users.insert(aUser({ username: 'bob' }));
      const anna = await users.insert(aUser({ username: 'Anna' }));
      for (const { id } of [bob, anna, anna]) await roles.addMember(role.id, id);
      expect(await roles.listMembers(role.id)).toEqual(['Anna', 'bob']);
      expect(await roles.removeMember(role.id, bob.id)).toBe(true);
      expect(await roles.removeMember(role.id, bob.id)).toBe(false);
      await expect(roles.addMember(role.id, 'nobody')).rejects.toBeInstanceOf(ConflictError);
      await roles.remove(role.id);
      expect((await users.findById(anna.id))?.roles).toEqual([]);
    });

    test('roles are listed by name and found by a list of names', async () => {
      const { roles } = (await openEmpty(backend)).repositories;
      for (const name of ['b', 'A', 'c']) await roles.insert(aRole({ name }));
      expect((await roles.list()).map((role) => role.name)).toEqual(['A', 'b', 'c']);
      expect((await roles.findByNames(['C', 'a', 'x'])).map((role) => role.name)).toEqual(['A', 'c']);
      expect(await roles.findByNames([])).toEqual([]);
    });
  });
}
