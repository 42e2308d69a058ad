import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ConflictError } from '#core/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { aUser, type MetadataBackend, open, openEmpty } from '#testing/metadata-backend.ts';
import type { NewAccessToken, NewSession } from '../repositories/index.ts';

const aToken = (changes: Partial<NewAccessToken> = {}): NewAccessToken => ({
  userId: null,
  username: 'admin',
  name: 'backup',
  tokenHash: 'hash',
  ...changes,
});

const aSession = (changes: Partial<NewSession> = {}): NewSession => ({
  idHash: 'hash',
  userId: null,
  username: 'admin',
  timeoutMs: 1000,
  clientAddress: '10.0.0.1',
  ...changes,
});

export function accessSuite(backend: MetadataBackend): void {
  describe('access tokens', () => {
    test('a token of the root user, who is not stored, is stored and found by its hash', async () => {
      const clock = new ManualClock();
      const { accessTokens } = (await openEmpty(backend, { clock })).repositories;
      const token = await accessTokens.insert(aToken());
      expect(token).toEqual({ ...aToken(), id: token.id, createdAt: clock.now(), lastAccess: 0 });
      expect(await accessTokens.findByHash('hash')).toEqual(token);
      expect(await accessTokens.findById(token.id)).toEqual(token);
      expect(await accessTokens.findByHash('HASH')).toBeUndefined();
    });

    test('a hash is unique and its user must exist', async () => {
      const { accessTokens, users } = (await openEmpty(backend)).repositories;
      await accessTokens.insert(aToken());
      await expect(accessTokens.insert(aToken({ name: 'other' }))).rejects.toBeInstanceOf(ConflictError);
      await expect(accessTokens.insert(aToken({ userId: 'nobody', tokenHash: 'h2' }))).rejects.toBeInstanceOf(
        ConflictError,
      );
      const { id } = await users.insert(aUser());
      await accessTokens.insert(aToken({ userId: id, username: 'anna', tokenHash: 'h3' }));
    });

    test('tokens are listed for one user, oldest first', async () => {
      const clock = new ManualClock();
      const { accessTokens } = (await openEmpty(backend, { clock })).repositories;
      for (const name of ['z', 'a', 'm']) {
        await accessTokens.insert(aToken({ name, tokenHash: name }));
        clock.advance(1);
      }
      await accessTokens.insert(aToken({ username: 'other', tokenHash: 'o' }));
      expect((await accessTokens.listByUsername('ADMIN')).map((token) => token.name)).toEqual([
        'z',
        'a',
        'm',
      ]);
      expect(await accessTokens.removeByUsername('Admin')).toBe(3);
      expect(await accessTokens.listByUsername('admin')).toEqual([]);
      expect(await accessTokens.listByUsername('other')).toHaveLength(1);
    });

    test('the time of use only moves forward; a removed token cannot be found', async () => {
      const { accessTokens } = (await openEmpty(backend)).repositories;
      const { id } = await accessTokens.insert(aToken());
      await accessTokens.touch(id, 5000);
      await accessTokens.touch(id, 4000);
      expect((await accessTokens.findById(id))?.lastAccess).toBe(5000);
      expect(await accessTokens.remove(id)).toBe(true);
      expect(await accessTokens.remove(id)).toBe(false);
      expect(await accessTokens.findByHash('hash')).toBeUndefined();
    });
  });

  describe('sessions', () => {
    test('a session lives until its timeout after the last use', async () => {
      const clock = new ManualClock(10_000);
      const { sessions } = (await openEmpty(backend, { clock })).repositories;
      const session = await sessions.insert(aSession());
      expect(session).toEqual({ ...aSession(), createdAt: 10_000, lastUsedAt: 10_000 });
      clock.advance(999);
      expect(await sessions.find('hash')).toEqual(session);
      expect(await sessions.touch('hash', clock.now())).toBe(true);
      expect(await sessions.touch('hash', clock.now() - 500)).toBe(true);
      clock.advance(999);
      expect(await sessions.find('hash')).toEqual({ ...session, lastUsedAt: 10_999 });
      clock.advance(1);
      expect(await sessions.find('hash')).toBeUndefined();
      expect(await sessions.touch('hash', clock.now())).toBe(false);
      expect(await sessions.find('hash')).toBeUndefined();
    });

    test('expired sessions are not listed and can be removed', async () => {
      const clock = new ManualClock();
      const { sessions } = (await openEmpty(backend, { clock })).repositories;
      await sessions.insert(aSession({ idHash: 'short', timeoutMs: 10 }));
      clock.advance(5);
      await sessions.insert(aSession({ idHash: 'long' }));
      await sessions.insert(aSession({ idHash: 'foreign', username: 'other' }));
      const hashes = (list: readonly { idHash: string }[]) => list.map((session) => session.idHash);
      expect(hashes(await sessions.listByUsername('Admin'))).toEqual(['long', 'short']);
      expect(hashes(await sessions.listLatest())).toEqual(['foreign', 'long']);
      clock.advance(5);
      expect(hashes(await sessions.listByUsername('admin'))).toEqual(['long']);
      expect(hashes(await sessions.listLatest())).toEqual(['foreign', 'long']);
      expect(await sessions.removeExpired()).toBe(1);
      expect(await sessions.removeExpired()).toBe(0);
    });

    test('sessions are removed one by one or all of a user', async () => {
      const { sessions } = (await openEmpty(backend)).repositories;
      for (const idHash of ['a', 'b', 'c']) await sessions.insert(aSession({ idHash }));
      await expect(sessions.insert(aSession({ idHash: 'a' }))).rejects.toBeInstanceOf(ConflictError);
      expect(await sessions.remove('a')).toBe(true);
      expect(await sessions.remove('a')).toBe(false);
      expect(await sessions.removeByUsername('ADMIN')).toBe(2);
      expect(await sessions.listLatest()).toEqual([]);
    });

    test('a session is stored only while the user is enabled and has the password that was checked', async () => {
      const { sessions, users } = (await openEmpty(backend)).repositories;
      const { id, passwordHash } = await users.insert(aUser());
      const store = (idHash: string, hash: string) => sessions.insert(aSession({ idHash, userId: id }), hash);
      await store('a', passwordHash);
      await expect(store('b', 'another hash')).rejects.toBeInstanceOf(ConflictError);
      await users.update(id, { status: 'disabled' });
      await expect(store('c', passwordHash)).rejects.toBeInstanceOf(ConflictError);
      expect((await sessions.listLatest()).map(({ idHash }) => idHash)).toEqual(['a']);
    });

    test('all sessions of a user but one can be removed, and their timeout can be changed', async () => {
      const clock = new ManualClock();
      const { sessions } = (await openEmpty(backend, { clock })).repositories;
      await sessions.insert(aSession({ idHash: 'dead', timeoutMs: 10 }));
      clock.advance(10);
      for (const idHash of ['a', 'b']) await sessions.insert(aSession({ idHash }));
      await sessions.insert(aSession({ idHash: 'foreign', username: 'other' }));
      await sessions.changeTimeout('ADMIN', 50_000);
      expect(await sessions.find('a')).toMatchObject({ timeoutMs: 50_000 });
      expect(await sessions.find('dead')).toBeUndefined();
      expect(await sessions.find('foreign')).toMatchObject({ timeoutMs: 1000 });
      expect(await sessions.removeByUsername('admin', 'a')).toBe(2);
      expect(await sessions.find('a')).toBeDefined();
      expect(await sessions.find('b')).toBeUndefined();
    });
  });

  describe('logins', () => {
    test('a session or token comes with its user and all permissions in one look-up', async () => {
      const clock = new ManualClock();
      const { accessTokens, logins, roles, sessions, users } = (await openEmpty(backend, { clock }))
        .repositories;
      for (const name of ['One', 'Two']) {
        await roles.insert({ name, description: '', permissions: [`role:${name}`], readOnly: false });
      }
      const { id } = await users.insert(
        aUser({ username: 'Anna', roles: ['one', 'two'], permissions: ['own:x'] }),
      );
      await sessions.insert(aSession({ userId: id, username: 'Anna' }));
      const token = await accessTokens.insert(aToken({ userId: id, username: 'Anna' }));

      const user = await logins.findUser('Anna');
      expect(user).toMatchObject({ id, username: 'Anna', status: 'enabled', sessionTimeoutMs: 3_600_000 });
      const permissions = user?.permissionLists.flatMap((list) => JSON.parse(list)) ?? [];
      expect(permissions.toSorted()).toEqual(['own:x', 'role:One', 'role:Two']);
      expect(await logins.findUser('anna')).toBeUndefined();
      expect(await logins.findSession('hash')).toEqual({
        username: 'Anna',
        lastUsedAt: clock.now(),
        timeoutMs: 1000,
        user,
      });
      expect(await logins.findToken('hash')).toEqual({ id: token.id, username: 'Anna', lastAccess: 0, user });
    });

    test('a user without roles, the root user, and an unknown user', async () => {
      const { accessTokens, logins, sessions, users } = (await openEmpty(backend)).repositories;
      await users.insert(aUser({ permissions: [] }));
      expect((await logins.findUser('anna'))?.permissionLists.flatMap((list) => JSON.parse(list))).toEqual(
        [],
      );
      await sessions.insert(aSession());
      await accessTokens.insert(aToken());
      expect(await logins.findSession('hash')).toMatchObject({ username: 'admin', user: undefined });
      expect(await logins.findToken('hash')).toMatchObject({ username: 'admin', user: undefined });
      expect(await logins.findSession('other')).toBeUndefined();
      expect(await logins.findToken('other')).toBeUndefined();
      expect(await logins.findUser('nobody')).toBeUndefined();
    });

    test('the next look-up sees a change here, and one turn of the event loop later on another connection', async () => {
      const uri = await backend.newDatabase();
      const here = await open(uri);
      const elsewhere = (await open(uri)).repositories;
      const { logins } = here.repositories;
      const { id } = await elsewhere.users.insert(aUser({ roles: [] }));
      await elsewhere.sessions.insert(aSession({ userId: id }));
      await nextTurn();
      const token = await elsewhere.accessTokens.insert(aToken({ userId: id }));
      for (const permissions of [['a:b'], ['c:d']]) {
        await elsewhere.users.update(id, { permissions });
        await nextTurn();
        expect((await logins.findUser('anna'))?.permissionLists).toEqual([JSON.stringify(permissions)]);
        expect((await logins.findSession('hash'))?.user).toEqual(await logins.findUser('anna'));
        expect((await logins.findToken('hash'))?.user).toEqual(await logins.findUser('anna'));
      }
      await elsewhere.users.update(id, { status: 'disabled' });
      await nextTurn();
      expect((await logins.findSession('hash'))?.user?.status).toBe('disabled');
      await here.repositories.users.update(id, { status: 'enabled' });
      expect((await logins.findToken('hash'))?.user?.status).toBe('enabled');
      await elsewhere.sessions.remove('hash');
      await nextTurn();
      expect(await logins.findSession('hash')).toBeUndefined();
      await here.repositories.accessTokens.remove(token.id);
      expect(await logins.findToken('hash')).toBeUndefined();
      await elsewhere.users.remove(id);
      await nextTurn();
      expect(await logins.findUser('anna')).toBeUndefined();
    });

    test('look-ups never see a change that is rolled back', async () => {
      const { repositories, transaction } = await openEmpty(backend);
      const { id } = await repositories.users.insert(aUser({ permissions: ['a:b'] }));
      expect((await repositories.logins.findUser('anna'))?.permissionLists).toEqual(['["a:b"]']);
      const work = transaction(async (scope) => {
        await scope.repositories.users.update(id, { permissions: ['*'] });
        expect((await scope.repositories.logins.findUser('anna'))?.permissionLists).toEqual(['["*"]']);
        throw new Error('taken back');
      });
      await expect(work).rejects.toThrow('taken back');
      expect((await repositories.logins.findUser('anna'))?.permissionLists).toEqual(['["a:b"]']);
    });
  });
}
