import os from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { emulatedSelection } from './tests/support/emulated-selection.ts';
import { LongestFirst } from './tests/support/longest-first.ts';

// The program is started dozens of times: compiling it once halves the processor time of a start.
process.env.NODE_COMPILE_CACHE ??= path.join(import.meta.dirname, 'node_modules/.cache/compiled-for-tests');

const CORES = os.availableParallelism();
const EMULATED = emulatedSelection();
const ALL = ['unit', 'integration', 'system', 'browser'];

if (EMULATED !== undefined && process.env.VITEST_WORKER_ID === undefined) {
  process.stderr.write(
    'ClickHouse is emulated here: of the tests that need it only a part runs (tests/support/emulated-selection.ts). MILLRACE_TEST_ALL=1 runs all of them, for hours.\n',
  );
}

/**
 * Four kinds of tests, each its own project:
 * unit (beside the code, no process, no network beyond loopback sockets),
 * integration (`*.int.test.ts` beside the code: real ClickHouse, SQLite, PostgreSQL, real sockets),
 * system (`tests/`: the whole program as a child process),
 * browser (`tests/browser/`: the whole program and Chromium).
 *
 * Files run in parallel, and all but system tests keep their modules from file to file (`isolate: false`), which saves
 * two thirds of the time to load them. Kinds run one after the other: a browser that shares its processor with ten other processes
 * answers so late that tests of it fail for no reason of their own.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'packages/*/src/**/*.test.ts',
            'scripts/**/*.test.mjs',
            'examples/plugins/**/*.test.{ts,js}',
          ],
          exclude: ['**/*.int.test.ts', '**/node_modules/**'],
          isolate: false,
          // They take milliseconds; the limit is for a busy machine.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // One more than there are cores: some wait for threads, sockets and time limits.
          ...inTurn('unit', CORES + 1),
        },
      },
      {
        test: {
          name: 'integration',
          include: [...(EMULATED?.integration ?? ['packages/*/src/**/*.int.test.ts'])],
          globalSetup: ['packages/server/src/testing/shared-engine.ts'],
          isolate: false,
          // Seconds with a native engine. Emulated, on a machine that others use too, some take minutes.
          testTimeout: 400_000,
          hookTimeout: 400_000,
          // More than there are cores: they wait for other processes much of their time.
          ...inTurn('integration', CORES + 2),
        },
      },
      {
        test: {
          name: 'system',
          // The walk takes five minutes or more and most of the machine: `npm run test:outages`.
          include: process.env.MILLRACE_TEST_OUTAGES
            ? ['tests/**/*.walk.ts']
            : [...(EMULATED?.system ?? ['tests/**/*.test.ts'])],
          exclude: ['tests/browser/**'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          ...inTurn('system', CORES + 2),
        },
      },
      {
        test: {
          name: 'browser',
          include: [...(EMULATED?.browser ?? ['tests/browser/**/*.test.ts'])],
          testTimeout: 600_000,
          hookTimeout: 300_000,
          // A busy machine can starve Chromium. A test that passes only the second time is marked in the report: mend it.
          retry: 1,
          isolate: false,
          // More than there are cores: they wait for nodes that start, for timers of pages and for what is drawn.
          ...inTurn('browser', CORES + 2),
        },
      },
    ],
  },
});

function inTurn(name: string, maxWorkers: number) {
  return { maxWorkers, sequence: { groupOrder: ALL.indexOf(name) } };
}
