import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ConflictError, PermanentError } from '#core/index.ts';
import { aUser, type MetadataBackend, open, openEmpty } from '#testing/metadata-backend.ts';

export function transactionsSuite(backend: MetadataBackend): void {
  describe('transactions', () => {
    test('all writes are stored together, and the result is returned', async () => {
      const metadata = await openEmpty(backend);
      const result = await metadata.transaction(async ({ repositories }) => {
        await repositories.clusterSettings.set('a', 1);
        await repositories.clusterSettings.set('b', 2);
        return 'done';
      });
      expect(result).toBe('done');
      expect(await metadata.repositories.clusterSettings.listByPrefix('')).toEqual(
        new Map([
          ['a', 1],
          ['b', 2],
        ]),
      );
    });

    test('an error rolls everything back and reaches the caller unchanged', async () => {
      const metadata = await openEmpty(backend);
      const fault = new Error('changed my mind');
      await expect(
        metadata.transaction(async ({ repositories }) => {
          await repositories.users.insert(aUser());
          await repositories.clusterSettings.set('a', 1);
          throw fault;
        }),
      ).rejects.toBe(fault);
      expect(await metadata.repositories.users.list()).toEqual([]);
      expect(await metadata.repositories.clusterSettings.find('a')).toBeUndefined();
    });

    test('a conflict rolls back what came before it', async () => {
      const metadata = await openEmpty(backend);
      await metadata.repositories.users.insert(aUser({ username: 'taken' }));
      await expect(
        metadata.transaction(async ({ repositories }) => {
          await repositories.users.insert(aUser({ username: 'free' }));
          await repositories.users.insert(aUser({ username: 'Taken' }));
        }),
      ).rejects.toBeInstanceOf(ConflictError);
      expect((await metadata.repositories.users.list()).map((user) => user.username)).toEqual(['taken']);
    });

    test('concurrent transactions are isolated from each other', async () => {
      const metadata = await openEmpty(backend);
      await metadata.repositories.clusterSettings.set('first', 0);
      let release = () => {};
      const gate = new Promise<void>((resolve) => {
        release = resolve;
      });
      let written = () => {};
      const firstHasWritten = new Promise<void>((resolve) => {
        written = resolve;
      });
      const slow = metadata.transaction(async ({ repositories }) => {
        await repositories.clusterSettings.set('first', 1);
        written();
        await gate;
        throw new Error('undone');
      });
      await firstHasWritten;
      // PostgreSQL answers now with the old value; SQLite answers when its one connection is free again.
      const seen = metadata.repositories.clusterSettings.find('first');
      release();
      await expect(slow).rejects.toThrow('undone');
      expect(await seen).toBe(0);
    });

    test('with many writers every write is stored once', async () => {
      const metadata = await openEmpty(backend);
      const writers = Array.from({ length: 40 }, (_, writer) =>
        metadata.transaction(async ({ repositories }) => {
          await repositories.clusterSettings.set(`writer.${writer}`, writer);
          await repositories.auditLog.insert({
            actor: `writer-${writer}`,
            actorAddress: null,
            action: 'test:write',
            objectType: 'setting',
            objectId: `writer.${writer}`,
            outcome: 'success',
          });
        }),
      );
      await Promise.all(writers);
      expect((await metadata.repositories.clusterSettings.listByPrefix('writer.')).size).toBe(40);
      const log = await metadata.repositories.auditLog.listPage(
        { action: 'test:write' },
        { limit: 100, offset: 0 },
      );
      expect(log.total).toBe(40);
      expect(new Set(log.items.map((entry) => entry.actor)).size).toBe(40);
      expect(new Set(log.items.map((entry) => entry.id)).size).toBe(40);
    });

    test('of many concurrent inserts of the same name one succeeds', async () => {
      const metadata = await openEmpty(backend);
      const attempts = await Promise.allSettled(
        ['Anna', 'anna', 'ANNA', 'aNNa', 'annA'].map((username) =>
          metadata.repositories.users.insert(aUser({ username })),
        ),
      );
      const failures = attempts.filter((attempt) => attempt.status === 'rejected');
      expect(failures).toHaveLength(4);
      for (const { reason } of failures) expect(reason).toBeInstanceOf(ConflictError);
      expect(await metadata.repositories.users.list()).toHaveLength(1);
    });

    test('a query that bypasses the transaction fails immediately instead of waiting for itself', async () => {
      const metadata = await openEmpty(backend);
      const { clusterSettings } = metadata.repositories;
      await expect(metadata.transaction(() => clusterSettings.set('outside', 1))).rejects.toBeInstanceOf(
        PermanentError,
      );
      await expect(
        metadata.transaction(() => metadata.transaction(async () => 'inner')),
      ).rejects.toBeInstanceOf(PermanentError);
      expect(await clusterSettings.find('outside')).toBeUndefined();
    });

    test('work that outlives a transaction can query after it', async () => {
      const metadata = await openEmpty(backend);
      let over = () => {};
      const whenOver = new Promise<void>((resolve) => {
        over = resolve;
      });
      let later: Promise<unknown> = Promise.resolve();
      await metadata.transaction(async ({ repositories }) => {
        await repositories.clusterSettings.set('a', 1);
        later = whenOver.then(() => metadata.repositories.clusterSettings.find('a'));
      });
      over();
      expect(await later).toBe(1);
    });

    test('close waits for running queries, and a second close is harmless', async () => {
      const metadata = await openEmpty(backend);
      const { clusterSettings } = metadata.repositories;
      const writes = Array.from({ length: 30 }, (_, index) => clusterSettings.set(`key.${index}`, index));
      const slow = metadata.transaction(async ({ repositories }) => {
        await repositories.clusterSettings.set('slow', 1);
        await nextTurn();
        return (await repositories.clusterSettings.listByPrefix('slow')).size;
      });
      await Promise.all([metadata.close(), metadata.close()]);
      expect(await Promise.all(writes)).toHaveLength(30);
      expect(await slow).toBe(1);
      await metadata.close();
      await expect(metadata.ping()).rejects.toThrow();
    });
  });

  if (backend.kind === 'sqlite') versionSuite(backend);
  else {
    test('the version is not known without a query', async () => {
      expect((await openEmpty(backend)).version()).toBeUndefined();
    });
  }
}

