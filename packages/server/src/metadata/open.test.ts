import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { StartupError } from '#core/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { migrations } from './migrations/registry.ts';
import { openMetadata } from './open.ts';

const deps = { logger: pino({ level: 'silent' }), clock: new ManualClock() };

test.each([
  '',
  'sqlite:',
  'metadata.db',
  'mysql://root:geheim@localhost/x',
  'postgres://root:ge#heim@local host/x',
  'postgres:geheim',
  'geheim:geheim@localhost',
])('%j is refused with the forms that work, and without its secrets', async (uri) => {
  const error = await openMetadata(deps, { uri }).catch((fault: unknown) => fault);
  expect(error).toBeInstanceOf(StartupError);
  const { message, whatToDo } = error as StartupError;
  expect(message).toContain('metadata_uri');
  expect(message).not.toMatch(/heim@|geheim$/);
  expect(whatToDo).toContain('sqlite:<path');
  expect(whatToDo).toContain('postgres://');
});

test('an in-memory database exists until it is closed', async () => {
  const metadata = await openMetadata(deps, { uri: 'sqlite::memory:' });
  await metadata.repositories.clusterSettings.set('a', 1);
  expect(await metadata.repositories.clusterSettings.find('a')).toBe(1);
  await metadata.close();
  await expect(metadata.ping()).rejects.toThrow();
});

test('migrating an existing database is worth a line of the log, creating one is not', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-migrations-'));
  const uri = `sqlite:${folder}/metadata.db`;
  const lines: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const open = async (steps: number) =>
    (await openMetadata({ ...deps, logger }, { uri, migrations: migrations.slice(0, steps) })).close();
  await open(2);
  expect(lines).toEqual([]);
  await open(4);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ version: 3 }, { version: 4 }]);
  await rm(folder, { recursive: true });
});
