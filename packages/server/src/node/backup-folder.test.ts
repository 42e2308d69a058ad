import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { DumpedLine } from '#metadata/index.ts';
import {
  completeBackup,
  createBackupFolder,
  openBackup,
  readMetadata,
  requireMetadata,
  writeMetadata,
} from './backup-folder.ts';

function newDirectory(): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-backup-'));
  onTestFinished(() => fs.rmSync(directory, { recursive: true }));
  return directory;
}

test('metadata is read as it was written, whatever is in it and however much', async () => {
  const lines: DumpedLine[] = [
    { schema: 1 },
    { table: 'users', columns: ['id'] },
    ['\u2028 \u2029 \r\n \u0085 😀', null, 1, true],
    ...Array.from({ length: 5000 }, (_, number) => [`${number} ${'é'.repeat(100)}`]),
  ];
  const folder = createBackupFolder(newDirectory(), 0);
  const written = await writeMetadata(folder, async (write) => {
    for (const line of lines) await write(line);
  });
  expect(written.lines).toBe(lines.length);
  await requireMetadata(folder, written.sha256);
  expect(await Array.fromAsync(readMetadata(folder))).toEqual(lines);
  await expect(requireMetadata(folder, 'another')).rejects.toThrow('is damaged');
});

test('two backups of the same second have names of their own, which stay when the folder is renamed', async () => {
  const directory = newDirectory();
  const description = {
    format: 1,
    made_by: '1',
    made_at: '',
    database: 'd',
    metadata: { sha256: '', lines: 0 },
    messages: [],
    secret_fingerprint: null,
  } as const;
  const folders = [createBackupFolder(directory, 0), createBackupFolder(directory, 0)];
  for (const folder of folders) await completeBackup(folder, { ...description, name: folder.name });
  expect(fs.readdirSync(directory)).toEqual(['1970-01-01T00-00-00Z', '1970-01-01T00-00-00Z-2']);
  const moved = path.join(directory, "it's old");
  fs.renameSync(path.join(directory, '1970-01-01T00-00-00Z-2'), moved);
  expect(openBackup(moved)).toMatchObject({ name: '1970-01-01T00-00-00Z-2', path: moved });
  expect(() => openBackup(path.join(directory, 'none'))).toThrow('is not a complete backup');
});

test('a name that another backup takes in the same moment is left to it', () => {
  const directory = newDirectory();
  // Not to be seen before, as if it had come in between.
  fs.symlinkSync('nowhere', path.join(directory, '1970-01-01T00-00-00Z.incomplete'));
  expect(createBackupFolder(directory, 0).name).toBe('1970-01-01T00-00-00Z-2');
  expect(() => createBackupFolder(path.join(directory, '1970-01-01T00-00-00Z.incomplete'), 0)).toThrow(
    'cannot make a folder in',
  );
});
