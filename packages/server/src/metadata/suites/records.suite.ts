import { describe, expect, test } from 'vitest';
import { ManualClock } from '#testing/manual-clock.ts';
import { type MetadataBackend, openEmpty } from '#testing/metadata-backend.ts';
import type { AuditFilter, NewAuditEntry, NewNotification } from '../repositories/index.ts';
import { MAX_SYSTEM_MESSAGES } from '../repositories/system-messages.ts';

const anEntry = (changes: Partial<NewAuditEntry> = {}): NewAuditEntry => ({
  actor: 'anna',
  actorAddress: '10.0.0.1',
  action: 'users:create',
  objectType: 'user',
  objectId: '1',
  outcome: 'success',
  ...changes,
});

const aNotification = (changes: Partial<NewNotification> = {}): NewNotification => ({
  type: 'input_failed_to_start',
  key: 'input-1',
  severity: 'urgent',
  nodeId: 'n1',
  details: { reason: 'port taken' },
  ...changes,
});

export function recordsSuite(backend: MetadataBackend): void {
  describe('audit log', () => {
    test('an entry stores the object before and after', async () => {
      const clock = new ManualClock();
      const { auditLog } = (await openEmpty(backend, { clock })).repositories;
      await auditLog.insert(anEntry({ before: { name: 'a' }, after: null }));
      await auditLog.insert(anEntry({ actorAddress: null, objectId: null, outcome: 'failure' }));
      const { items, total } = await auditLog.listPage({}, { limit: 10, offset: 0 });
      expect(total).toBe(2);
      expect(items).toEqual([
        {
          ...anEntry({ actorAddress: null, objectId: null, outcome: 'failure' }),
          id: items[0]?.id,
          time: clock.now(),
          before: undefined,
          after: undefined,
        },
        { ...anEntry(), id: items[1]?.id, time: clock.now(), before: { name: 'a' }, after: null },
      ]);
    });

    test('every filter narrows the result, and filters combine', async () => {
      const clock = new ManualClock(1000);
      const { auditLog } = (await openEmpty(backend, { clock })).repositories;
      for (const changes of [
        { actor: 'bob' },
        { action: 'users:delete' },
        { objectType: 'role' },
        { objectId: '2' },
        { outcome: 'failure' },
        { actor: 'bob', outcome: 'failure' },
      ] satisfies Partial<NewAuditEntry>[]) {
        await auditLog.insert(anEntry(changes));
        clock.advance(1000);
      }
      const times = async (filter: AuditFilter) =>
        (await auditLog.listPage(filter, { limit: 10, offset: 0 })).items.map((entry) => entry.time / 1000);
      expect(await times({})).toEqual([6, 5, 4, 3, 2, 1]);
      expect(await times({ actor: 'bob' })).toEqual([6, 1]);
      expect(await times({ actor: 'Bob' })).toEqual([]);
      expect(await times({ action: 'users:delete' })).toEqual([2]);
      expect(await times({ objectType: 'role' })).toEqual([3]);
      expect(await times({ objectType: 'user', objectId: '2' })).toEqual([4]);
      expect(await times({ outcome: 'failure' })).toEqual([6, 5]);
      expect(await times({ actor: 'bob', outcome: 'failure' })).toEqual([6]);
      expect(await times({ from: 2000, to: 5000 })).toEqual([4, 3, 2]);
      expect(await times({ actor: "x' or '1'='1" })).toEqual([]);
    });

    test('text is found anywhere in an entry; wildcards are ordinary characters', async () => {
      const { auditLog } = (await openEmpty(backend)).repositories;
      await auditLog.insert(anEntry({ objectId: 'first', after: { title: '100% of_it!' } }));
      await auditLog.insert(anEntry({ objectId: 'second', actor: 'Bob' }));
      const find = async (text: string) =>
        (await auditLog.listPage({ text }, { limit: 9, offset: 0 })).items.map((entry) => entry.objectId);
      expect(await find('100% OF_IT!')).toEqual(['first']);
      expect(await find('bob')).toEqual(['second']);
      expect(await find('USERS:create')).toEqual(['second', 'first']);
      expect(await find('%')).toEqual(['first']);
      expect(await find('bob10')).toEqual([]);
      expect(await find("' or ''='")).toEqual([]);
    });

    test('text with other letters than those of ASCII is found as it is written', async () => {
      const { auditLog } = (await openEmpty(backend)).repositories;
      await auditLog.insert(anEntry({ actor: 'Ägidius', after: { title: 'Журнал' } }));
      const find = async (text: string) => (await auditLog.listPage({ text }, { limit: 9, offset: 0 })).total;
      for (const text of ['Ägidius', 'ÄGIDIUS', 'Журнал', 'урна'])
        expect([text, await find(text)]).toEqual([text, 1]);
    });

    test('pages are stable and newest first, even when many entries share a time', async () => {
      const clock = new ManualClock();
      const { auditLog } = (await openEmpty(backend, { clock })).repositories;
      for (let index = 0; index < 25; index++) await auditLog.insert(anEntry({ objectId: String(index) }));
      const seen: (string | null)[] = [];
      for (let offset = 0; offset < 25; offset += 10) {
        const page = await auditLog.listPage({}, { limit: 10, offset });
        expect(page.total).toBe(25);
        seen.push(...page.items.map((entry) => entry.objectId));
      }
      expect(seen).toEqual(Array.from({ length: 25 }, (_, index) => String(24 - index)));
    });

    test('old entries can be removed', async () => {
      const clock = new ManualClock(1000);
      const { auditLog } = (await openEmpty(backend, { clock })).repositories;
      await auditLog.insert(anEntry());
      clock.advance(1000);
      await auditLog.insert(anEntry());
      expect(await auditLog.removeBefore(2000)).toBe(1);
      expect(
        (await auditLog.listPage({}, { limit: 10, offset: 0 })).items.map((entry) => entry.time),
      ).toEqual([2000]);
    });
  });

  describe('system messages', () => {
    test('they are listed newest first, in pages', async () => {
      const clock = new ManualClock();
      const { systemMessages } = (await openEmpty(backend, { clock })).repositories;
      for (const content of ['one', 'two', 'three']) {
        await systemMessages.insert({ caller: 'journal', content, nodeId: 'n1' });
      }
      const page = await systemMessages.listPage({ limit: 2, offset: 0 });
      expect(page).toEqual({
        items: ['three', 'two'].map((content) => ({
          caller: 'journal',
          content,
          nodeId: 'n1',
          timestamp: clock.now(),
        })),
        total: 3,
      });
      expect((await systemMessages.listPage({ limit: 2, offset: 2 })).items).toHaveLength(1);
    });

    test('only the newest are kept', async () => {
      const { db, repositories } = await openEmpty(backend);
      const old = { caller: 'c', content: 'old', timestamp: 0, node_id: 'n' };
      const batch = Array.from({ length: 1000 }, () => old);
      for (let stored = 0; stored < MAX_SYSTEM_MESSAGES; stored += batch.length) {
        await db.insertInto('system_messages').values(batch).execute();
      }
      await repositories.systemMessages.insert({ caller: 'c', content: 'new', nodeId: 'n' });
      await repositories.systemMessages.insert({ caller: 'c', content: 'newest', nodeId: 'n' });
      const page = await repositories.systemMessages.listPage({ limit: 2, offset: 0 });
      expect(page.items.map((message) => message.content)).toEqual(['newest', 'new']);
      expect(page.total).toBe(MAX_SYSTEM_MESSAGES);
    });
  });

  describe('notifications', () => {
    test('there is one per type and key; publishing again keeps its time and updates its details', async () => {
      const clock = new ManualClock();
      const { notifications } = (await openEmpty(backend, { clock })).repositories;
      const first = clock.now();
      expect(await notifications.publish(aNotification())).toBe(true);
      clock.advance(1000);
      const again = aNotification({ details: { reason: 'again' }, severity: 'normal', nodeId: 'n2' });
      expect(await notifications.publish(again)).toBe(false);
      expect(await notifications.publish(aNotification({ key: 'input-2' }))).toBe(true);
      expect(await notifications.list()).toEqual([
        { ...aNotification({ key: 'input-2' }), timestamp: clock.now() },
        { ...again, timestamp: first },
      ]);
    });

    test('they are removed one by one or by type', async () => {
      const { notifications } = (await openEmpty(backend)).repositories;
      for (const key of ['1', '2', '3']) await notifications.publish(aNotification({ key }));
      await notifications.publish(aNotification({ type: 'no_input_running', key: '' }));
      expect(await notifications.remove('input_failed_to_start', '2')).toBe(1);
      expect(await notifications.remove('input_failed_to_start')).toBe(2);
      expect(await notifications.remove('input_failed_to_start')).toBe(0);
      expect((await notifications.list()).map((notification) => notification.type)).toEqual([
        'no_input_running',
      ]);
    });

    test('of several concurrent publishers exactly one is first', async () => {
      const { notifications } = (await openEmpty(backend)).repositories;
      const firsts = await Promise.all([1, 2, 3, 4, 5].map(() => notifications.publish(aNotification())));
      expect(firsts.filter(Boolean)).toHaveLength(1);
    });
  });
}
