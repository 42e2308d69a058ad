import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = new URL('./', import.meta.url);
const repository = new URL('../../../../../../', import.meta.url);

test('every call exists in the API', () => {
  const { paths } = JSON.parse(readFileSync(new URL('docs/openapi.json', repository), 'utf8')) as {
    paths: Record<string, object>;
  };
  const known = new Set(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    ),
  );
  const called = readdirSync(folder)
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [
      ...readFileSync(new URL(file, folder), 'utf8').matchAll(/^ {2}'([A-Z]+ \/[^']*)':/gm),
    ])
    .map(([, endpoint]) => endpoint);
  expect(called.length).toBeGreaterThan(10);
  expect(called.filter((endpoint) => !known.has(endpoint ?? ''))).toEqual([]);
});
