import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const MAIN = path.resolve(import.meta.dirname, '../../packages/server/src/main.ts');

/** Nothing else of the environment, so that no setting of the developer's shell gets in. */
const INHERITED = {
  PATH: process.env.PATH ?? '',
  HOME: os.homedir(),
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
};

/** A log line of the node, as JSON. */
export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly [key: string]: unknown;
}

/**
 * The program as a user runs it: a process of its own with its own data directory, on a free port. Kept as
 * close to the outside as possible: it is known by what it prints and what it answers.
 */
export interface NodeProcess {
  readonly child: ChildProcess;
  readonly dataDir: string;
  /** All it printed so far, both streams. */
  output(): string;
  /**
   * Resolves with the address (`http://127.0.0.1:1234`) once it says that it is ready, and its embedded ClickHouse too, which
   * takes a quarter of a minute under an emulator; rejects when it ends before.
   */
  ready(): Promise<string>;
  /** The port of an input, by its title, as the announcement of the start says it. */
  inputPort(title: string): Promise<number>;
  /** Resolves with the first match in its output, waiting for more output as long as it runs. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  exited(): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  kill(signal?: NodeJS.Signals): void;
}

export function temporaryDirectory(prefix = 'millrace-'): string {
  return fs.mkdtempSync(path.join(os.tmpdir(), prefix));
}

/** Starts a node; `settings` become flags. */
export function startNode(
  settings: Record<string, string> = {},
  options: {
    dataDir?: string;
    env?: Record<string, string>;
    nodeFlags?: readonly string[];
    /** Does this instead of starting a node. */
    command?: string;
  } = {},
): NodeProcess {
  const dataDir = options.dataDir ?? path.join(temporaryDirectory(), 'data');
  const flags = {
    data_dir: dataDir,
    http_bind_address: '127.0.0.1:0',
    default_input_udp_port: '0',
    default_input_tcp_port: '0',
    default_input_http_port: '0',
    ...settings,
  };
  const isEmbedded = !('clickhouse_uri' in flags || 'MILLRACE_CLICKHOUSE_URI' in (options.env ?? {}));
  const args = Object.entries(flags).map(([key, value]) => `--${key}=${value}`);
  const command = options.command === undefined ? [] : [options.command];
  const child = spawn(process.execPath, [...(options.nodeFlags ?? []), MAIN, ...command, ...args], {
    cwd: path.dirname(dataDir),
    env: { ...INHERITED, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const listeners = new Set<() => void>();
  const append = (chunk: Buffer) => {
    output += chunk.toString();
    for (const listener of listeners) listener();
  };
  child.stdout.on('data', append);
  child.stderr.on('data', append);
  const exit = once(child, 'close').then(([code, signal]) => ({ code, signal }));

  function printed(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(output);
        if (!match) return;
        listeners.delete(look);
        resolve(match);
      };
      listeners.add(look);
      look();
      void exit.then(() => reject(new Error(`the node ended before it printed ${pattern}:\n${output}`)));
    });
  }

  async function ready(): Promise<string> {
    const [, address = ''] = await printed(/"address":"(http[^"]+?)\/?","msg":"ready"/);
    if (isEmbedded) await printed(/"msg":"the message storage is ready"/);
    return address;
  }

  return {
    child,
    dataDir,
    output: () => output,
    printed,
    ready,
    exited: () => exit,
    inputPort: async (title) =>
      Number((await printed(new RegExp(`${title} +(?:http://)?127\\.0\\.0\\.1:(\\d+)`)))[1]),
    kill: (signal = 'SIGTERM') => void child.kill(signal),
  };
}

/** The log lines in what a node printed. */
export function logLines(output: string): LogLine[] {
  return output.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as LogLine] : []));
}
