import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { heapFlags, useHeapFlags } from './heap.ts';

const GIB = 2 ** 30;
const MIB = 2 ** 20;

describe('heapFlags', () => {
  it('leaves V8 alone where memory is scarce', () => {
    expect(heapFlags(1 * GIB, 1)).toEqual([]);
    expect(heapFlags(4 * GIB, 4)).toEqual([]);
  });

  it('shares a part of the memory among the workers', () => {
    expect(heapFlags(8 * GIB, 2)).toEqual([
      '--max-semi-space-size=8',
      '--min-semi-space-size=8',
      '--initial-old-space-size=128',
    ]);
  });

  it('never gives a worker more than it can use', () => {
    expect(heapFlags(256 * GIB, 2)).toContain('--initial-old-space-size=256');
  });
});

describe('useHeapFlags', () => {
  // The flags are the process's, and other test files start threads in it: 0 lets V8 decide again.
  afterEach(() =>
    useHeapFlags(['--max-semi-space-size=0', '--min-semi-space-size=0', '--initial-old-space-size=0']),
  );

  it('is understood by V8: threads that start later have a large young generation', async () => {
    useHeapFlags(heapFlags(64 * GIB, 1));
    // Its pages have headers. By itself V8 begins with 1 MiB.
    expect(await youngCapacityOfThread()).toBeGreaterThan(7 * MIB);
  });
});

async function youngCapacityOfThread(): Promise<number> {
  const thread = new Worker(
    `const { parentPort } = require('node:worker_threads');
     const young = require('node:v8').getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
     parentPort.postMessage(young.space_used_size + young.space_available_size);`,
    { eval: true },
  );
  const [capacity] = await once(thread, 'message');
  await thread.terminate();
  return capacity;
}
