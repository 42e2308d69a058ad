import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { OUTPUT_TYPES } from './registry.ts';

const DOCUMENT = path.resolve(import.meta.dirname, '../../../../docs/outputs.md');

interface Example {
  readonly type: string;
  readonly configuration: Record<string, unknown>;
}

test('every type has an example in the documentation, with settings that exist and are right', () => {
  const text = readFileSync(DOCUMENT, 'utf8');
  const examples = [...text.matchAll(/^api \/system\/outputs -d '([^']+)'/gm)].map(
    ([, json = '']) => JSON.parse(json) as Example,
  );
  for (const { type, configuration } of examples) {
    const found = OUTPUT_TYPES.find(type);
    expect(found?.problemsOf(configuration), type).toEqual([]);
    const unknown = Object.keys(configuration).filter((name) => !Object.hasOwn(found?.fields ?? {}, name));
    expect(unknown, type).toEqual([]);
  }
  const described = new Set(examples.map(({ type }) => type));
  expect(described).toEqual(new Set(OUTPUT_TYPES.types.map(({ id }) => id)));
});
