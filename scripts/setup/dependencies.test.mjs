import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ensureDependencies } from './dependencies.mjs';

let root;

function write(file, content, mode = 0o644) {
  const full = path.join(root, file);
  fs.mkdirSync(path.dirname(full), { recursive: true });
  fs.writeFileSync(full, content, { mode });
  return full;
}

/** Instead of npm: writes down what it was asked for, and installs the pinned Node. */
const NPM = `
const fs = require('node:fs');
fs.appendFileSync('asked', process.argv.slice(2).join(' ') + '\\n');
fs.mkdirSync('node_modules/.bin', { recursive: true });
fs.writeFileSync('node_modules/.bin/node', '#!/bin/sh\\necho v1.2.3\\n', { mode: 0o755 });
`;

beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-dependencies-'));
  write('package.json', '{"dependencies":{"node":"1.2.3"}}');
  write('package-lock.json', '{}');
  for (const name of ['contract', 'server', 'web']) write(`packages/${name}/package.json`, '{}');
  vi.stubEnv('npm_execpath', write('npm/bin/npm-cli.js', NPM));
});
afterEach(() => {
  vi.unstubAllEnvs();
  fs.rmSync(root, { recursive: true, force: true });
});

const ensure = () =>
  ensureDependencies({ root, pinnedNode: path.join(root, 'node_modules/.bin/node'), say: () => {} });
const asked = () => fs.readFileSync(path.join(root, 'asked'), 'utf8').trim().split('\n');

test('installs once, and again when the lock file has changed', async () => {
  await ensure();
  await ensure();
  expect(asked()).toHaveLength(1);
  write('package-lock.json', '{"changed":true}');
  await ensure();
  expect(asked()).toHaveLength(2);
});

test('installs what builds the web interface, even where NODE_ENV is "production"', async () => {
  await ensure();
  expect(asked()).toEqual([expect.stringMatching(/^install .*--include=dev/)]);
});

test.each(['pnpm.cjs', 'yarn.js'])('installs with npm when it was started by %s', async (program) => {
  const other = write(`other/${program}`, 'require("node:fs").writeFileSync("asked", "the wrong one");');
  write('bin/npm', `#!${process.execPath}\n${NPM}`, 0o755);
  vi.stubEnv('npm_execpath', other);
  vi.stubEnv('PATH', `${path.join(root, 'bin')}${path.delimiter}${process.env.PATH}`);
  await ensure();
  expect(asked()).toEqual([expect.stringMatching(/^install /)]);
});
