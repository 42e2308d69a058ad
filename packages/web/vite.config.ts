import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { shippedPackages } from '../../scripts/web/licences.mjs';

/**
 * Left alone, the bundler makes a file of every small set of modules that the same parts use: a hundred for the search
 * page, each compressed for itself. Smaller sets than this many bytes of source join the nearest larger one.
 */
const SMALLEST_SHARED = 60_000;

const ROOT = new URL('../..', import.meta.url).pathname;

/** The licences of what we ship, as a file that the page with them loads. */
function licences(): Plugin {
  const fileName = 'licences.json';
  const source = () => JSON.stringify(shippedPackages(ROOT));
  return {
    name: 'licences',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source: source() });
    },
    configureServer({ middlewares }) {
      middlewares.use(`/${fileName}`, (_request, response) => {
        response.setHeader('content-type', 'application/json');
        response.end(source());
      });
    },
  };
}

export default defineConfig({
  plugins: [react(), licences()],
  // The server puts a fresh nonce in the place of this word, into the page and into its policy.
  html: { cspNonce: '__CSP_NONCE__' },
  // The server's content security policy allows no inline code and no data: scripts.
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    // Says which file loads which, so that a test and the benchmark can add up what a page loads.
    manifest: true,
    // ECharts, which comes with the first chart, is larger than the default.
    chunkSizeWarningLimit: 650,
    rolldownOptions: {
      output: {
        chunkFileNames: ({ name }) => `assets/${name.replace(/~.*/, '')}-[hash].js`,
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], priority: 2 },
            // The first page anybody sees must not wait for what it happens to share with others.
            { name: 'login', test: /\/features\/login\/login-form/, priority: 1 },
            // These extend each other when they are loaded: spread over files, one would come before what it extends.
            {
              name: 'controls',
              test: /\/@mantine\/core\/esm\/components\/(?:Combobox|InputBase|MultiSelect|Pill|PillsInput|Select|TagsInput)\//,
              priority: 1,
            },
            {
              name: 'shared',
              minShareCount: 2,
              entriesAware: true,
              entriesAwareMergeThreshold: SMALLEST_SHARED,
            },
          ],
        },
      },
    },
  },
});
