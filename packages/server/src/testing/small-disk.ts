import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { errorCode } from '#core/index.ts';

/** A file system of its own, on which writes can be made to fail. */
export interface MountedDisk {
  readonly directory: string;
  /** Lets writes succeed again. */
  repair(): void;
  unmount(): void;
}

/** One with little room, which can be filled up. */
export interface SmallDisk extends MountedDisk {
  /** Leaves about this many bytes free. */
  fill(freeBytes: number): void;
}

const FILLER = 'filler';
const PAGE = Buffer.alloc(4096);
const LEFT_TO_WRITE = 8 * 2 ** 20;

/**
 * Why a small disk cannot be had here, or undefined when it can. On a developer's machine the tests that need one are
 * skipped then; in CI its absence is a failure.
 */
export function smallDiskProblem(): string | undefined {
  if (process.platform === 'linux' && process.getuid?.() === 0) return undefined;
  if (process.env.CI) throw new Error('tests with a small disk must run in CI, as root on Linux');
  return 'only root on Linux can mount a file system';
}

/** In memory. */
export function mountSmallDisk(megabytes: number): SmallDisk {
  const directory = mountPoint();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', directory]);
  return smallDisk(directory, () => {});
}

/** An ext4 file system in a file, which takes no more room than what is written to it. */
export function mountLoopDisk(megabytes: number): SmallDisk {
  const directory = mountPoint();
  const image = mountImage(directory, megabytes, ['mkfs.ext4', '-q', '-F', '-m', '0']);
  return smallDisk(directory, () => fs.rmSync(image));
}

export function mountPoint(): string {
  return fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-small-disk-'));
}

/** Makes a file system in a file beside the folder, and mounts it there. Returns the name of the file. */
export function mountImage(
  directory: string,
  megabytes: number,
  [command, ...options]: MakeFileSystem,
): string {
  const image = `${directory}.img`;
  fs.writeFileSync(image, '');
  fs.truncateSync(image, megabytes * 2 ** 20);
  execFileSync(command, [...options, image]);
  execFileSync('mount', ['-o', 'loop', image, directory]);
  return image;
}

type MakeFileSystem = readonly [command: string, ...options: string[]];

export function unmount(directory: string): void {
  execFileSync('umount', ['--lazy', directory]);
  fs.rmSync(directory, { recursive: true, force: true });
}

function smallDisk(directory: string, unmounted: () => void): SmallDisk {
  const filler = path.join(directory, FILLER);
  return {
    directory,
    fill(freeBytes) {
      const left = () => {
        const { bavail, bsize } = fs.statfsSync(directory);
        return bavail * bsize - freeBytes;
      };
      // Most of it without writing it, which would take seconds on a larger disk.
      while (left() > LEFT_TO_WRITE && !allocate(filler, left() - LEFT_TO_WRITE));
      writePages(filler, left());
    },
    repair: () => fs.rmSync(filler, { force: true }),
    unmount() {
      unmount(directory);
      unmounted();
    },
  };
}

/** False when others have written to the disk in the meantime, so that there is less room than it seemed. */
function allocate(file: string, bytes: number): boolean {
  const offset = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const { status } = spawnSync('fallocate', ['--offset', String(offset), '--length', String(bytes), file]);
  return status === 0;
}

function writePages(filler: string, bytes: number): void {
  const file = fs.openSync(filler, 'a');
  try {
    // Others write to the disk too: the last page may be gone by now.
    for (let left = bytes; left > 0; ) left -= fs.writeSync(file, PAGE, 0, Math.min(left, PAGE.length));
  } catch (error) {
    if (errorCode(error) !== 'ENOSPC') throw error;
  } finally {
    fs.closeSync(file);
  }
}
