import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createBackoff, StartupError, systemClock } from '#core/index.ts';
import { createLogger } from '#telemetry/index.ts';
import { eventually } from '#testing/eventually.ts';
import {
  createEmbeddedEngine,
  type EmbeddedEngineSettings,
  type EngineState,
  RESTART_PAUSES,
} from './engine.ts';
import { currentEngineHost, type EngineHost } from './library.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-engine-'));
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

function create(
  host: Partial<EngineHost>,
  { dataDir = path.join(folder, 'data'), ...settings }: Partial<EmbeddedEngineSettings> = {},
) {
  const engine = createEmbeddedEngine(
    {
      logger: createLogger({ level: 'silent' }),
      clock: systemClock,
      host: { ...currentEngineHost(), ...host },
    },
    { dataDir, maxMemoryBytes: 10 ** 9, ...settings },
  );
  const states: EngineState[] = [];
  engine.onStateChange((state) => states.push(state));
  return { engine, states };
}

/** A platform with a package whose library is not one: the engine process runs, and fails to load it. */
function hostWithBrokenLibrary(): Partial<EngineHost> {
  fs.writeFileSync(path.join(folder, 'libchdb.so'), 'no library');
  return { platform: 'linux', architecture: 'x64', packageDirectory: () => folder };
}

test('the first restart is immediate, later ones wait longer and longer, five seconds at most', () => {
  const backoff = createBackoff(RESTART_PAUSES);
  const pauses = Array.from({ length: 9 }, () => backoff.next());
  expect(pauses).toEqual([0, 200, 400, 800, 1600, 3200, 5000, 5000, 5000]);
});

test('without a library the start is refused, and the engine can still be stopped', async () => {
  const { engine, states } = create({ platform: 'sunos' });
  await expect(engine.start()).rejects.toThrow(StartupError);
  expect(engine.state).toBe('failed');
  await expect(engine.ready()).rejects.toThrow('failed');
  await engine.stop();
  expect(states).toEqual(['starting', 'failed', 'stopping', 'stopped']);
});

test('a library that does not load ends the start with the last lines of the log', async () => {
  const { engine } = create(hostWithBrokenLibrary());
  await expect(engine.start()).rejects.toThrow(/did not start[\s\S]*the engine could not run: .*libchdb\.so/);
  expect(engine.state).toBe('failed');
  expect(engine.pid).toBeUndefined();
  await engine.stop();
  expect(fs.existsSync(path.join(folder, 'data/clickhouse/engine.pid'))).toBe(false);
});

test('an engine whose record cannot be written, as on a full disk, does not keep running', async () => {
  const executable = path.join(folder, 'engine');
  fs.writeFileSync(executable, '#!/bin/sh\nexec sleep 600\n', { mode: 0o700 });
  const { engine } = create({ ...hostWithBrokenLibrary(), executable });
  // The record is written here first.
  fs.mkdirSync(path.join(folder, 'data/clickhouse/engine.pid.new'), { recursive: true });
  await expect(engine.start()).rejects.toThrow('engine.pid.new');
  await eventually(() => expect(process.getActiveResourcesInfo()).not.toContain('ProcessWrap'));
  await engine.stop();
});

test('a data directory that is a file ends the start with the setting to change', async () => {
  const file = path.join(folder, 'file');
  fs.writeFileSync(file, '');
  const { engine } = create(hostWithBrokenLibrary(), { dataDir: file });
  await expect(engine.start()).rejects.toThrow(
    expect.objectContaining({ whatToDo: expect.stringContaining('data_dir') }),
  );
  await engine.stop();
});

test('a stop before the start makes the start impossible; a second stop is fine', async () => {
  const { engine } = create(hostWithBrokenLibrary());
  await engine.stop();
  await engine.stop();
  await expect(engine.start()).rejects.toThrow('stopped');
  expect(engine.state).toBe('stopped');
});

test('a stop while starting ends the process and the start', async () => {
  const { engine } = create(hostWithBrokenLibrary());
  const started = engine.start();
  const refused = expect(started).rejects.toThrow();
  await engine.stop();
  await refused;
  expect(engine.state).toBe('stopped');
  expect(engine.pid).toBeUndefined();
});

/** A program that stands in for the engine's process. `script` declares how it answers the SQL of a request. */
function hostWithProgram(script: string): Partial<EngineHost> {
  const [program, executable] = [path.join(folder, 'engine.mjs'), path.join(folder, 'engine')];
  fs.writeFileSync(
    program,
    `
import fs from 'node:fs';
import http from 'node:http';
const [configuration, , statements] = process.argv.slice(-3);
const [, port] = /<http_port>(\\d+)</.exec(fs.readFileSync(configuration, 'utf8'));
${script}
const server = http.createServer(async (request, response) => {
  let sql = '';
  for await (const chunk of request) sql += chunk;
  answer(sql, response);
});
server.listen(Number(port), '127.0.0.1', () => fs.writeFileSync(/listening-[\\w-]+/.exec(statements)[0], ''));
`,
  );
  fs.writeFileSync(executable, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, { mode: 0o700 });
  return { ...hostWithBrokenLibrary(), executable };
}

test('one that is asked to end right after its start, too early, is asked again', async () => {
  // The statement that keeps it open begins only after it was asked to end it.
  const host = hostWithProgram(`
    let asked = 0;
    const answer = (sql, response) => {
      response.end('1');
      if (!sql.startsWith('KILL QUERY') || ++asked < 2) return;
      fs.writeFileSync('ended-by-itself', '');
      process.exit(0);
    };`);
  const { engine, states } = create(host);
  await engine.start();
  await engine.stop();
  expect(states).toEqual(['starting', 'running', 'stopping', 'stopped']);
  expect(fs.existsSync(path.join(folder, 'data/clickhouse/ended-by-itself'))).toBe(true);
});

test('one whose port is open, but that does not answer, is killed and started again', async () => {
  const host = hostWithProgram(`
    const isFirst = !fs.existsSync('first');
    if (isFirst) fs.writeFileSync('first', String(process.pid));
    const answer = (sql, response) => {
      if (isFirst) response.writeHead(500);
      response.end('1');
      if (sql.startsWith('KILL QUERY')) process.exit(0);
    };`);
  const { engine, states } = create(host, { probes: { intervalMs: 3000, timeoutMs: 100, maxFailures: 2 } });
  await engine.start();
  expect(states).toEqual(['starting', 'running']);
  const first = Number(fs.readFileSync(path.join(folder, 'data/clickhouse/first'), 'utf8'));
  expect(engine.pid).not.toBe(first);
  expect(() => process.kill(first, 0)).toThrow('ESRCH');
  await engine.stop();
});

test('one that never answers ends the first start with the reason', async () => {
  const host = hostWithProgram('const answer = (sql, response) => response.writeHead(500).end();');
  const { engine } = create(host, { probes: { intervalMs: 3000, timeoutMs: 100, maxFailures: 1 } });
  await expect(engine.start()).rejects.toThrow('its port was open for 100 ms without an answer');
  expect(engine.state).toBe('failed');
  expect(engine.pid).toBeUndefined();
  await engine.stop();
});

test('there is no address before the first start', () => {
  expect(() => create({}).engine.endpoint()).toThrow('has not been started');
});

test('waiting for the engine ends with the signal', async () => {
  const { engine } = create(hostWithBrokenLibrary());
  const started = engine.start().catch(() => {});
  const waiting = engine.ready(AbortSignal.abort(new Error('enough')));
  await expect(waiting).rejects.toThrow('enough');
  await engine.stop();
  await started;
});
