import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartupError } from './errors.ts';

const SQLITE_BUSY = 5;

export interface DirectoryLock {
  release(): void;
}

function holderOf(pidFile: string): string {
  try {
    return ` (process ${fs.readFileSync(pidFile, 'utf8').trim()})`;
  } catch {
    return '';
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

/**
 * Keeps a second process off a directory. Node has no file locks of its own, SQLite has: an open exclusive
 * transaction holds a lock that the kernel drops with the process, also after SIGKILL, so a lock can
 * neither be left behind nor be stolen by a process that reuses the number of the dead one. Keep what is
 * returned for as long as the lock is needed: when it is garbage collected, the lock is gone.
 */
export function lockDirectory(directory: string): DirectoryLock {
  const pidFile = path.join(directory, 'node.pid');
  const database = new DatabaseSync(path.join(directory, 'node.lock'));
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    throw new StartupError(
      `another Millrace node${holderOf(pidFile)} is using the data directory ${directory}`,
      'stop that node first, or give this one its own directory with data_dir',
      { cause: error },
    );
  }
  fs.writeFileSync(pidFile, `${process.pid}\n`);
  let released = false;
  return {
    release() {
      if (released) return;
      released = true;
      fs.rmSync(pidFile, { force: true });
      database.close();
    },
  };
}
