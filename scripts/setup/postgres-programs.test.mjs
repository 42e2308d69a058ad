import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { hasPostgresPrograms, installedPostgresPrograms } from './postgres-programs.mjs';
import { postgresPresent } from './system-packages.mjs';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'postgres-programs-'));
afterEach(() => {
  vi.unstubAllEnvs();
  fs.rmSync(folder, { recursive: true, force: true });
});

test('PostgreSQL on the PATH is found, once both of its programs are there', () => {
  expect(hasPostgresPrograms(folder)).toBe(false);
  fs.writeFileSync(path.join(folder, 'initdb'), '');
  expect(hasPostgresPrograms(folder)).toBe(false);
  fs.writeFileSync(path.join(folder, 'postgres'), '');
  expect(hasPostgresPrograms(folder)).toBe(true);
  vi.stubEnv('PATH', `/nowhere${path.delimiter}${folder}`);
  expect(postgresPresent()).toBe(true);
  // Debian's own go first.
  const found = installedPostgresPrograms();
  expect(found === folder || found?.startsWith('/usr/lib/postgresql/')).toBe(true);
});
