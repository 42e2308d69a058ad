import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeFileSystem } from './file-system.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'millrace-journal-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

test('writes any number of buffers one after the other, more than the kernel takes at once, and empty ones', async () => {
  const name = path.join(directory, 'file');
  const file = await nodeFileSystem.open(name, 'create');
  const buffers = Array.from({ length: 3000 }, (_, index) => Buffer.from(index % 7 === 0 ? '' : `${index},`));
  await file.write([Buffer.from('head')], 0);
  await file.write(buffers, 4);
  await file.write([], 4);
  await file.close();
  expect(await readFile(name, 'utf8')).toBe(`head${Buffer.concat(buffers)}`);
});
