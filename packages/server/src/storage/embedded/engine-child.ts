import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage, type Secret } from '#core/index.ts';
import { FAILED_WRITES_STATEMENT } from '../clickhouse/index.ts';
import { type EngineDirectory, engineAuthorization, writeOwnerOnly } from './configuration.ts';
import type { EngineLog } from './engine-log.ts';
import type { EngineLibrary } from './library.ts';
import { instanceArgument } from './previous-engine.ts';

/** How to reach the embedded server. */
export interface EngineEndpoint {
  readonly url: string;
  readonly username: string;
  readonly password: Secret;
  /** Changes with every start. */
  readonly instance: string;
  /** Where other servers reach it, if they may. */
  readonly nativePort?: number;
}

/** One run of the engine process. */
export interface EngineChild {
  readonly pid: number;
  /** Resolves with the reason when the process is gone. Never rejects. */
  readonly exited: Promise<string>;
  /** True from the moment the port is open until the process is gone. Reads the disk until the port is open. */
  isListening(): boolean;
  isAlive(): boolean;
  /** Lets a native engine give back memory that only its start needed. An emulator does not say which that is. */
  hasStarted(): void;
  kill(): void;
}

/**
 * The statement that keeps the server open. It checks twice a second whether it was killed, which bounds the time that
 * stopping takes.
 */
const KEEP_ALIVE = 'SELECT sleepEachRow(0.5) FROM numbers(1000000000) SETTINGS max_block_size=1 FORMAT Null';
const END_KEEP_ALIVE = "KILL QUERY WHERE query LIKE 'SELECT sleepEachRow%' SYNC";
const SCRIPT = path.join(import.meta.dirname, 'engine-process.ts');

/**
 * Starts the process, which writes a file when its port is open. Only then may the password be sent to that port: until
 * then another program could have taken it.
 */
export function spawnEngine(
  library: EngineLibrary,
  script: string,
  directory: EngineDirectory,
  log: EngineLog,
  { instance, nativePort }: Pick<EngineEndpoint, 'instance' | 'nativePort'>,
): EngineChild {
  const listeningFile = `listening-${instance}`;
  removeListeningFiles(directory.root);
  const listen = `SYSTEM START LISTEN HTTP;${nativePort === undefined ? '' : ' SYSTEM START LISTEN TCP;'}`;
  const statements = `${listen} SELECT 1 INTO OUTFILE '${listeningFile}' FORMAT TSV; ${KEEP_ALIVE}`;
  const child = spawn(
    library.command,
    [
      ...library.commandArguments,
      script,
      instanceArgument(instance),
      library.libraryFile,
      '--config-file',
      directory.configuration,
      '--query',
      statements,
    ],
    // Detached: Ctrl-C in a terminal reaches only the node, which stops the engine in order. The environment
    // stays empty: it may hold secrets, and the engine does not need it.
    { cwd: directory.root, env: {}, stdio: ['pipe', 'pipe', 'pipe'], detached: true },
  );
  let alive = true;
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => {
      alive = false;
      resolve(`could not be run: ${errorMessage(error)}`);
    });
    child.once('close', (code, signal) => {
      alive = false;
      resolve(signal === null ? `ended with code ${code}` : `ended by ${signal}`);
    });
  });
  child.stdin.on('error', () => {});
  child.stdout.on('data', (chunk: Buffer) => log.write(chunk));
  child.stderr.on('data', (chunk: Buffer) => log.write(chunk));

  const listeningPath = path.join(directory.root, listeningFile);
  let listening = false;
  return {
    pid: child.pid ?? 0,
    exited,
    isAlive: () => alive,
    hasStarted() {
      if (library.kind === 'native') child.stdin.write('started\n');
    },
    isListening() {
      listening ||= fs.existsSync(listeningPath);
      return alive && listening;
    },
    kill() {
      child.kill('SIGKILL');
    },
  };
}

/**
 * The script that the engine process runs. Under an emulator, stripping its types (with WebAssembly) would take seconds,
 * so that is done here, in a short-lived process, since the function prints a warning that it is experimental.
 */
