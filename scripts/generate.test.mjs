import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GENERATED, staleFiles, writeFiles } from './generate.mjs';

const root = path.resolve(import.meta.dirname, '..');
let directory;

beforeEach(() => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-generate-'));
});

afterEach(() => fs.rmSync(directory, { recursive: true }));

test('the generated files in the repository are up to date', async () => {
  expect((await staleFiles(root)).map((file) => file.path)).toEqual([]);
});

test('missing and changed files are stale, written ones are not', async () => {
  const names = GENERATED.map((file) => file.path);
  const stale = await staleFiles(directory);
  expect(stale.map((file) => file.path)).toEqual(names);
  writeFiles(directory, stale);
  expect(await staleFiles(directory)).toEqual([]);

  fs.appendFileSync(path.join(directory, names[0]), ' ');
  expect((await staleFiles(directory)).map((file) => file.path)).toEqual([names[0]]);
});
