/**
 * The child process that is the embedded ClickHouse server.
 *
 * Arguments: `--instance=<uuid>` (only to identify the process in the process list), the path of the library, and the
 * command line of `clickhouse local`, which the library's `chdb_query_cmdline` runs until the last statement ends. That
 * call blocks its thread, so it runs in a thread of its own with the stack that ClickHouse needs, while the main thread
 * watches:
 *
 * - Standard input ends when the parent is gone, even after SIGKILL: end at once. What ClickHouse has confirmed is on
 *   disk, so nothing is lost.
 * - The first data on standard input says that the server has started: memory that only the start needed is given back.
 * - The call returned or threw: the parent finds the reason on standard error.
 *
 * The process always ends by sending itself SIGKILL: `process.exit` would wait for the blocked thread, and the
 * library's destructors crash after a call has returned.
 *
 * This file imports only Node's own modules to begin with: an emulated engine runs a copy of it without types.
 */
import fs from 'node:fs';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

const STACK_SIZE_MB = 16;
const POINTER_BYTES = 8;
const FIRST_STATEMENTS_MS = 60_000;
/** When memory runs out, the kernel should end this process, which is restarted, and not the node. */
const OUT_OF_MEMORY_SCORE = '500';

function report(line: string): void {
  try {
    fs.writeSync(2, `${line}\n`);
  } catch {
    // The parent is gone.
  }
}

function endProcess(): void {
  process.kill(process.pid, 'SIGKILL');
}

function watch(): void {
  try {
    fs.writeFileSync('/proc/self/oom_score_adj', OUT_OF_MEMORY_SCORE);
  } catch {
    // Only Linux has it, and it is only a preference.
  }
  // The parent decides when to stop, but Ctrl-C in a terminal reaches its children too.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

  process.stdin.once('data', () => void releaseMemoryOfStart());
  process.stdin.on('end', endProcess);
  process.stdin.on('error', endProcess);
  process.stdin.resume();

  const worker = new Worker(new URL(import.meta.url), {
    workerData: process.argv.slice(3),
    resourceLimits: { stackSizeMb: STACK_SIZE_MB },
  });
  worker.on('error', (error) => {
    report(`the engine could not run: ${error instanceof Error ? error.message : String(error)}`);
    endProcess();
  });
  worker.on('message', () => {
    report('the engine ended');
    endProcess();
  });
}

/** Twice: the first statements need more than those that follow. */
async function releaseMemoryOfStart(): Promise<void> {
  try {
    const { releaseLoadedPages } = await import('./loaded-pages.ts');
    const release = () => releaseLoadedPages([process.argv[3] ?? '', process.execPath]);
    await release();
    setTimeout(() => release().catch(() => {}), FIRST_STATEMENTS_MS);
  } catch {
    // Only Linux can do it, and nothing depends on it.
  }
}

async function runServer(parameters: readonly string[]): Promise<void> {
  const [library = '', ...commandLine] = parameters;
  const { dlopen, getRawPointer } = await import('node:ffi');
  const { functions } = dlopen(library, {
    chdb_query_cmdline: { arguments: ['i32', 'pointer'], return: 'pointer' },
  });
  const { parentPort } = await import('node:worker_threads');

  const texts = ['clickhouse', ...commandLine].map((text) => Buffer.from(`${text}\0`));
  const pointers = Buffer.alloc(POINTER_BYTES * (texts.length + 1));
  for (const [index, text] of texts.entries()) {
    pointers.writeBigUInt64LE(BigInt(getRawPointer(text)), index * POINTER_BYTES);
  }
  functions.chdb_query_cmdline(texts.length, getRawPointer(pointers));
  // This reference keeps the buffers alive until the call has returned.
  parentPort?.postMessage({ returned: texts.length + pointers.length });
}

if (isMainThread) watch();
else await runServer(workerData as string[]);
