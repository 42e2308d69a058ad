import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openEngineLog } from './engine-log.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-log-'));
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

test('appends to the log of an earlier run', () => {
  const file = path.join(folder, 'engine.log');
  for (const line of ['first\n', 'second\n']) {
    const log = openEngineLog(file);
    log.write(line);
    log.close();
  }
  expect(fs.readFileSync(file, 'utf8')).toBe('first\nsecond\n');
});

test('never takes more than twice its limit, whatever is written, and keeps the newest', () => {
  const file = path.join(folder, 'engine.log');
  const log = openEngineLog(file, 100);
  for (let line = 0; line < 500; line++) log.write(`line ${line}\n`);
  log.write('x'.repeat(1000));
  log.write('the end\n');
  log.close();
  const sizes = fs.readdirSync(folder).map((name) => fs.statSync(path.join(folder, name)).size);
  expect(sizes.length).toBe(2);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(100);
  expect(fs.readFileSync(file, 'utf8')).toContain('the end');
});

test('gives the last lines since the mark', () => {
  const log = openEngineLog(path.join(folder, 'engine.log'));
  log.write('of an earlier run\n');
  log.mark();
  for (let line = 1; line <= 40; line++) log.write(Buffer.from(`line ${line}\n`));
  expect(log.tail().split('\n')).toEqual(Array.from({ length: 15 }, (_, index) => `line ${index + 26}`));
  log.close();
});

test('does not throw when it cannot write', () => {
  const log = openEngineLog(path.join(folder, 'missing', 'engine.log'));
  log.write('lost on disk');
  expect(log.tail()).toBe('lost on disk');
  log.close();
});
