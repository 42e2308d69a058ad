import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAllowedTargets } from '#core/index.ts';
import type { LookupPartRecord } from '#metadata/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { NO_ENTRIES } from '#testing/writable-lookups.ts';
import { createLookupFiles, type LookupFiles } from '../files.ts';
import { createRunningAdapters, type RunningAdapters } from './running-adapters.ts';

let directory: string;
let clock: ManualClock;
beforeEach(() => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-running-'));
  clock = new ManualClock();
});
afterEach(() => fs.rmSync(directory, { recursive: true }));

const record = (id: string, configuration: object): LookupPartRecord => ({
  id,
  name: id,
  title: id,
  description: '',
  type: 'csvfile',
  configuration: { ...configuration },
});
const write = (file: string, content: string) => fs.writeFileSync(path.join(directory, file), content);

function create(files: LookupFiles = createLookupFiles(directory), maxWaitMs?: number): RunningAdapters {
  const logger = pino({ level: 'silent' });
  const targets = createAllowedTargets();
  return createRunningAdapters(
    { context: { files, targets, entries: NO_ENTRIES, clock }, decrypted: (each) => each, clock, logger },
    { maxWaitMs },
  );
}

describe('running adapters', () => {
  test('load a file again when it is due, and one that failed after five seconds', async () => {
    const records = [record('a', { path: 'a.csv', check_interval: 60 })];
    const running = create();
    expect(await running.follow(records)).toBe(true);
    expect(running.error('a')).toContain('there is no file');
    write('a.csv', 'key,value\nk,1\n');
    clock.advance(4999);
    expect(await running.follow(records)).toBe(false);
    clock.advance(1);
    expect(await running.follow(records)).toBe(true);
    expect([running.error('a'), running.source('a')]).toMatchObject([
      null,
      { source: { entries: new Map([['k', '1']]) } },
    ]);
    write('a.csv', 'key,value\nk,22\n');
    clock.advance(59_999);
    expect(await running.follow(records)).toBe(false);
    clock.advance(1);
    expect(await running.follow(records)).toBe(true);
    expect(running.source('a')).toMatchObject({ source: { entries: new Map([['k', '22']]) } });
  });

  test('load a file again after the clock was set back', async () => {
    const records = [record('a', { path: 'a.csv', check_interval: 60 })];
    const running = create();
    write('a.csv', 'key,value\nk,1\n');
    await running.follow(records);
    write('a.csv', 'key,value\nk,22\n');
    clock.advance(-3_600_000);
    expect(await running.follow(records)).toBe(true);
    // From then on by the new time.
    write('a.csv', 'key,value\nk,333\n');
    clock.advance(59_999);
    expect(await running.follow(records)).toBe(false);
    clock.advance(1);
    expect(await running.follow(records)).toBe(true);
  });

  test('show an error no longer after the clock was set back', async () => {
    const running = create();
    await running.follow([{ ...record('a', {}), type: 'keyvalue' }]);
    running.source('a')?.report('full');
    clock.advance(-3_600_000);
    running.source('a')?.report(null);
    clock.advance(59_999);
    running.source('a')?.report(null);
    expect(running.error('a')).toBe('full');
    clock.advance(1);
    expect(running.error('a')).toBeNull();
  });

  test('do not wait for a file that cannot be read for ever', async () => {
    write('b.csv', 'key,value\nk,1\n');
    const files = createLookupFiles(directory);
    const late = Promise.withResolvers<void>();
    const running = create(
      {
        async read(file, options) {
          if (file === 'a.csv') await late.promise;
          return files.read('b.csv', options);
        },
      },
      1,
    );
    const a = record('a', { path: 'a.csv' });
    await running.follow([a]);
    expect(running.error('a')).toContain('still being loaded');
    // Others are loaded meanwhile; how many turns that takes depends on the machine.
    const both = [a, record('b', { path: 'b.csv' })];
    const followed = async () => {
      await setImmediate();
      await running.follow(both);
    };
    while (running.source('b') === undefined) await followed();
    expect(running.source('a')).toBeUndefined();
    late.resolve();
    while (running.error('a') !== null) await followed();
    expect(running.source('a')).toBeDefined();
  });

  test('refuse a named pipe at once', async () => {
    execFileSync('mkfifo', [path.join(directory, 'a.csv')]);
    const running = create();
    await running.follow([record('a', { path: 'a.csv' })]);
    expect(running.error('a')).toContain('is not a file');
  });
});
