import fs from 'node:fs';
import { expect, test } from 'vitest';
import { eventually } from '#testing/eventually.ts';
import { releaseMemoryOfStart } from './memory-of-start.ts';

const residentOfFiles = () =>
  Number(/^RssFile:\s+(\d+)/m.exec(fs.readFileSync('/proc/self/status', 'utf8'))?.[1]);

test.runIf(process.platform === 'linux')('what only the start needed is given back', async () => {
  const before = residentOfFiles();
  releaseMemoryOfStart([0]);
  await eventually(() => expect(residentOfFiles()).toBeLessThan(before * 0.8));
});
