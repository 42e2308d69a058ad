import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode, StartupError } from '#core/index.ts';
import { writeOwnerOnly } from './configuration.ts';

/**
 * Never two engines on one directory. ClickHouse locks its folder itself; this makes the lock free in time:
 * the process file says which engine was started last, and before a new one is started, that one must be
 * gone. An engine whose node died ends by itself within moments; one that does not is ended here.
 *
 * Process numbers are used again, so a number alone proves nothing. The file also has the engine's instance,
 * a random UUID that is in its command line, and only a process with both is taken for the engine.
 */
export interface EngineRecord {
  readonly pid: number;
  readonly parentPid: number;
  readonly instance: string;
}

export interface RunningProcess {
  readonly parentPid: number;
  readonly commandLine: string;
}

/** The operating system's processes, as far as they are needed here. */
export interface ProcessTable {
  find(pid: number): RunningProcess | undefined;
  kill(pid: number): void;
}

const PATIENCE_MS = 6000;
const POLL_MS = 50;

export function instanceArgument(instance: string): string {
  return `--instance=${instance}`;
}

export function writeEngineRecord(file: string, record: EngineRecord): void {
  writeOwnerOnly(file, `${JSON.stringify(record)}\n`);
}

/** Undefined when there is none, or nothing that makes sense: a file cut short by a crash names nobody. */
export function readEngineRecord(file: string): EngineRecord | undefined {
  let content: unknown;
  try {
    content = JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  if (typeof content !== 'object' || content === null) return undefined;
  const { pid, parentPid, instance } = content as Partial<Record<keyof EngineRecord, unknown>>;
  // 1 can be a parent (a node that is all there is in its container), but never an engine to be ended.
  if (!isProcessNumber(pid, 2) || !isProcessNumber(parentPid, 1)) return undefined;
  if (typeof instance !== 'string' || instance.length < 32) return undefined;
  return { pid, parentPid, instance };
}

function isProcessNumber(value: unknown, least: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least;
}

/** Resolves when the engine that the file names is gone; rejects when a living node still runs it. */
export async function settlePreviousEngine(
  file: string,
  signal?: AbortSignal,
  processes: ProcessTable = systemProcesses,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const record = readEngineRecord(file);
  for (let waited = 0; record !== undefined; waited += POLL_MS) {
    const running = processes.find(record.pid);
    if (!running?.commandLine.includes(instanceArgument(record.instance))) break;
    // The system gives an orphan another parent. As long as it has its own, a node may be using it.
    if (running.parentPid !== record.parentPid) processes.kill(record.pid);
    if (waited >= patienceMs) {
      throw new StartupError(
        `the embedded ClickHouse of this data directory is still running (process ${record.pid} of process ${running.parentPid})`,
        'stop the Millrace node that uses this data_dir, or give this node a data_dir of its own',
      );
    }
    await delay(POLL_MS, undefined, signal ? { signal } : {});
  }
  fs.rmSync(file, { force: true });
}

export const systemProcesses: ProcessTable = {
  find: (pid) => (process.platform === 'linux' ? findInProc(pid) : findWithPs(pid)),
  kill(pid) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (errorCode(error) !== 'ESRCH') throw error;
    }
  },
};

function findInProc(pid: number): RunningProcess | undefined {
  try {
    // Arguments are separated by NUL; those of a process that has ended but was not collected are gone.
    const commandLine = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
    const parentPid = Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]);
    return { parentPid, commandLine };
  } catch {
    return undefined;
  }
}

function findWithPs(pid: number): RunningProcess | undefined {
  try {
    const line = execFileSync('/bin/ps', ['-ww', '-o', 'ppid=,command=', '-p', String(pid)], {
      encoding: 'utf8',
    });
    const match = /^\s*(\d+)\s+(.*)$/s.exec(line);
    return match ? { parentPid: Number(match[1]), commandLine: match[2] ?? '' } : undefined;
  } catch {
    return undefined;
  }
}
