import os from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';

// The program is started dozens of times: compiling it once halves the processor time of a start.
process.env.NODE_COMPILE_CACHE ??= path.join(import.meta.dirname, 'node_modules/.cache/compiled-for-tests');

/**
 * Three kinds of tests, each its own project:
 * unit (beside the code, no process, no network beyond loopback sockets),
 * integration (`*.int.test.ts` beside the code: real ClickHouse, SQLite, PostgreSQL, real sockets),
 * system (`tests/`: the whole program as a child process, or a browser).
 *
 * Files run in parallel, one for each processor: most of them wait for other processes half of the time. Unit tests
 * keep their modules from file to file (`isolate: false`), which saves two thirds of their processor time.
 */
export default defineConfig({
  test: {
    // One more than there are cores: tests of whole nodes wait for processes and sockets much of their time.
    maxWorkers: Math.max(2, os.availableParallelism() + 1),
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.mjs'],
          exclude: ['**/*.int.test.ts', '**/node_modules/**'],
          isolate: false,
          // They take milliseconds; the limit is for a busy machine.
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['packages/*/src/**/*.int.test.ts'],
          globalSetup: ['packages/server/src/testing/shared-engine.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'system',
          include: ['tests/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
