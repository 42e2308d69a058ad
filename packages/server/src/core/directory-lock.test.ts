import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockDirectory } from './directory-lock.ts';

let directory: string;
beforeEach(() => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'lock-'));
});
afterEach(() => fs.rmSync(directory, { recursive: true }));

const HOLDER = `
  import { lockDirectory } from ${JSON.stringify(path.join(import.meta.dirname, 'directory-lock.ts'))};
  globalThis.lock = lockDirectory(process.argv[1]);
  console.log('locked');
  setInterval(() => {}, 1000);
`;

async function startHolder() {
  const holder = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  return holder;
}

test('the second process is refused, told who holds it and what to do', async () => {
  const holder = await startHolder();
  expect(() => lockDirectory(directory)).toThrow(`process ${holder.pid}`);
  holder.kill();
  await once(holder, 'exit');
});

test('a killed holder leaves no lock behind', async () => {
  const holder = await startHolder();
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  lockDirectory(directory).release();
});

test('a released lock can be taken again, and releasing twice is harmless', () => {
  const lock = lockDirectory(directory);
  lock.release();
  lock.release();
  lockDirectory(directory).release();
});
