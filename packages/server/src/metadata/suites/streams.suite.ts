import { describe, expect, test } from 'vitest';
import { ConflictError, isEntityId } from '#core/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { aUser, type MetadataBackend, openEmpty } from '#testing/metadata-backend.ts';
import type { NewStream, NewStreamRule } from '../repositories/index.ts';

const aStream = (changes: Partial<NewStream> = {}): NewStream => ({
  title: 'Shop',
  description: 'Everything of the shop',
  creator: 'admin',
  matchingType: 'AND',
  removeMatches: false,
  indexSetId: 'set-1',
  state: 'paused',
  contentPack: null,
  ...changes,
});

const aRule = (changes: Partial<NewStreamRule> = {}): NewStreamRule => ({
  type: 2,
  field: 'message',
  value: "(?i)error 'ä' \\d+ %_",
  inverted: true,
  description: 'what it is for',
  contentPack: null,
  ...changes,
});

export function streamsSuite(backend: MetadataBackend): void {
  describe('streams', () => {
    test('a stream is stored with all properties and its rules in order', async () => {
      const clock = new ManualClock();
      const { streams } = (await openEmpty(backend, { clock })).repositories;
      const stream = aStream({ matchingType: 'OR', removeMatches: true, contentPack: 'pack' });
      const rules = [aRule(), aRule({ type: 7, field: '', value: '', inverted: false, contentPack: 'pack' })];
      const stored = await streams.insert(stream, rules);
      expect(stored).toEqual({
        ...stream,
        id: stored.id,
        createdAt: clock.now(),
        stateReason: null,
        outputIds: [],
        rules: rules.map((rule, index) => ({ ...rule, id: stored.rules[index]?.id, streamId: stored.id })),
      });
      expect([stored.id, ...stored.rules.map(({ id }) => id)].every(isEntityId)).toBe(true);
      expect(await streams.find(stored.id)).toEqual(stored);
      expect(await streams.list()).toEqual([stored]);
      expect(await streams.find('unknown')).toBeUndefined();
    });

    test('a built-in stream is created once and then left unchanged', async () => {
      const { streams } = (await openEmpty(backend)).repositories;
      const id = '000000000000000000000001';
      await streams.ensure(id, aStream({ title: 'All messages', state: 'running' }));
      await streams.update(id, { indexSetId: 'set-2' });
      await streams.ensure(id, aStream({ title: 'Other' }));
      expect(await streams.find(id)).toMatchObject({ title: 'All messages', indexSetId: 'set-2' });
    });

    test('only the given properties change', async () => {
      const { streams } = (await openEmpty(backend)).repositories;
      const first = await streams.insert(aStream(), [aRule()]);
      const other = await streams.insert(aStream(), []);
      expect(await streams.update(first.id, {})).toEqual(first);
      expect(await streams.update(first.id, { title: 'New', removeMatches: true })).toEqual({
        ...first,
        title: 'New',
        removeMatches: true,
      });
      expect(await streams.find(other.id)).toEqual(other);
      expect(await streams.update('unknown', { title: 'x' })).toBeUndefined();
    });

    test('changing the state returns whether it changed, and can require a previous state', async () => {
      const { streams } = (await openEmpty(backend)).repositories;
      const { id } = await streams.insert(aStream(), []);
      expect(await streams.setState(id, 'disabled', 'faults', 'running')).toBe(false);
      expect(await streams.setState(id, 'running', null)).toBe(true);
      expect(await streams.setState(id, 'running', null)).toBe(false);
      expect(await streams.setState(id, 'disabled', 'faults', 'running')).toBe(true);
      expect(await streams.find(id)).toMatchObject({ state: 'disabled', stateReason: 'faults' });
      expect(await streams.setState(id, 'running', null)).toBe(true);
      expect(await streams.find(id)).toMatchObject({ state: 'running', stateReason: null });
    });

    test('rules of one stream are appended, changed and removed', async () => {
      const { streams } = (await openEmpty(backend)).repositories;
      const { id } = await streams.insert(aStream(), [aRule({ value: 'one' })]);
      const other = await streams.insert(aStream(), [aRule()]);
      const added = await streams.insertRule(id, aRule({ value: 'two' }));
      await streams.insertRule(id, aRule({ value: 'three' }));
      const changed = await streams.updateRule(id, added.id, aRule({ value: '2', inverted: false }));
      expect(changed).toEqual({ ...added, value: '2', inverted: false });
      expect((await streams.find(id))?.rules.map(({ value }) => value)).toEqual(['one', '2', 'three']);
      const foreign = other.rules[0]?.id ?? '';
      expect(await streams.updateRule(id, foreign, aRule())).toBeUndefined();
      expect(await streams.removeRule(id, foreign)).toBe(false);
      expect(await streams.removeRule(id, added.id)).toBe(true);
      expect(await streams.removeRule(id, added.id)).toBe(false);
      await expect(streams.insertRule('unknown', aRule())).rejects.toBeInstanceOf(ConflictError);
    });

    test('all rules are replaced at once, unless the check refuses', async () => {
      const { streams } = (await openEmpty(backend)).repositories;
      const before = await streams.insert(aStream(), [aRule({ value: 'one' }), aRule({ value: 'two' })]);
      const { id } = before;
      const kept = before.rules[1]?.id ?? '';
      const rules = [aRule({ value: 'new' }), { ...aRule({ value: '2' }), id: kept }];
      const replacement = { matchingType: 'OR', rules } as const;
      const refuse = (stored: object) => {
        expect(stored).toEqual(before);
        throw new Error('no');
      };
      await expect(streams.replaceRules(id, replacement, refuse)).rejects.toThrow('no');
      await expect(streams.update(id, { title: 'x' }, refuse)).rejects.toThrow('no');
      expect(await streams.find(id)).toEqual(before);
      const after = await streams.replaceRules(id, replacement, () => {});
      expect(after?.rules.map(({ value }) => value)).toEqual(['new', '2']);
      expect(after?.rules[1]?.id).toBe(kept);
      expect(await streams.find(id)).toEqual(after);
      expect(await streams.replaceRules('unknown', replacement, () => {})).toBeUndefined();
    });

    test('removing a stream removes its rules', async () => {
      const { db, repositories } = await openEmpty(backend);
      const { streams } = repositories;
      const { id } = await streams.insert(aStream(), [aRule(), aRule()]);
      const kept = await streams.insert(aStream({ indexSetId: 'set-2' }), [aRule()]);
      expect(await streams.remove(id)).toBe(true);
      expect(await streams.remove(id)).toBe(false);
      expect(await streams.list()).toEqual([kept]);
      expect(await db.selectFrom('stream_rules').selectAll().execute()).toHaveLength(1);
      expect(await streams.listByIndexSet('set-2')).toEqual([{ id: kept.id, title: kept.title }]);
      expect(await streams.listByIndexSet('set-1')).toEqual([]);
    });

    test('every change changes the revision; reading does not', async () => {
      const { streams } = (await openEmpty(backend)).repositories;
      const seen = new Set([await streams.revision()]);
      const changed = async (what: Promise<unknown>) => {
        await what;
        const revision = await streams.revision();
        expect(seen).not.toContain(revision);
        seen.add(revision);
      };
      const { id, rules } = await streams.insert(aStream(), [aRule()]);
      await changed(Promise.resolve());
      await changed(streams.update(id, { title: 'x' }));
      await changed(streams.setState(id, 'running', null));
      await changed(streams.insertRule(id, aRule()));
      await changed(streams.updateRule(id, rules[0]?.id ?? '', aRule()));
      await changed(streams.replaceRules(id, { matchingType: 'AND', rules: [] }, () => {}));
      await changed(streams.removeRule(id, rules[0]?.id ?? ''));
      await changed(streams.remove(id));
      const last = await streams.revision();
      await streams.list();
      expect(await streams.revision()).toBe(last);
    });
  });

  describe('grants', () => {
    test('are added to a user and removed from all users and roles', async () => {
      const { grants, users, roles } = (await openEmpty(backend)).repositories;
      const anna = await users.insert(aUser({ permissions: ['streams:read:1'] }));
      const role = await roles.insert({
        name: 'R',
        description: '',
        permissions: ['streams:edit:2', 'a:b'],
        readOnly: false,
      });
      const added = ['streams:read:2', 'streams:edit:2', 'streams:read:1'];
      expect(await grants.add(anna.id, added)).toBe(true);
      expect(await grants.add('local:admin', added)).toBe(false);
      const permissions = async () => (await users.findById(anna.id))?.permissions;
      expect(await permissions()).toEqual(['streams:read:1', 'streams:read:2', 'streams:edit:2']);
      await grants.removeFromAll(['streams:read:2', 'streams:edit:2']);
      await grants.removeFromAll([]);
      expect(await permissions()).toEqual(['streams:read:1']);
      expect((await roles.findByName('R'))?.permissions).toEqual(['a:b']);
      expect(role.permissions).toHaveLength(2);
    });
  });
}
