import { pino } from 'pino';
import { expect, test } from 'vitest';
import { StartupError } from '#core/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
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