function versionSuite(backend: MetadataBackend): void {
  describe('the version', () => {
    test('tells of changes, whoever made them, and only of them', async () => {
      const uri = await backend.newDatabase();
      const here = await open(uri);
      const elsewhere = await open(uri);
      const { users, clusterSettings } = here.repositories;
      let known = here.version();
      const hasChanged = async () => {
        await nextTurn();
        const before = known;
        known = here.version();
        return known !== before;
      };
      expect(known).toBeDefined();
      await clusterSettings.set('a', 1);
      expect(here.version()).not.toBe(known);
      expect(await hasChanged()).toBe(true);
      expect(await hasChanged()).toBe(false);

      await clusterSettings.find('a');
      await clusterSettings.remove('unknown');
      expect(await users.remove('nobody')).toBe(false);
      await here.transaction(({ repositories }) => repositories.clusterSettings.remove('unknown'));
      expect(await hasChanged()).toBe(false);

      await elsewhere.repositories.clusterSettings.set('a', 2);
      expect(await hasChanged()).toBe(true);
      expect(await hasChanged()).toBe(false);
    });

    test('differs once a transaction has ended', async () => {
      const metadata = await openEmpty(backend);
      let inside: number | undefined;
      await metadata.transaction(async ({ repositories }) => {
        await repositories.users.insert(aUser());
        inside = metadata.version();
      });
      expect(metadata.version()).not.toBe(inside);
    });
  });
}