export function prepareScript(library: EngineLibrary, directory: EngineDirectory): string {
  if (library.kind === 'native') return SCRIPT;
  const program = `process.stdout.write(require('node:module').stripTypeScriptTypes(
    require('node:fs').readFileSync(process.argv[1], 'utf8')))`;
  const stripped = execFileSync(process.execPath, ['--no-warnings', '--eval', program, SCRIPT], {
    encoding: 'utf8',
  });
  const file = path.join(directory.root, 'engine-process.mjs');
  writeOwnerOnly(file, stripped);
  return file;
}

function removeListeningFiles(directory: string): void {
  for (const name of fs.readdirSync(directory)) {
    if (name.startsWith('listening-')) fs.rmSync(path.join(directory, name), { force: true });
  }
}

const READY_POLL_MS = 20;
const REQUEST_TIMEOUT_MS = 10_000;
const AUTHENTICATION_FAILED = '516';

interface Patience {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/**
 * - `ready`: the engine answers.
 * - `ended`: its process is gone.
 * - `silent`: its port has been open for the time that it has, and it does not answer.
 */
export type EngineStart = 'ready' | 'ended' | 'silent';

/** Until the port is open there is no limit: to load the parts of large tables takes as long as it takes. Rejects when aborted. */
export async function waitUntilReady(
  child: EngineChild,
  endpoint: EngineEndpoint,
  { signal, timeoutMs }: Patience,
): Promise<EngineStart> {
  let deadline: number | undefined;
  while (child.isAlive()) {
    signal.throwIfAborted();
    if (child.isListening()) {
      deadline ??= performance.now() + timeoutMs;
      if (await answers(endpoint, signal)) return 'ready';
      if (performance.now() >= deadline) return 'silent';
    }
    await delay(READY_POLL_MS, undefined, { signal });
  }
  return 'ended';
}

/**
 * - `healthy`: the engine answers our user within the time, be it with an error: one that is out of memory is alive.
 * - `silent`: it does not.
 * - `cannot-write`: a write to one of its files has failed, so some of them may be incomplete.
 */
export type EngineHealth = 'healthy' | 'silent' | 'cannot-write';

/** Rejects only when aborted. */
export async function healthOf(
  endpoint: EngineEndpoint,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<EngineHealth> {
  try {
    const answer = await ask(endpoint, `${FAILED_WRITES_STATEMENT} FORMAT JSONEachRow`, {
      signal,
      timeoutMs,
    });
    if (answer.status === 200) return Number(JSON.parse(answer.text).failed) > 0 ? 'cannot-write' : 'healthy';
    return answer.errorCode === undefined || answer.errorCode === AUTHENTICATION_FAILED
      ? 'silent'
      : 'healthy';
  } catch {
    signal.throwIfAborted();
    return 'silent';
  }
}

async function answers(endpoint: EngineEndpoint, signal: AbortSignal): Promise<boolean> {
  try {
    return (await request(endpoint, 'SELECT 1', signal)).trim() === '1';
  } catch {
    return false;
  }
}

/** Asks the engine to stop; its process ends shortly after. */
export async function askToEnd(endpoint: EngineEndpoint, signal: AbortSignal): Promise<void> {
  await request(endpoint, END_KEEP_ALIVE, signal);
}

interface Answer {
  readonly status: number | undefined;
  readonly errorCode: string | undefined;
  readonly text: string;
}

/** On a connection of its own. Not by `fetch`, which takes several times the CPU: the probe asks as long as the node runs. */
async function ask(endpoint: EngineEndpoint, sql: string, { signal, timeoutMs }: Patience): Promise<Answer> {
  const request = http.request(endpoint.url, {
    method: 'POST',
    agent: false,
    headers: { authorization: engineAuthorization(endpoint.password) },
    signal,
  });
  const timer = setTimeout(() => request.destroy(new Error('no answer in time')), timeoutMs);
  try {
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      request.once('response', resolve).once('error', reject).end(sql);
    });
    const errorCode = response.headers['x-clickhouse-exception-code'];
    return { status: response.statusCode, errorCode: errorCode?.toString(), text: await text(response) };
  } finally {
    clearTimeout(timer);
  }
}

async function request(endpoint: EngineEndpoint, sql: string, signal: AbortSignal): Promise<string> {
  const answer = await ask(endpoint, sql, { signal, timeoutMs: REQUEST_TIMEOUT_MS });
  if (answer.status !== 200) throw new Error(`ClickHouse answered ${answer.status}: ${answer.text.trim()}`);
  return answer.text;
}
