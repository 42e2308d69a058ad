/** Kill -9 between triggering and sending: sent once more at most, never zero times. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '#testing/eventually.ts';
import { startHttpReceiver } from '#testing/http-receiver.ts';

const CHILD = path.join(import.meta.dirname, '../../../testing/delivery-crash-child.ts');

async function databaseFile(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-delivery-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return path.join(folder, 'metadata.db');
}

function start(...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [CHILD, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

function said(child: ChildProcess, word: string): Promise<void> {
  const { stdout } = child;
  if (stdout === null) throw new Error('the child has no output');
  return new Promise((resolve, reject) => {
    createInterface({ input: stdout }).on('line', (line) => line === word && resolve());
    child.once('exit', () => reject(new Error(`ended before it said ${word}`)));
  });
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

test('killed after the alert was stored, before anything was sent: sent once', async () => {
  const [file, receiver] = [await databaseFile(), await startHttpReceiver()];
  const first = start(file, 'only-enqueue', receiver.url);
  await said(first, 'enqueued');
  await kill(first);
  const second = start(file, 'deliver');
  await eventually(() => expect(receiver.calls).toHaveLength(1));
  await kill(second);
  const third = start(file, 'deliver');
  await said(third, 'started');
  await kill(third);
  expect(receiver.calls).toHaveLength(1);
});

test('killed while it was being sent: sent once more, with the same id', async () => {
  const [file, receiver] = [await databaseFile(), await startHttpReceiver()];
  receiver.hang();
  const first = start(file, 'deliver', receiver.url);
  await eventually(() => expect(receiver.calls).toHaveLength(1));
  await kill(first);
  receiver.answer(200);
  const second = start(file, 'deliver');
  await eventually(() => expect(receiver.calls).toHaveLength(2));
  const ids = receiver.calls.map(({ body }) => JSON.parse(body).job_trigger_id);
  expect(ids).toEqual(['alert-1:triggered', 'alert-1:triggered']);
  await said(second, 'started').catch(() => {});
});
