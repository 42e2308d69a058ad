/**
 * Gives back memory that holds parts of program files. The library of the engine has some 550 MB, and its start reads most of
 * what is in memory of it afterwards: tables that the loader needs once, the registration of every function. Of Node's own
 * program a running node needs half of what loading ours took. Whatever is needed again is read again, from the system's
 * cache of files.
 */
import fs from 'node:fs';

/** From <sys/mman.h> of Linux. */
const MADV_DONTNEED = 4;

const MAPPING = /^(?<from>[0-9a-f]+)-(?<to>[0-9a-f]+) r-[x-]p \S+ \S+ \d+\s+(?<file>\/.*)$/;
/** Each mapping ends with other lines. */
const CHANGED = /^Anonymous:\s+(?<kilobytes>\d+) kB$/;

interface Mapping {
  readonly from: bigint;
  readonly bytes: bigint;
}

/** Only Linux can do this; elsewhere it throws. Needs `node:ffi`. */
export async function releaseLoadedPages(files: readonly string[]): Promise<void> {
  const mappings = unchangedMappings(
    fs.readFileSync('/proc/self/smaps', 'utf8'),
    files.map((file) => fs.realpathSync(file)),
  );
  const { dlopen } = await import('node:ffi');
  const { functions } = dlopen('libc.so.6', {
    madvise: { arguments: ['pointer', 'u64', 'i32'], return: 'i32' },
  });
  for (const { from, bytes } of mappings) functions.madvise(from, bytes, MADV_DONTNEED);
}

/**
 * Mappings of these files that cannot be written to and have not been: the loader has changed parts of others, which would
 * be lost.
 */
export function unchangedMappings(smaps: string, files: readonly string[]): Mapping[] {
  const found: Mapping[] = [];
  let current: Mapping | undefined;
  for (const line of smaps.split('\n')) {
    if (/^[0-9a-f]+-/.test(line)) {
      const { from, to, file } = MAPPING.exec(line)?.groups ?? {};
      current = undefined;
      if (from !== undefined && to !== undefined && file !== undefined && files.includes(file)) {
        const start = BigInt(`0x${from}`);
        current = { from: start, bytes: BigInt(`0x${to}`) - start };
      }
    } else if (current !== undefined && CHANGED.exec(line)?.groups?.kilobytes === '0') {
      found.push(current);
      current = undefined;
    }
  }
  return found;
}
