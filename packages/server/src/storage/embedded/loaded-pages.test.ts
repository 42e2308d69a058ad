import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { unchangedMappings } from './loaded-pages.ts';

const details = (anonymous: number) => `Size:                400 kB
Rss:                 300 kB
Anonymous:             ${anonymous} kB
AnonHugePages:         0 kB
VmFlags: rd ex mr mw me`;

describe('unchangedMappings', () => {
  test('are those of the files that are read only and that the loader has not changed', () => {
    const smaps = [
      `7f0000000000-7f0000001000 r--p 00000000 08:01 123                        /opt/libchdb.so\n${details(0)}`,
      `7f0000001000-7f0000004000 r-xp 00001000 08:01 123                        /opt/libchdb.so\n${details(0)}`,
      `7f0000004000-7f0000005000 r--p 00004000 08:01 123                        /opt/libchdb.so\n${details(4)}`,
      `7f0000005000-7f0000006000 rw-p 00005000 08:01 123                        /opt/libchdb.so\n${details(0)}`,
      `7f0000006000-7f0000007000 r-xp 00000000 08:01 124                        /lib/libc.so.6\n${details(0)}`,
      `7f0000007000-7f0000008000 r--p 00000000 00:00 0 \n${details(0)}`,
    ].join('\n');
    expect(unchangedMappings(smaps, ['/opt/libchdb.so'])).toEqual([
      { from: 0x7f0000000000n, bytes: 0x1000n },
      { from: 0x7f0000001000n, bytes: 0x3000n },
    ]);
  });
});

const PROGRAM = `
  import fs from 'node:fs';
  import { releaseLoadedPages } from ${JSON.stringify(path.join(import.meta.dirname, 'loaded-pages.ts'))};
  const ofFiles = () => Number(/^RssFile:\\s+(\\d+)/m.exec(fs.readFileSync('/proc/self/status', 'utf8'))[1]);
  // What is needed once is loaded before.
  await import('node:ffi');
  const before = ofFiles();
  await releaseLoadedPages([process.execPath]);
  const after = ofFiles();
  const sum = JSON.parse('[1, 2, 3]').map((each) => new Date(each).getTime()).reduce((a, b) => a + b);
  console.log(JSON.stringify({ before, after, sum }));
`;

test.runIf(process.platform === 'linux')('a program whose pages were given back goes on', () => {
  const args = ['--experimental-ffi', '--no-warnings', '--input-type=module', '--eval', PROGRAM];
  const { before, after, sum } = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  expect(after).toBeLessThan(before * 0.8);
  expect(sum).toBe(6);
});
