import { expect, test } from 'vitest';
import { readExport } from './export-file.ts';

test('an export is an object with extractors, or their list', () => {
  expect(readExport('{"extractors": [{"title": "a"}], "version": "3.1"}')).toEqual([{ title: 'a' }]);
  expect(readExport('[{"title": "a"}]')).toEqual([{ title: 'a' }]);
  for (const text of ['', 'null', '{}', '[]', '7', '{"extractors": {}}', '{"extr']) {
    expect(readExport(text)).toBeUndefined();
  }
});
