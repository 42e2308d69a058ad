import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { renderDocs } from '../../scripts/web/docs.mjs';
import { shippedPackages } from '../../scripts/web/licences.mjs';

/**
 * Left alone, the bundler makes a file of every small set of modules that the same parts use: a hundred for the search
 * page, each compressed for itself. Smaller sets than this many bytes of source join the nearest larger one.
 */
const SMALLEST_SHARED = 60_000;

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * What only some pages need, with the name of the file it gets: joined with other shared files, it would be loaded by
 * every page. Nothing outside imports it at once, so that these files are in no circle.
 */
const SUBJECTS: readonly (readonly [modules: RegExp, name?: string])[] = [
  [/\/web\/src\/features\/([^/]+)\//],
  [/\/web\/src\/components\/(alerts)\//],
  [/\/(?:packages\/rules\/|web\/src\/(?:lib\/rule-language\/|components\/rule-))/, 'rule-language'],
  [/\/(?:@mantine\/notifications|react-transition-group)\//, 'toasts'],
];

function subjectOf(module: string): string | null {
  for (const [modules, name] of SUBJECTS) {
    const found = modules.exec(module);
    if (found !== null) return name ?? found[1] ?? null;
  }
  return null;
}

interface MadeFile {
  readonly fileName: string;
  readonly type: string;
  readonly source: string;
}

/** Files beside the pages that are made from the rest of the repository: licences of what we ship, documentation. */
function madeFiles(): Plugin {
  const files = (): MadeFile[] => {
    const { pages, problems } = renderDocs(ROOT);
    if (problems.length > 0) throw new Error(`broken links:\n${problems.join('\n')}`);
    const licences = JSON.stringify(shippedPackages(ROOT));
    return [
      { fileName: 'licences.json', type: 'application/json', source: licences },
      ...[...pages].map(([name, source]) => ({ fileName: `docs/${name}`, type: 'text/html', source })),
    ];
  };
  return {
    name: 'made-files',
    generateBundle() {
      for (const { fileName, source } of files()) this.emitFile({ type: 'asset', fileName, source });
    },
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        if (!/^\/(?:docs\/|licences\.json)/.test(request.url ?? '')) return next();
        const file = files().find(({ fileName }) => request.url === `/${fileName}`);
        if (file === undefined) return next();
        response.setHeader('content-type', `${file.type}; charset=utf-8`);
        response.end(file.source);
      });
    },
  };
}

export default defineConfig({
  // Components that say 'use memo' remember what they made: what gets the same again is not rendered again. The others
  // may read what changes without their knowledge, such as the clock or the address.
  plugins: [react({ compiler: { compilationMode: 'annotation' } }), madeFiles()],
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
            { name: 'start', tags: ['$initial'], priority: 4 },
            // Shared files need each other in circles: what they need at once must be in none of them.
            { name: 'compiler-runtime', test: /\/react\/.*compiler-runtime/, priority: 4 },
            { name: 'lezer', test: /\/node_modules\/@lezer\//, priority: 4 },
            // The first page anybody sees must not wait for what it happens to share with others.
            { name: 'login', test: /\/features\/login\/login-form/, priority: 3 },
            // These extend each other when they are loaded: spread over files, one would come before what it extends.
            {
              name: 'controls',
              test: /\/@mantine\/core\/esm\/components\/(?:Combobox|InputBase|MultiSelect|Pill|PillsInput|Select|TagsInput)\//,
              priority: 3,
            },
            {
              name: 'shared',
              test: (module) => subjectOf(module) === null,
              priority: 2,
              minShareCount: 2,
              entriesAware: true,
              entriesAwareMergeThreshold: SMALLEST_SHARED,
            },
            { name: subjectOf, debugName: 'subject', minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
});
