import { describe, expect, test } from 'vitest';
import { ConflictError, isEntityId } from '#core/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { type MetadataBackend, openEmpty } from '#testing/metadata-backend.ts';
import type { NewOutput, NewStream, Repositories } from '../repositories/index.ts';

const anOutput = (changes: Partial<NewOutput> = {}): NewOutput => ({
  title: 'To the other site',
  type: 'gelf',
  configuration: { hostname: 'a.example', nested: [1, null, { a: 'ä' }] },
  creator: 'admin',
  contentPack: null,
  desiredState: 'running',
  ...changes,
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

export function outputsSuite(backend: MetadataBackend): void {
  describe('outputs', () => {
    test('an output is stored with all properties', async () => {
      const clock = new ManualClock();
      const { outputs } = (await openEmpty(backend, { clock })).repositories;
      const stored = await outputs.insert(anOutput({ contentPack: 'pack', desiredState: 'paused' }));
      const { id } = stored;
      expect(stored).toEqual({
        ...anOutput({ contentPack: 'pack', desiredState: 'paused' }),
        id,
        createdAt: clock.now(),
      });
      expect(isEntityId(id)).toBe(true);
      expect(await outputs.find(id)).toEqual(stored);
      expect(await outputs.find('unknown')).toBeUndefined();
      expect((await outputs.insert(anOutput({ id: 'f'.repeat(24) }))).id).toBe('f'.repeat(24));
    });

    test('outputs are listed oldest first', async () => {
      const clock = new ManualClock();
      const { outputs } = (await openEmpty(backend, { clock })).repositories;
      for (const title of ['c', 'a', 'b']) {
        await outputs.insert(anOutput({ title }));
        clock.advance(1);
      }
      expect((await outputs.list()).map(({ title }) => title)).toEqual(['c', 'a', 'b']);
    });

    test('a change replaces title and configuration; the state is changed by itself', async () => {
      const { outputs } = (await openEmpty(backend)).repositories;
      const first = await outputs.insert(anOutput());
      const other = await outputs.insert(anOutput());
      const properties = { title: 'New', configuration: { port: 1 } };
      expect(await outputs.update(first.id, properties)).toEqual({ ...first, ...properties });
      expect(await outputs.setDesiredState(first.id, 'paused')).toBe(true);
      expect(await outputs.setDesiredState(first.id, 'paused')).toBe(false);
      expect(await outputs.find(first.id)).toEqual({ ...first, ...properties, desiredState: 'paused' });
      expect(await outputs.find(other.id)).toEqual(other);
      expect(await outputs.update('unknown', properties)).toBeUndefined();
      expect(await outputs.setDesiredState('unknown', 'paused')).toBe(false);
    });
  });

  attachments(backend);
}

function attachments(backend: MetadataBackend): void {
  describe('outputs of streams', () => {
    async function seed({ outputs, streams }: Repositories) {
      const first = (await outputs.insert(anOutput({ title: 'first' }))).id;
      const second = (await outputs.insert(anOutput({ title: 'second' }))).id;
      const stream = await streams.insert(aStream, [], [first]);
      return { first, second, stream };
    }

    test('are attached and detached, each once', async () => {
      const { repositories } = await openEmpty(backend);
      const { streams } = repositories;
      const { first, second, stream } = await seed(repositories);
      const other = await streams.insert(aStream, []);
      expect(stream.outputIds).toEqual([first]);
      await streams.attachOutputs(stream.id, [second, first, second]);
      expect((await streams.find(stream.id))?.outputIds.toSorted()).toEqual([first, second].toSorted());
      expect((await streams.list()).map(({ outputIds }) => outputIds.length).toSorted()).toEqual([0, 2]);
      expect(await streams.detachOutput(stream.id, first)).toBe(true);
      expect(await streams.detachOutput(stream.id, first)).toBe(false);
      expect(await streams.detachOutput(other.id, second)).toBe(false);
      expect((await streams.find(stream.id))?.outputIds).toEqual([second]);
    });

    test('must exist, as must the stream', async () => {
      const { repositories } = await openEmpty(backend);
      const { first, stream } = await seed(repositories);
      const { streams } = repositories;
      await expect(streams.attachOutputs(stream.id, ['unknown'])).rejects.toBeInstanceOf(ConflictError);
      await expect(streams.attachOutputs('unknown', [first])).rejects.toBeInstanceOf(ConflictError);
    });

    test('go when the output or the stream goes, and every change changes the revision', async () => {
      const { db, repositories } = await openEmpty(backend);
      const { outputs, streams } = repositories;
      const { first, second, stream } = await seed(repositories);
      const seen = new Set<string>();
      const changed = async (what: Promise<unknown>) => {
        await what;
        const revision = await streams.revision();
        expect(seen).not.toContain(revision);
        seen.add(revision);
      };
      await changed(streams.attachOutputs(stream.id, [second]));
      await changed(streams.detachOutput(stream.id, second));
      await changed(streams.attachOutputs(stream.id, [second]));
      await changed(outputs.remove(first));
      expect(await outputs.remove(first)).toBe(false);
      expect((await streams.find(stream.id))?.outputIds).toEqual([second]);
      await changed(streams.remove(stream.id));
      expect(await db.selectFrom('stream_outputs').selectAll().execute()).toEqual([]);
      expect((await outputs.list()).map(({ id }) => id)).toEqual([second]);
    });
  });
}
