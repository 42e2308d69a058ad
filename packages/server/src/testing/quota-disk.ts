import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { type MountedDisk, mountImage, mountPoint, smallDiskProblem, unmount } from './small-disk.ts';

/** A file system with a quota (writes fail with EDQUOT), which can also be made read-only (EROFS) while it is in use. */
export interface QuotaDisk extends MountedDisk {
  useUpQuota(): void;
  /** Leaves about this many bytes. */
  leaveQuota(bytes: number): void;
  makeReadOnly(): void;
}

const MAKE_FILE_SYSTEM = 'mkfs.btrfs';

/** Why it cannot be had here, as `smallDiskProblem`. */
export function quotaDiskProblem(): string | undefined {
  const problem = smallDiskProblem();
  if (problem !== undefined) return problem;
  if (!fs.readFileSync('/proc/filesystems', 'utf8').includes('btrfs')) return 'the kernel has no btrfs';
  if (fs.existsSync(`/usr/sbin/${MAKE_FILE_SYSTEM}`)) return undefined;
  if (process.env.CI) throw new Error(`tests with a quota must run in CI: ${MAKE_FILE_SYSTEM} is missing`);
  return `${MAKE_FILE_SYSTEM} is missing (Debian: btrfs-progs)`;
}

/** btrfs, whose quotas hold for root too and need nothing from the kernel that is often left out. */
export function mountQuotaDisk(megabytes: number): QuotaDisk {
  const top = mountPoint();
  const image = mountImage(top, megabytes, [MAKE_FILE_SYSTEM, '-q', '-f']);
  const btrfs = (...parameters: string[]) => execFileSync('btrfs', parameters, { encoding: 'utf8' });
  // The quota holds for a subvolume; the rest can always be written to, so that the quota can be lifted again.
  const directory = path.join(top, 'data');
  btrfs('subvolume', 'create', directory);
  btrfs('quota', 'enable', top);
  const group = `0/${btrfs('inspect-internal', 'rootid', directory).trim()}`;
  const limit = (size: string) => btrfs('qgroup', 'limit', size, group, top);
  const setReadOnly = (value: boolean) => btrfs('property', 'set', directory, 'ro', String(value));

  function usedBytes(): number {
    btrfs('filesystem', 'sync', top);
    const groups = btrfs('qgroup', 'show', '--raw', top).split('\n');
    const [, used] = groups.map((line) => line.trim().split(/\s+/)).find(([id]) => id === group) ?? [];
    if (used === undefined) throw new Error(`no quota group ${group} in ${groups.join('; ')}`);
    return Number(used);
  }

  return {
    directory,
    useUpQuota: () => limit('1'),
    leaveQuota: (bytes) => limit(String(usedBytes() + bytes)),
    makeReadOnly: () => setReadOnly(true),
    repair() {
      setReadOnly(false);
      limit('none');
    },
    unmount() {
      unmount(top);
      fs.rmSync(image);
    },
  };
}
