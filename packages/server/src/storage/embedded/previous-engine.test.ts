import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  instanceArgument,
  type ProcessTable,
  readEngineRecord,
  settlePreviousEngine,
  systemProcesses,
  writeEngineRecord,
} from './previous-engine.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-previous-'));
  file = path.join(folder, 'engine.pid');
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

const RECORD = { pid: 4711, parentPid: 4700, instance: randomUUID() };
const COMMAND = `qemu node engine-process.mjs ${instanceArgument(RECORD.instance)} lib`;

/** Processes that answer from a list, one entry a look, the last one for ever; kills are recorded. */
function processes(...looks: ReturnType<ProcessTable['find']>[]): ProcessTable & { killed: number[] } {
  const killed: number[] = [];
  return {
    killed,
    find: () => (looks.length > 1 ? looks.shift() : looks[0]),
    kill: (pid) => void killed.push(pid),
  };
}

describe('the engine of a dead node', () => {
  test('is killed if it does not end on its own, and awaited', async () => {
    writeEngineRecord(file, RECORD);
    const table = processes({ parentPid: 1, commandLine: COMMAND }, undefined);
    await settlePreviousEngine(file, undefined, table);
    expect(table.killed).toEqual([4711]);
    expect(fs.existsSync(file)).toBe(false);
  });

  test('is found gone', async () => {
    writeEngineRecord(file, RECORD);
    const table = processes(undefined);
    await settlePreviousEngine(file, undefined, table);
    expect(table.killed).toEqual([]);
  });
});

test('the engine of a living node is not touched: the start is refused and names it', async () => {
  writeEngineRecord(file, RECORD);
  const table = processes({ parentPid: 4700, commandLine: COMMAND });
  await expect(settlePreviousEngine(file, undefined, table, 100)).rejects.toThrow(
    'process 4711 of process 4700',
  );
  expect(table.killed).toEqual([]);
  expect(readEngineRecord(file)).toEqual(RECORD);
});

test('a node that is stopping is awaited', async () => {
  writeEngineRecord(file, RECORD);
  const alive = { parentPid: 4700, commandLine: COMMAND };
  const table = processes(alive, alive, undefined);
  await settlePreviousEngine(file, undefined, table);
  expect(table.killed).toEqual([]);
});

test('waiting can be aborted', async () => {
  writeEngineRecord(file, RECORD);
  const stop = new AbortController();
  const table = processes({ parentPid: 4700, commandLine: COMMAND });
  const settled = settlePreviousEngine(file, stop.signal, table, 60_000);
  stop.abort();
  await expect(settled).rejects.toThrow();
});

describe('an unrelated process with the id of a dead engine', () => {
  test.each([
    ['an editor with the script open', 'vim /data/clickhouse/engine-process.mjs'],
    ['the engine of another directory', `node engine-process.ts ${instanceArgument(randomUUID())}`],
    ['one whose arguments cannot be seen', ''],
  ])('%s is left alone', async (_, commandLine) => {
    writeEngineRecord(file, RECORD);
    const table = processes({ parentPid: 1, commandLine });
    await settlePreviousEngine(file, undefined, table);
    expect(table.killed).toEqual([]);
    expect(fs.existsSync(file)).toBe(false);
  });
});

test.each([
  ['no file', undefined],
  ['an empty one', ''],
  ['half a one', '{"pid":4711,"par'],
  ['something else', '[]'],
  ['null', 'null'],
  ['init', JSON.stringify({ ...RECORD, pid: 1 })],
  ['a process group', JSON.stringify({ ...RECORD, pid: -4711 })],
  ['everything', JSON.stringify({ ...RECORD, pid: 0 })],
  ['an instance that any command line has', JSON.stringify({ ...RECORD, instance: '' })],
])('%s names nobody', async (_, content) => {
  if (content !== undefined) fs.writeFileSync(file, content);
  expect(readEngineRecord(file)).toBeUndefined();
  const table = processes({ parentPid: 1, commandLine: COMMAND });
  await settlePreviousEngine(file, undefined, table);
  expect(table.killed).toEqual([]);
});

describe('the processes of this system', () => {
  let child: ChildProcess;
  const instance = randomUUID();
  beforeEach(async () => {
    child = spawn(process.execPath, ['--eval', 'process.stdin.resume()', '--', instanceArgument(instance)], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    await once(child, 'spawn');
  });
  afterEach(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });

  test('are found with their parent and arguments, and can be ended', async () => {
    const pid = child.pid!;
    const found = systemProcesses.find(pid);
    expect(found?.parentPid).toBe(process.pid);
    expect(found?.commandLine).toContain(instanceArgument(instance));
    systemProcesses.kill(pid);
    await once(child, 'exit');
    expect(systemProcesses.find(pid)).toBeUndefined();
    systemProcesses.kill(pid);
  });

  test('a real child of this process counts as used by a living node', async () => {
    writeEngineRecord(file, { pid: child.pid!, parentPid: process.pid, instance });
    await expect(settlePreviousEngine(file, undefined, systemProcesses, 50)).rejects.toThrow('still running');
  });
});
