import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAllowedTargets, InvalidConfiguration } from '#core/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { NO_ENTRIES } from '#testing/writable-lookups.ts';
import type { LoadingAdapter } from '../../adapter-type.ts';
import { createLookupFiles, type LookupFiles } from '../../files.ts';
import { csvFileAdapter } from './adapter.ts';

let directory: string;
let reads: number;
beforeEach(() => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-csv-'));
  reads = 0;
});
afterEach(() => fs.rmSync(directory, { recursive: true }));

const write = (content: string) => fs.writeFileSync(path.join(directory, 'a.csv'), content);

/** Real files; counts how often one was read whole. */
function countedFiles(): LookupFiles {
  const files = createLookupFiles(directory);
  return {
    async read(file, options) {
      const content = await files.read(file, options);
      if (content !== undefined) reads += 1;
      return content;
    },
  };
}

function createAdapter(config: object = {}): LoadingAdapter {
  const clock = new ManualClock();
  const targets = createAllowedTargets();
  const context = { files: countedFiles(), targets, entries: NO_ENTRIES, clock, adapterId: 'a' };
  const adapter = csvFileAdapter.create(context, { path: 'a.csv', ...config });
  if (adapter instanceof InvalidConfiguration) throw new Error(adapter.text);
  if (adapter.kind !== 'loading') throw new Error('it does not load');
  return adapter;
}

describe('a CSV file', () => {
  test('does not keep the thread while it is read', async () => {
    write(
      `key,value\n${Array.from({ length: 50_000 }, (_, i) => `key-${i},a value of this key`).join('\n')}\n`,
    );
    let isLoading = true;
    let turns = 0;
    const turn = () => {
      turns += 1;
      if (isLoading) setImmediate(turn);
    };
    setImmediate(turn);
    const { size } = fs.statSync(path.join(directory, 'a.csv'));
    await createAdapter().load();
    isLoading = false;
    // At least one turn of the event loop for each 64 KiB.
    expect(turns).toBeGreaterThan(size / 65_536);
  });

  test('that cannot be used is parsed again only when it has changed', async () => {
    write('name,value\na,1\n');
    const adapter = createAdapter();
    await expect(adapter.load()).rejects.toThrow('a.csv has no column "key"');
    await expect(adapter.load()).rejects.toThrow('a.csv has no column "key"');
    expect(reads).toBe(1);
    write('key,value\na,1234\n');
    expect(await adapter.load()).toMatchObject({ entries: new Map([['a', '1234']]) });
    expect(await adapter.load()).toBeUndefined();
    expect(reads).toBe(2);
  });

  test('with long names of columns has a short error', async () => {
    write(`${'x'.repeat(100_000)},y\n`);
    const reason = await createAdapter()
      .load()
      .catch((error: Error) => error.message);
    expect(reason).toContain('xxx');
    expect(String(reason).length).toBeLessThan(1000);
  });

  test('has bounds for bytes and keys', async () => {
    write(`key,value\n${Array.from({ length: 500_001 }, (_, i) => `${i},`).join('\n')}\n`);
    await expect(createAdapter().load()).rejects.toThrow('more than 500000 keys');
    fs.truncateSync(path.join(directory, 'a.csv'), 32 * 1024 * 1024 + 1);
    await expect(createAdapter().load()).rejects.toThrow('at most 33554432');
  });
});
