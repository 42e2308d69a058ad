import { describe, expect, test } from 'vitest';
import { ConflictError, isEntityId } from '#core/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { type MetadataBackend, openEmpty } from '#testing/metadata-backend.ts';
import type { NewStream, PipelineProperties } from '../repositories/index.ts';

const aPipeline = (title = 'First', changes: Partial<PipelineProperties> = {}): PipelineProperties => ({
  title,
  description: "what's in it: ä",
  source: `pipeline "${title}"\nstage 0 match all\nend`,
  ...changes,
});
const aRule = (title = 'first'): PipelineProperties => ({
  title,
  description: '',
  source: `rule "${title}" when true then end`,
});
const aStream: NewStream = {
  title: 'Shop',
  description: '',
  creator: 'admin',
  matchingType: 'AND',
  removeMatches: false,
  indexSetId: 'set-1',
  state: 'paused',
  contentPack: null,
};

export function pipelinesSuite(backend: MetadataBackend): void {
  describe('pipelines', () => {
    test('a pipeline is stored, changed and removed; its title is unique', async () => {
      const clock = new ManualClock();
      const { pipelines } = (await openEmpty(backend, { clock })).repositories;
      const stored = await pipelines.insert(aPipeline());
      expect(isEntityId(stored.id)).toBe(true);
      expect(stored).toEqual({
        ...aPipeline(),
        id: stored.id,
        createdAt: clock.now(),
        updatedAt: clock.now(),
      });
      await expect(pipelines.insert(aPipeline())).rejects.toThrow(ConflictError);
      const other = await pipelines.insert(aPipeline('Another'));
      expect(await pipelines.list()).toEqual([other, stored]);
      clock.advance(5);
      const changed = { ...stored, ...aPipeline('New'), updatedAt: clock.now() };
      expect(await pipelines.update(stored.id, aPipeline('New'))).toEqual(changed);
      expect(await pipelines.find(stored.id)).toEqual(changed);
      await expect(pipelines.update(stored.id, aPipeline('Another'))).rejects.toThrow(ConflictError);
      expect(await pipelines.update('unknown', aPipeline('X'))).toBeUndefined();
      expect(await pipelines.remove(stored.id)).toBe(true);
      expect(await pipelines.remove(stored.id)).toBe(false);
      expect(await pipelines.find(stored.id)).toBeUndefined();
    });

    test('are connected to streams, from either side, until one of both is gone', async () => {
      const { pipelines, streams } = (await openEmpty(backend)).repositories;
      const [one, two] = [await pipelines.insert(aPipeline('1')), await pipelines.insert(aPipeline('2'))];
      const [shop, mail] = [await streams.insert(aStream, []), await streams.insert(aStream, [])];
      const view = async () =>
        new Map((await pipelines.connections()).map(({ streamId, pipelineIds }) => [streamId, pipelineIds]));
      await pipelines.connectStream(shop.id, [one.id, two.id, one.id]);
      await pipelines.connectPipeline(one.id, [mail.id]);
      expect(await view()).toEqual(
        new Map([
          [shop.id, [two.id]],
          [mail.id, [one.id]],
        ]),
      );
      await pipelines.connectStream(shop.id, [one.id], (id) => id === two.id);
      await pipelines.connectPipeline(one.id, [], (id) => id === mail.id);
      expect(await view()).toEqual(
        new Map([
          [shop.id, [two.id]],
          [mail.id, [one.id]],
        ]),
      );
      await pipelines.connectStream(mail.id, []);
      await streams.remove(shop.id);
      expect(await view()).toEqual(new Map());
      await pipelines.connectStream(mail.id, [one.id]);
      await pipelines.remove(one.id);
      expect(await view()).toEqual(new Map());
      await expect(pipelines.connectStream(mail.id, ['unknown'])).rejects.toThrow();
    });
  });

  describe('rules of pipelines', () => {
    test('a rule is stored, changed, disabled and removed; a change enables it again', async () => {
      const { pipelineRules } = (await openEmpty(backend)).repositories;
      const stored = await pipelineRules.insert(aRule());
      expect(stored).toMatchObject({ ...aRule(), disabledReason: null });
      await expect(pipelineRules.insert(aRule())).rejects.toThrow(ConflictError);
      expect(await pipelineRules.disable(stored.id, 'too slow')).toBe(true);
      expect(await pipelineRules.disable(stored.id, 'again')).toBe(false);
      expect(await pipelineRules.find(stored.id)).toEqual({ ...stored, disabledReason: 'too slow' });
      expect(await pipelineRules.update(stored.id, aRule('other'))).toMatchObject({
        title: 'other',
        disabledReason: null,
      });
      expect(await pipelineRules.list()).toHaveLength(1);
      expect(await pipelineRules.update('unknown', aRule())).toBeUndefined();
      expect(await pipelineRules.remove(stored.id)).toBe(true);
      expect(await pipelineRules.remove(stored.id)).toBe(false);
    });

    test('every change is a change of streams', async () => {
      const { pipelineRules, pipelines, streams } = (await openEmpty(backend)).repositories;
      const seen = new Set<string>([await streams.revision()]);
      const changes = async (change: Promise<unknown>) => {
        await change;
        seen.add(await streams.revision());
      };
      await changes(pipelineRules.insert(aRule()));
      await changes(pipelines.insert(aPipeline()));
      const [rule] = await pipelineRules.list();
      const [pipeline] = await pipelines.list();
      const stream = await streams.insert(aStream, []);
      await changes(pipelineRules.disable(rule?.id ?? '', 'slow'));
      await changes(pipelineRules.update(rule?.id ?? '', aRule()));
      await changes(pipelines.connectStream(stream.id, [pipeline?.id ?? '']));
      await changes(pipelines.connectPipeline(pipeline?.id ?? '', []));
      await changes(pipelines.update(pipeline?.id ?? '', aPipeline()));
      await changes(pipelines.remove(pipeline?.id ?? ''));
      await changes(pipelineRules.remove(rule?.id ?? ''));
      expect(seen.size).toBe(10);
    });

    test('grok patterns are seeded once, changed, imported and removed; names are unique', async () => {
      const { grokPatterns, streams } = (await openEmpty(backend)).repositories;
      const int = { name: 'INT', pattern: '\\d+' };
      expect(await grokPatterns.seed([int, { name: 'WORD', pattern: '\\w+' }])).toBe(true);
      expect(await grokPatterns.seed([{ name: 'LATER', pattern: 'x' }])).toBe(false);
      const names = async () => (await grokPatterns.list()).map(({ name }) => name);
      expect(await names()).toEqual(['INT', 'WORD']);
      await expect(grokPatterns.insert(int)).rejects.toThrow(ConflictError);
      const revision = await streams.revision();
      const stored = await grokPatterns.insert({ name: 'A', pattern: "it's %{INT}" });
      expect(await streams.revision()).not.toBe(revision);
      expect(await grokPatterns.find(stored.id)).toEqual(stored);
      await expect(grokPatterns.update(stored.id, int)).rejects.toThrow(ConflictError);
      expect(await grokPatterns.update(stored.id, { name: 'B', pattern: 'b' })).toEqual({
        ...stored,
        name: 'B',
        pattern: 'b',
      });
      expect(await grokPatterns.update('unknown', int)).not.toBeDefined();
      await grokPatterns.import([{ name: 'B', pattern: 'new' }], { dropOthers: false });
      expect(await grokPatterns.find(stored.id)).toMatchObject({ pattern: 'new' });
      await grokPatterns.import([int], { dropOthers: true });
      expect(await names()).toEqual(['INT']);
      expect(await grokPatterns.remove(stored.id)).toBe(false);
    });
  });
}
