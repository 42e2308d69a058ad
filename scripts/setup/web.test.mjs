import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensureWeb } from './web.mjs';

let root;
let said;

function write(file, content = '') {
  const full = path.join(root, file);
  fs.mkdirSync(path.dirname(full), { recursive: true });
  fs.writeFileSync(full, content);
}

beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-web-'));
  said = [];
  for (const name of ['index.html', 'vite.config.ts', 'package.json']) write(`packages/web/${name}`);
  for (const folder of ['packages/web/public', 'packages/web/dist', 'docs/screenshots']) {
    write(`${folder}/a.png`);
  }
  for (const name of ['web', 'contract', 'query', 'rules']) write(`packages/${name}/src/index.ts`);
  write('docs/search.md');
  write('scripts/web/docs.mjs');
  write('package-lock.json');
  // In the place of the bundler.
  write('node_modules/vite/bin/vite.js');
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

const ensure = () => ensureWeb({ root, pinnedNode: process.execPath, say: (line) => said.push(line) });

test.each([
  'packages/web/src/index.ts',
  'packages/contract/src/index.ts',
  'packages/rules/src/index.ts',
  'docs/search.md',
  'scripts/web/docs.mjs',
])('builds the web interface once, and again when %s has changed', async (file) => {
  await ensure();
  await ensure();
  expect(said).toHaveLength(1);
  write(file, 'changed');
  await ensure();
  expect(said).toHaveLength(2);
});
