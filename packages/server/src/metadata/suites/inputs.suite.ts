import { describe, expect, test } from 'vitest';
import { ConflictError, isEntityId } from '#core/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { type MetadataBackend, openEmpty } from '#testing/metadata-backend.ts';
import type { NewInput } from '../repositories/index.ts';

const anInput = (changes: Partial<NewInput> = {}): NewInput => ({
  title: 'GELF TCP',
  type: 'gelf-tcp',
  global: true,
  nodeId: null,
  configuration: { port: 12201, bind_address: '127.0.0.1', nested: [1, null, { a: 'ä\u0000' }] },
  creator: 'admin',
  contentPack: null,
  desiredState: 'running',
  ...changes,
});

export function inputsSuite(backend: MetadataBackend): void {
  describe('inputs', () => {
    test('an input is stored with all properties', async () => {
      const clock = new ManualClock();
      const { inputs } = (await openEmpty(backend, { clock })).repositories;
      const local = anInput({ global: false, nodeId: 'n1', contentPack: 'pack', desiredState: 'stopped' });
      const stored = await inputs.insert(local);
      expect(stored).toEqual({ ...local, id: stored.id, createdAt: clock.now(), staticFields: {} });
      expect(isEntityId(stored.id)).toBe(true);
      expect(await inputs.find(stored.id)).toEqual(stored);
      expect(await inputs.find('unknown')).toBeUndefined();
    });

    test('inputs are listed oldest first', async () => {
      const clock = new ManualClock();
      const { inputs } = (await openEmpty(backend, { clock })).repositories;
      for (const title of ['c', 'a', 'b']) {
        await inputs.insert(anInput({ title }));
        clock.advance(1);
      }
      expect((await inputs.list()).map((input) => input.title)).toEqual(['c', 'a', 'b']);
    });

    test('a change replaces the properties and keeps the rest', async () => {
      const { inputs } = (await openEmpty(backend)).repositories;
      const first = await inputs.insert(anInput({ desiredState: 'stopped' }));
      const other = await inputs.insert(anInput());
      await inputs.setStaticField(first.id, 'site', 'north');
      const properties = {
        title: 'New',
        type: 'gelf-udp',
        global: false,
        nodeId: 'n2',
        configuration: { port: 1 },
      };
      const changed = await inputs.update(first.id, properties);
      expect(changed).toEqual({ ...first, ...properties, staticFields: { site: 'north' } });
      expect(await inputs.find(first.id)).toEqual(changed);
      expect(await inputs.find(other.id)).toEqual(other);
      expect(await inputs.update('unknown', properties)).toBeUndefined();
    });

    test('a configuration is replaced only while it is the expected one', async () => {
      const { inputs } = (await openEmpty(backend)).repositories;
      const input = await inputs.insert(anInput({ id: 'f'.repeat(24) }));
      expect(input.id).toBe('f'.repeat(24));
      const { configuration } = (await inputs.list())[0] ?? input;
      expect(await inputs.replaceConfiguration(input.id, configuration, { port: 2 })).toBe(true);
      expect(await inputs.replaceConfiguration(input.id, configuration, { port: 3 })).toBe(false);
      expect(await inputs.replaceConfiguration('unknown', { port: 2 }, { port: 3 })).toBe(false);
      expect(await inputs.find(input.id)).toEqual({ ...input, configuration: { port: 2 } });
    });

    test('the desired state is stored separately', async () => {
      const { inputs } = (await openEmpty(backend)).repositories;
      const input = await inputs.insert(anInput());
      expect(await inputs.setDesiredState(input.id, 'stopped')).toBe(true);
      expect(await inputs.find(input.id)).toEqual({ ...input, desiredState: 'stopped' });
      expect(await inputs.setDesiredState('unknown', 'stopped')).toBe(false);
    });

    test('static fields are set, replaced and removed one by one', async () => {
      const { inputs } = (await openEmpty(backend)).repositories;
      const { id } = await inputs.insert(anInput());
      await inputs.setStaticField(id, 'site', 'north');
      await inputs.setStaticField(id, 'rack', '7');
      await inputs.setStaticField(id, 'site', 'south');
      await inputs.setStaticField(id, '__proto__', 'x');
      const fields = (await inputs.find(id))?.staticFields ?? {};
      expect(Object.entries(fields)).toEqual([
        ['__proto__', 'x'],
        ['rack', '7'],
        ['site', 'south'],
      ]);
      expect((await inputs.list())[0]?.staticFields).toEqual(fields);
      expect(await inputs.removeStaticField(id, 'rack')).toBe(true);
      expect(await inputs.removeStaticField(id, 'rack')).toBe(false);
      await expect(inputs.setStaticField('unknown', 'a', 'b')).rejects.toBeInstanceOf(ConflictError);
    });

    test('removing an input removes its static fields', async () => {
      const { db, repositories } = await openEmpty(backend);
      const { inputs } = repositories;
      const { id } = await inputs.insert(anInput());
      await inputs.setStaticField(id, 'site', 'north');
      expect(await inputs.remove(id)).toBe(true);
      expect(await inputs.remove(id)).toBe(false);
      expect(await inputs.list()).toEqual([]);
      expect(await db.selectFrom('input_static_fields').selectAll().execute()).toEqual([]);
    });
  });
}
