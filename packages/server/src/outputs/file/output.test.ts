import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ManualClock } from '#testing/manual-clock.ts';
import { anIdentified, anOutput, outputProblems } from '#testing/output-fixture.ts';

const signal = new AbortController().signal;
let directory: string;
let clock: ManualClock;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'millrace-files-'));
  clock = new ManualClock(Date.now());
});

afterEach(() => rm(directory, { recursive: true, force: true }));

async function opened(configuration: Record<string, unknown> = {}) {
  const fixture = anOutput(
    'file',
    { folder: 'audit/all', ...configuration },
    { filesDirectory: directory, clock },
  );
  await fixture.output.connect?.(signal);
  const close = () => fixture.output.close(AbortSignal.timeout(5000));
  return { ...fixture, close };
}

const folder = () => path.join(directory, 'audit/all');
const current = () => path.join(folder(), 'worker-0.ndjson');

async function textsIn(name: string): Promise<string[]> {
  const bytes = await readFile(path.join(folder(), name));
  const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).message]));
}

test('messages are lines of a file, across restarts', async () => {
  const first = await opened();
  await first.send(anIdentified(1), anIdentified(2));
  await first.close();
  const second = await opened();
  await second.send(anIdentified(3));
  expect(await textsIn('worker-0.ndjson')).toEqual(['message 1', 'message 2', 'message 3']);
  await second.close();
});

test('a full file is compressed and a new one begins', async () => {
  const { send, close } = await opened({ rotate_size: 1024 });
  for (let number = 0; number < 20; number++) {
    clock.advance(1);
    await send(anIdentified(number));
  }
  await close();
  const names = (await readdir(folder())).sort();
  expect(names.length).toBeGreaterThan(2);
  expect(names.filter((name) => !/^worker-0(?:-\d{8}T\d{6}-\d{3}Z)?\.ndjson(?:\.gz)?$/.test(name))).toEqual(
    [],
  );
  expect(names.filter((name) => name.endsWith('.ndjson'))).toEqual(['worker-0.ndjson']);
  const inOrder = await Promise.all(names.map(textsIn));
  expect(inOrder.flat()).toEqual(Array.from({ length: 20 }, (_, number) => `message ${number}`));
});

test('a new file begins with the hour, and only the newest are kept', async () => {
  const { send, close } = await opened({ rotate_time: 'hour', compression: 'none', keep_files: 2 });
  for (let hour = 0; hour < 5; hour++) {
    await send(anIdentified(hour));
    clock.advance(3_600_000);
  }
  await close();
  const names = (await readdir(folder())).sort();
  expect((await Promise.all(names.map(textsIn))).flat()).toEqual(['message 2', 'message 3', 'message 4']);
});

test('a line that a crash left unfinished is removed, a file that it left uncompressed is compressed', async () => {
  const before = await opened();
  await before.send(anIdentified(1));
  await before.close();
  await appendFile(current(), `{"message":"${'x'.repeat(100_000)}`);
  await writeFile(path.join(folder(), 'worker-0-20250101T000000-000Z.ndjson'), '{"message":"old"}\n');
  const after = await opened();
  await after.send(anIdentified(2));
  await after.close();
  expect(await textsIn('worker-0.ndjson')).toEqual(['message 1', 'message 2']);
  expect(await textsIn('worker-0-20250101T000000-000Z.ndjson.gz')).toEqual(['old']);
});

test('a folder outside of the directory for files is refused', () => {
  for (const folder of ['/etc', '../x', 'a/../../b', 'a/..', '.', '..', '.ssh', 'a//b', 'a\0b', '']) {
    expect(outputProblems('file', { folder }), folder).toHaveLength(1);
  }
  expect(outputProblems('file', { folder: 'a/b.c-d' })).toEqual([]);
});
