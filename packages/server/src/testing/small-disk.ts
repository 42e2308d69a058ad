import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { errorCode } from '#core/index.ts';

/** A file system in memory with little room, which can be filled up. */
export interface SmallDisk {
  readonly directory: string;
  /** Leaves about this many bytes free. */
  fill(freeBytes: number): void;
  empty(): void;
  unmount(): void;
}

const FILLER = 'filler';
const PAGE = Buffer.alloc(4096);

/**
 * Why a small disk cannot be had here, or undefined when it can. On a developer's machine the tests that need one are
 * skipped then; in CI its absence is a failure.
 */
export function smallDiskProblem(): string | undefined {
  if (process.platform === 'linux' && process.getuid?.() === 0) return undefined;
  if (process.env.CI) throw new Error('tests with a small disk must run in CI, as root on Linux');
  return 'only root on Linux can mount a file system';
}

export function mountSmallDisk(megabytes: number): SmallDisk {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-small-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', directory]);
  const filler = path.join(directory, FILLER);
  return {
    directory,
    fill(freeBytes) {
      const { bavail, bsize } = fs.statfsSync(directory);
      const file = fs.openSync(filler, 'a');
      try {
        // Others write to the disk too: the last page may be gone by now.
        for (let left = bavail * bsize - freeBytes; left > 0; )
          left -= fs.writeSync(file, PAGE, 0, Math.min(left, PAGE.length));
      } catch (error) {
        if (errorCode(error) !== 'ENOSPC') throw error;
      } finally {
        fs.closeSync(file);
      }
    },
    empty: () => fs.rmSync(filler, { force: true }),
    unmount() {
      execFileSync('umount', ['--lazy', directory]);
      fs.rmSync(directory, { recursive: true, force: true });
    },
  };
}
