import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensureEngine } from './engine.mjs';

const LIBRARY = '@chdb/lib-linux-x64-gnu';
let root;
let said;
const say = (line) => said.push(line);

function write(file, content) {
  const full = path.join(root, file);
  fs.mkdirSync(path.dirname(full), { recursive: true });
  fs.writeFileSync(full, typeof content === 'string' ? content : JSON.stringify(content));
}

beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-setup-'));
  said = [];
  write('package.json', { dependencies: { node: '26.0.0' } });
  write('package-lock.json', { packages: {} });
  write('packages/server/package.json', { optionalDependencies: { [LIBRARY]: '1.2.3' } });
});
afterEach(() => {
  fs.rmSync(root, { recursive: true, force: true });
});

const nativePackage = `@chdb/lib-${process.platform}-${process.arch}${process.platform === 'linux' ? '-gnu' : ''}`;

test('does nothing when npm has installed the library of this platform', async () => {
  write(`node_modules/${nativePackage}/package.json`, { name: nativePackage });
  await ensureEngine({ root, say });
  expect(said).toEqual([]);
  expect(fs.existsSync(path.join(root, 'node_modules/.cache'))).toBe(false);
});

test('does not fail when the installation is not possible, says why, and leaves nothing half done', async () => {
  // A file where the folder should be: nothing can be installed, on any platform.
  write('node_modules/.cache', '');
  await ensureEngine({ root, say });
  expect(said.at(-1)).toContain('clickhouse_uri');
  expect(fs.readdirSync(path.join(root, 'node_modules'))).toEqual(['.cache']);
});
