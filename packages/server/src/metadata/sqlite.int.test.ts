import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, describe, expect, test } from 'vitest';
import { StartupError, systemClock } from '#core/index.ts';
import { open } from '#testing/metadata-backend.ts';
import { metadataSuite } from './metadata.suite.ts';
import { openMetadata } from './open.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'millrace-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true }));

let databases = 0;
function newFile(): string {
  databases += 1;
  return path.join(folder, `metadata-${databases}.db`);
}

let template: Promise<string> | undefined;
/** Migrating each file takes longer than most tests of it. */
async function migratedFile(): Promise<string> {
  template ??= (async () => {
    const file = newFile();
    const deps = { logger: pino({ level: 'silent' }), clock: systemClock };
    await (await openMetadata(deps, { uri: `sqlite:${file}` })).close();
    return file;
  })();
  const file = newFile();
  copyFileSync(await template, file);
  return file;
}

describe('SQLite', () => {
  metadataSuite({
    kind: 'sqlite',
    newDatabase: async () => `sqlite:${newFile()}`,
    migratedDatabase: async () => `sqlite:${await migratedFile()}`,
  });

  test('only the owner can read the file, and every commit reaches the disk', async () => {
    const file = newFile();
    const { db } = await open(`sqlite:${file}`);
    for (const name of [file, `${file}-wal`, `${file}-shm`]) expect(statSync(name).mode & 0o777).toBe(0o600);
    const pragma = async (name: string) =>
      Object.values(
        (await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(db)).rows[0] ?? {},
      )[0];
    expect(await pragma('journal_mode')).toBe('wal');
    expect(await pragma('synchronous')).toBe(2);
    expect(await pragma('foreign_keys')).toBe(1);
  });

  test.each([
    ['no/such/folder/x.db', 'directory does not exist'],
    ['.', 'cannot be opened'],
    ['garbage.db', 'not a SQLite database'],
  ])('%s: refused with the file and what to do', async (name, reason) => {
    writeFileSync(path.join(folder, 'garbage.db'), 'this is not a database, '.repeat(100));
    const error = await open(`sqlite:${path.join(folder, name)}`).catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(StartupError);
    expect((error as StartupError).message).toContain(path.join(folder, name));
    expect((error as StartupError).message).toContain(reason);
    expect((error as StartupError).whatToDo).toContain('metadata_uri');
  });

  test('a file that is damaged further on: said with the file and what to do when it is read there', async () => {
    const file = newFile();
    const first = await open(`sqlite:${file}`);
    for (let count = 0; count < 50; count++) {
      await first.repositories.clusterSettings.set(`key ${count}`, 'x'.repeat(1000));
    }
    await first.close();
    const garbage = Buffer.alloc(32_768, 0xab);
    const handle = openSync(file, 'r+');
    writeSync(handle, garbage, 0, garbage.length, statSync(file).size - garbage.length);
    closeSync(handle);
    const { repositories } = await open(`sqlite:${file}`);
    const error = await repositories.clusterSettings.listByPrefix('').catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(StartupError);
    expect((error as StartupError).message).toContain(`${file}\` is damaged`);
    expect((error as StartupError).whatToDo).toContain('from a backup');
  });

  test('an absolute path may be written with three slashes', async () => {
    const file = newFile();
    await open(`sqlite://${file}`);
    expect(statSync(file).isFile()).toBe(true);
  });

  test('queries wait for a lock of another program', async () => {
    const file = newFile();
    const { repositories } = await open(`sqlite:${file}`);
    const other = new DatabaseSync(file);
    other.exec('begin immediate');
    let written = false;
    const write = repositories.clusterSettings.set('a', 1).then(() => {
      written = true;
    });
    await nextTurn();
    expect(written).toBe(false);
    other.exec('commit');
    await write;
    expect(other.prepare('select value from cluster_settings').all()).toMatchObject([{ value: '1' }]);
    other.close();
  });

  test('confirmed writes survive kill -9', async () => {
    const file = newFile();
    const program = `
      import { pino } from 'pino';
      import { systemClock } from '#core/index.ts';
      import { openMetadata } from '#metadata/index.ts';
      const metadata = await openMetadata({ logger: pino({ level: 'silent' }), clock: systemClock }, { uri: 'sqlite:${file}' });
      for (let n = 1; ; n++) {
        await metadata.repositories.clusterSettings.set('write.' + n, n);
        process.stdout.write(n + '\\n');
      }`;
    const writer = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let confirmed = 0;
    for await (const line of createInterface({ input: writer.stdout })) {
      confirmed = Number(line);
      if (confirmed === 50) writer.kill('SIGKILL');
    }
    if (writer.signalCode === null) await once(writer, 'exit');
    expect(confirmed).toBeGreaterThanOrEqual(50);
    const { repositories } = await open(`sqlite:${file}`);
    const stored = await repositories.clusterSettings.listByPrefix('write.');
    for (let n = 1; n <= confirmed; n++) expect(stored.get(`write.${n}`)).toBe(n);
  });
});
