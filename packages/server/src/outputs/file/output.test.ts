import { appendFile, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ManualClock } from '#testing/manual-clock.ts';
import { anIdentified, anOutput, OUTPUT_ID, outputProblems } from '#testing/output-fixture.ts';

const signal = new AbortController().signal;
let directory: string;
let clock: ManualClock;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'millrace-files-'));
  clock = new ManualClock(Date.now());
});

afterEach(() => rm(directory, { recursive: true, force: true }));

async function opened(configuration: Record<string, unknown> = {}, outputId = OUTPUT_ID) {
  const fixture = anOutput(
    'file',
    { folder: 'audit/all', ...configuration },
    { filesDirectory: directory, clock, outputId },
  );
  await fixture.output.connect?.(signal);
  const close = (patience = AbortSignal.timeout(60_000)) => fixture.output.close(patience);
  return { ...fixture, close };
}

const folder = (outputId = OUTPUT_ID) => path.join(directory, 'audit/all', outputId);
const current = () => path.join(folder(), 'worker-0.ndjson');

async function textsIn(name: string, outputId?: string): Promise<string[]> {
  const bytes = await readFile(path.join(folder(outputId), name));
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
  const inOrder = await Promise.all(names.map((name) => textsIn(name)));
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
  expect((await Promise.all(names.map((name) => textsIn(name)))).flat()).toEqual([
    'message 2',
    'message 3',
    'message 4',
  ]);
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

test('two outputs with the same folder keep their lines apart', async () => {
  const other = '68a1b2c3d4e5f60718293a4d';
  const settings = { rotate_time: 'hour', compression: 'none', keep_files: 1 };
  const outputs = [await opened(settings), await opened(settings, other)] as const;
  for (let hour = 0; hour < 2; hour++) {
    await outputs[0].send(anIdentified(hour));
    await outputs[1].send(anIdentified(10 + hour));
    clock.advance(3_600_000);
  }
  for (const { close } of outputs) await close();
  const texts = async (id: string) =>
    (await Promise.all((await readdir(folder(id))).sort().map((name) => textsIn(name, id)))).flat();
  expect(await texts(OUTPUT_ID)).toEqual(['message 0', 'message 1']);
  expect(await texts(other)).toEqual(['message 10', 'message 11']);
});

test('closing does not wait for the compression of a large file; the next start does the rest', async () => {
  const [{ close }, name] = [await opened(), 'worker-0-20250101T000000-000Z.ndjson'];
  await close();
  const large = path.join(folder(), name);
  await writeFile(large, '{"message":"old"}\n');
  await truncate(large, 64 * 1024 ** 3);
  const interrupted = await opened();
  await interrupted.close(AbortSignal.abort());
  expect((await readdir(folder())).sort()).toEqual([name, 'worker-0.ndjson'].sort());
  await truncate(large, 18);
  const next = await opened();
  await next.close();
  expect(await textsIn(`${name}.gz`)).toEqual(['old']);
});

test('a folder outside of the directory for files is refused', () => {
  for (const folder of ['/etc', '../x', 'a/../../b', 'a/..', '.', '..', '.ssh', 'a//b', 'a\0b', '']) {
    expect(outputProblems('file', { folder }), folder).toHaveLength(1);
  }
  expect(outputProblems('file', { folder: 'a/b.c-d' })).toEqual([]);
});
