/**
 * `npm run generate`: writes the files that are made from the code. With `--check` it writes nothing and
 * fails when a file is not what it would write. Runs on the pinned Node, since it loads the server's
 * TypeScript.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Every generated file: where it is, and what is in it. Contents must not depend on the machine. */
export const GENERATED = [
  { path: 'millrace.conf.example', content: async () => (await config()).exampleFile() },
  { path: 'docs/configuration.md', content: async () => (await config()).configurationDocs() },
  { path: 'docs/openapi.json', content: openApi },
  ...parserFiles('packages/query/src/grammar', 'query.grammar'),
  ...parserFiles('packages/rules/src/grammar', 'rules.grammar'),
  { path: 'packages/server/src/codecs/format/gelf/scan/scanner-module.ts', content: scannerModule },
];

/** The tables of a language's parser, from its grammar. */
function parserFiles(folder, grammar) {
  return [
    { path: `${folder}/parser.ts`, content: async () => (await parserOf(folder, grammar)).parser },
    { path: `${folder}/parser.terms.ts`, content: async () => (await parserOf(folder, grammar)).terms },
  ];
}

async function parserOf(folder, grammar) {
  const { buildParserFile } = await import('@lezer/generator');
  return buildParserFile(fs.readFileSync(path.join(root, folder, grammar), 'utf8'), {
    fileName: grammar,
    typeScript: true,
    // A conflict in the grammar must not pass as a line nobody reads.
    warn: (message) => {
      throw new Error(`${grammar}: ${message}`);
    },
  });
}

/** The WebAssembly that reads GELF frames. As text, so that it is found wherever the code is. */
async function scannerModule() {
  const { main } = await import('assemblyscript/asc');
  const folder = path.join(root, 'packages/server/assembly');
  let binary;
  const { error, stderr } = await main(
    [
      'gelf/index.ts',
      '--outFile',
      'module.wasm',
      '--runtime',
      'stub',
      '--use',
      'abort=',
      '--noAssert',
      '-O3',
      '--enable',
      'simd',
      '--enable',
      'bulk-memory',
    ],
    {
      readFile: (name) => {
        const file = path.resolve(folder, name);
        return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null;
      },
      writeFile: (_, content) => {
        binary = content;
      },
      listFiles: () => [],
    },
  );
  if (error !== null) throw new Error(`the scanner does not compile:\n${stderr}`);
  const lines = Buffer.from(binary)
    .toString('base64')
    .match(/.{1,100}/g);
  return [
    '/** Made from `packages/server/assembly/gelf` by `npm run generate`. */',
    'export const SCANNER_MODULE =',
    `${lines.map((line) => `  '${line}'`).join(' +\n')};`,
    '',
  ].join('\n');
}

async function openApi() {
  const { openApiDocument, routesWithoutParts } = await import('../packages/server/src/api/index.ts');
  const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  return `${JSON.stringify(openApiDocument(routesWithoutParts(), { version }), null, 2)}\n`;
}

function config() {
  return import('../packages/server/src/config/index.ts');
}

/** The generated files below `directory` that are missing or differ. */
export async function staleFiles(directory, files = GENERATED) {
  const stale = [];
  for (const file of files) {
    const target = path.join(directory, file.path);
    const present = fs.existsSync(target) ? fs.readFileSync(target, 'utf8') : undefined;
    const content = await file.content();
    if (present !== content) stale.push({ path: file.path, content });
  }
  return stale;
}

export function writeFiles(directory, files) {
  for (const { path: name, content } of files) {
    const target = path.join(directory, name);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, content);
  }
}

async function main(args) {
  const unknown = args.find((argument) => argument !== '--check');
  if (unknown !== undefined) {
    console.error(`generate: unexpected argument ${unknown}; the only one is --check`);
    return 2;
  }
  const stale = await staleFiles(root);
  if (args.includes('--check')) {
    for (const { path: name } of stale) console.error(`${name} is not up to date: run npm run generate`);
    return stale.length === 0 ? 0 : 1;
  }
  writeFiles(root, stale);
  for (const { path: name } of stale) console.log(`wrote ${name}`);
  return 0;
}

/** npm may have been started by a Node that cannot load TypeScript; then the pinned one takes over. */
function runOnPinnedNode() {
  const pinned = path.join(root, 'node_modules', '.bin', 'node');
  const result = spawnSync(pinned, process.argv.slice(1), { stdio: 'inherit' });
  if (result.error)
    console.error(`${pinned} cannot be run (${result.error.message}): run npm run setup first`);
  return result.status ?? 1;
}

if (process.argv[1] !== undefined && fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const canLoadTypeScript = Boolean(process.features.typescript);
  process.exitCode = canLoadTypeScript ? await main(process.argv.slice(2)) : runOnPinnedNode();
}
