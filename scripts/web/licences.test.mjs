import path from 'node:path';
import { expect, test } from 'vitest';
import { shippedPackages } from './licences.mjs';

const root = path.resolve(import.meta.dirname, '../..');

/** Licences that let us ship a package, provided that its text comes along. */
const ALLOWED = new Set([
  '(MIT OR CC0-1.0)',
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
]);

test('everything that we ship has a licence that allows it', () => {
  const packages = shippedPackages(root);
  expect(packages.filter(({ licence }) => !ALLOWED.has(licence))).toEqual([]);
});

test('what the browser and the server load is in the list, what only builds and tests is not', () => {
  const packages = shippedPackages(root);
  const names = new Set(packages.map(({ name }) => name));
  for (const name of ['react', '@mantine/core', 'fastify', 'zod']) expect(names).toContain(name);
  for (const name of ['vitest', 'typescript', '@biomejs/biome']) expect(names).not.toContain(name);
  expect(packages.find(({ name }) => name === 'react')?.text).toContain('Permission is hereby granted');
});
