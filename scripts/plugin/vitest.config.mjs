/** How the tests of a plugin run, wherever its folder is: with the copies of Millrace. */
import path from 'node:path';
import { defineConfig } from 'vitest/config';

const root = path.resolve(import.meta.dirname, '../..');
const inRoot = (...parts) => path.join(root, ...parts);

export default defineConfig({
  root: process.env.MILLRACE_PLUGIN_FOLDER,
  cacheDir: inRoot('node_modules', '.cache', 'plugin-tests'),
  resolve: {
    alias: [
      { find: /^vitest$/, replacement: inRoot('node_modules', 'vitest', 'dist', 'index.js') },
      { find: /^@millrace\/plugin-api$/, replacement: inRoot('packages', 'plugin-api', 'src', 'index.ts') },
      {
        find: /^@millrace\/plugin-api\/testing$/,
        replacement: inRoot('packages', 'plugin-api', 'src', 'testing.ts'),
      },
    ],
  },
  test: {
    include: ['**/*.test.{ts,js,mjs}'],
    // Loading the server takes most of the time, so once is enough. The kit takes each plugin out of the registries again.
    isolate: false,
    maxWorkers: 1,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
