import { describe, expect, test } from 'vitest';
import { ConflictError } from '#core/index.ts';
import { anExtractor, INPUT } from '#testing/extractor-samples.ts';
import { type MetadataBackend, openEmpty } from '#testing/metadata-backend.ts';

export function extractorsSuite(backend: MetadataBackend): void {
  describe('extractors', () => {
    test('are stored, changed, disabled and removed; a change enables them again', async () => {
      const { extractors, inputs } = (await openEmpty(backend)).repositories;
      const { id: inputId } = await inputs.insert(INPUT);
      const wanted = anExtractor(inputId, {
        configuration: { regex_value: 'a\u0000ä' },
        converters: [{ type: 'date', config: { date_format: 'yyyy' } }],
      });
      const [stored] = await extractors.insert([wanted]);
      expect(stored).toMatchObject({ ...wanted, disabledReason: null });
      const id = stored?.id ?? '';
      expect(await extractors.find(id)).toEqual(stored);
      expect(await extractors.disable(id, 'too slow')).toBe(true);
      expect(await extractors.disable(id, 'again')).toBe(false);
      expect(await extractors.find(id)).toEqual({ ...stored, disabledReason: 'too slow' });
      const {
        inputId: _,
        creator: __,
        ...properties
      } = anExtractor(inputId, { title: 'other', position: 7 });
      expect(await extractors.update(id, properties)).toEqual({ ...stored, ...properties });
      expect(await extractors.update('unknown', properties)).toBeUndefined();
      expect(await extractors.remove(id)).toBe(true);
      expect(await extractors.remove(id)).toBe(false);
      expect(await extractors.find(id)).toBeUndefined();
    });

    test('run by their positions, equal ones by age', async () => {
      const { extractors, inputs } = (await openEmpty(backend)).repositories;
      const { id: inputId } = await inputs.insert(INPUT);
      const { id: other } = await inputs.insert(INPUT);
      const titles = async () => (await extractors.list(inputId)).map(({ title }) => title);
      const [a, b] = await extractors.insert(
        ['a', 'b', 'c'].map((title) => anExtractor(inputId, { title, position: title === 'c' ? -1 : 0 })),
      );
      const [foreign] = await extractors.insert([anExtractor(other)]);
      expect(await titles()).toEqual(['c', 'a', 'b']);
      await extractors.setPositions(
        inputId,
        new Map([
          [b?.id ?? '', -2],
          [a?.id ?? '', 5],
          [foreign?.id ?? '', 9],
          ['unknown', 1],
        ]),
      );
      expect(await titles()).toEqual(['b', 'c', 'a']);
      expect(await extractors.list()).toHaveLength(4);
      expect(await extractors.find(foreign?.id ?? '')).toEqual(foreign);
    });

    test('go with their input, and need one', async () => {
      const { extractors, inputs } = (await openEmpty(backend)).repositories;
      const { id: inputId } = await inputs.insert(INPUT);
      await extractors.insert([anExtractor(inputId)]);
      await inputs.remove(inputId);
      expect(await extractors.list()).toEqual([]);
      await expect(extractors.insert([anExtractor(inputId)])).rejects.toThrow(ConflictError);
    });

    test('every change is a change of streams', async () => {
      const { extractors, inputs, streams } = (await openEmpty(backend)).repositories;
      const { id: inputId } = await inputs.insert(INPUT);
      const seen = new Set<string>([await streams.revision()]);
      const changes = async (change: Promise<unknown>) => {
        await change;
        seen.add(await streams.revision());
      };
      await changes(extractors.insert([anExtractor(inputId)]));
      const [{ id = '' } = {}] = await extractors.list();
      await changes(extractors.disable(id, 'slow'));
      await changes(extractors.update(id, anExtractor(inputId)));
      await changes(extractors.setPositions(inputId, new Map([[id, 1]])));
      await changes(extractors.remove(id));
      expect(seen.size).toBe(6);
    });
  });
}
