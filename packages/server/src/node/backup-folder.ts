/**
 * A backup is a folder:
 *
 *   backup.json         what it has, and how to check it; written last
 *   metadata.jsonl.gz   the metadata database, as lines of JSON
 *   messages/           what the embedded ClickHouse has written; servers of your own put theirs elsewhere
 *
 * While it is made, its name ends with `.incomplete`.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { PassThrough, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { errorCode, errorMessage, StartupError } from '#core/index.ts';
import type { DumpedLine } from '#metadata/index.ts';

const FORMAT = 1;
const DESCRIPTION = 'backup.json';
const METADATA = 'metadata.jsonl.gz';
const MESSAGES = 'messages';
const INCOMPLETE = '.incomplete';
/** It stands in statements. */
const NAME = /^[\w-]+$/;
const OWNER_ONLY_DIRECTORY = 0o700;
const OWNER_ONLY_FILE = 0o600;

export interface BackupDescription {
  readonly format: typeof FORMAT;
  /** Servers of your own have put their part under it; it stays when the folder gets another name. */
  readonly name: string;
  readonly made_by: string;
  readonly made_at: string;
  /** The name of the database in ClickHouse. */
  readonly database: string;
  readonly metadata: { readonly sha256: string; readonly lines: number };
  /** One for each server. Empty: messages are not in it. */
  readonly messages: readonly ServerBackup[];
  /** Tells whether another installation has the same `password_secret`. Null: it was not known. */
  readonly secret_fingerprint: string | null;
}

export interface ServerBackup {
  /** In the folder, or where `clickhouse_backup` says. */
  readonly where: 'folder' | 'clickhouse_backup';
  readonly bytes: number;
  readonly files: number;
}

export interface BackupFolder {
  readonly name: string;
  readonly path: string;
  readonly messages: string;
}

function folderAt(folder: string, name: string): BackupFolder {
  return { name, path: folder, messages: path.join(folder, MESSAGES) };
}

/** By the second, and with a number behind it if there is one of that second. */
function claimFolder(directory: string, at: number): BackupFolder {
  const time = new Date(at).toISOString().replace(/\.\d+/, '').replaceAll(':', '-');
  for (let number = 1; ; number++) {
    const name = number === 1 ? time : `${time}-${number}`;
    const complete = path.join(directory, name);
    const folder = folderAt(complete + INCOMPLETE, name);
    if (!makeDirectory(folder.path)) continue;
    // Looked up only now: whoever has the incomplete one is the only one that can complete it.
    if (!fs.existsSync(complete)) return folder;
    fs.rmdirSync(folder.path);
  }
}

/** False if there is one already, perhaps of a backup that began in the same moment. */
function makeDirectory(directory: string): boolean {
  try {
    fs.mkdirSync(directory, { mode: OWNER_ONLY_DIRECTORY });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

export function createBackupFolder(directory: string, at: number): BackupFolder {
  try {
    fs.mkdirSync(directory, { recursive: true, mode: OWNER_ONLY_DIRECTORY });
    return claimFolder(directory, at);
  } catch (error) {
    throw new StartupError(
      `cannot make a folder in ${directory}: ${errorMessage(error)}`,
      'Make backup_dir a directory that the user running Millrace may write to.',
      { cause: error },
    );
  }
}

/** The backup is complete: gives it its name. Resolves with its path. */
export async function completeBackup(folder: BackupFolder, description: BackupDescription): Promise<string> {
  const file = path.join(folder.path, DESCRIPTION);
  fs.writeFileSync(file, `${JSON.stringify(description, null, 2)}\n`, { mode: OWNER_ONLY_FILE, flush: true });
  const complete = folder.path.slice(0, -INCOMPLETE.length);
  await fs.promises.rename(folder.path, complete);
  return complete;
}

export function discardBackup(folder: BackupFolder): void {
  fs.rmSync(folder.path, { recursive: true, force: true });
}

export function openBackup(folder: string): BackupFolder & { readonly description: BackupDescription } {
  const file = path.join(folder, DESCRIPTION);
  let description: Partial<BackupDescription>;
  try {
    description = JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    throw new StartupError(
      `${folder} is not a complete backup: ${errorMessage(error)}`,
      'Give the folder that `npm run backup` has named at its end, with --restore_from.',
      { cause: error },
    );
  }
  if (description.format !== FORMAT || !NAME.test(description.name ?? '')) {
    throw new StartupError(
      `${file} has format ${description.format}, but this program reads format ${FORMAT}`,
      'Restore the backup with the version of Millrace that has made it.',
    );
  }
  const complete = description as BackupDescription;
  return { ...folderAt(folder, complete.name), description: complete };
}

/** Writes what `dump` says line by line, compressed. */
export async function writeMetadata(
  folder: BackupFolder,
  dump: (write: (line: DumpedLine) => Promise<void>) => Promise<void>,
): Promise<BackupDescription['metadata']> {
  const hash = createHash('sha256');
  const lines = new PassThrough();
  const hashed = new Transform({
    transform(chunk, _, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const file = path.join(folder.path, METADATA);
  const target = fs.createWriteStream(file, { mode: OWNER_ONLY_FILE, flush: true });
  const written = pipeline(lines, createGzip(), hashed, target);
  // It also rejects below; until then nobody waits for it.
  written.catch(() => {});
  let count = 0;
  try {
    await dump(async (line) => {
      count += 1;
      if (!lines.write(`${JSON.stringify(line)}\n`)) {
        await Promise.race([new Promise((resolve) => lines.once('drain', resolve)), written]);
      }
    });
  } catch (error) {
    lines.destroy();
    throw error;
  }
  lines.end();
  await written;
  return { sha256: hash.digest('hex'), lines: count };
}

/** Rejects with a `StartupError` if the file is not as it was written. */
export async function requireMetadata({ path: folder }: BackupFolder, sha256: string): Promise<void> {
  const file = path.join(folder, METADATA);
  const hash = createHash('sha256');
  for await (const chunk of fs.createReadStream(file)) hash.update(chunk);
  if (hash.digest('hex') === sha256) return;
  throw new StartupError(
    `${file} is damaged: it is not what the backup has written`,
    'Use another copy of this backup, or an earlier one.',
  );
}

/** The lines as they were written. */
export async function* readMetadata(folder: BackupFolder): AsyncGenerator<DumpedLine> {
  const source = fs.createReadStream(path.join(folder.path, METADATA));
  const text = createGunzip().setEncoding('utf8');
  source.on('error', (error) => text.destroy(error)).pipe(text);
  // Not by `node:readline`, for which a line also ends within a JSON text, at U+2028.
  let rest = '';
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line);
  }
}

/** The bytes of all files below a directory. */
export function bytesBelow(directory: string): number {
  return fs
    .readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + fs.statSync(path.join(entry.parentPath, entry.name)).size, 0);
}
