import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode, StartupError } from '#core/index.ts';
import { writeOwnerOnly } from './configuration.ts';

/**
 * Ensures that never two engines use one directory. ClickHouse locks its folder itself; this waits until the lock is
 * free: the process file says which engine was started last, and that one must be gone before a new one is started. An
 * engine whose node died ends on its own within moments; if it does not, it is killed here.
 *
 * Process ids are reused, so an id alone proves nothing. The file also has the engine's instance, a random UUID that is
 * in its command line: only a process with both is the engine.
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

/** What is needed of the operating system's processes. */
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

/** Undefined if there is no file or it is incomplete, as after a crash. */
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
  // Process 1 can be a parent (a node alone in its container), but never an engine.
  if (!isProcessNumber(pid, 2) || !isProcessNumber(parentPid, 1)) return undefined;
  if (typeof instance !== 'string' || instance.length < 32) return undefined;
  return { pid, parentPid, instance };
}

function isProcessNumber(value: unknown, least: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least;
}

/** Resolves when the engine named in the file is gone. Rejects if a living node still runs it. */
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
    // The system gives an orphan another parent. As long as it has its own, a node may still use it.
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
    // Arguments are separated by NUL; a zombie process has none.
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
