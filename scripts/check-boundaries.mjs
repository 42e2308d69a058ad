/**
 * Enforces the import table of boundary-rules.mjs, the absence of import cycles, the size limits and the
 * places that alone may read the environment, the clock or end the process; refuses tests that sleep and
 * paths that stay encoded. Prints every violation.
 */
import fs from 'node:fs';
import path from 'node:path';
import {
  ENTRY_POINT,
  ENTRY_POINT_IMPORTS,
  LIMITS,
  MAIN_THREAD_CODE,
  MAIN_THREAD_FOLDERS,
  MESSAGE_PATH,
  OTHER_POLLERS,
  POLLING_HELPER,
  RESERVED,
  RESERVED_PACKAGES,
  SEALED_FOLDERS,
  SERVER_FOLDERS,
  SERVICE_CONSUMERS,
  WEB_FOLDERS,
} from './boundary-rules.mjs';
import { findCycles, isTest, readSource, sourceFiles } from './source-graph.mjs';

const SERVER = 'packages/server/src/';
const WEB = 'packages/web/src/';
const CONTRACT = 'packages/contract/src/';
/** The languages that server and web share, and what they need beside their parser. */
const LANGUAGES = {
  query: { folder: 'packages/query/src/', packages: [] },
  rules: { folder: 'packages/rules/src/', packages: ['fastest-levenshtein'] },
};
const PLUGIN_API = 'packages/plugin-api/src/';
const EXAMPLES = 'examples/plugins/';

/** The folder of the table that a path inside a package belongs to; undefined for files at the top. */
export function folderOf(inside, folders) {
  const known = Object.keys(folders).filter((folder) => inside.startsWith(`${folder}/`));
  return known.sort((a, b) => b.length - a.length)[0];
}

/** Where an import leads, as a path from the repository's root; undefined for packages and builtins. */
export function resolveImport(file, specifier) {
  if (specifier.startsWith('#')) return `${SERVER}${specifier.slice(1)}`;
  if (specifier === '@millrace/contract') return `${CONTRACT}index.ts`;
  for (const [name, { folder }] of Object.entries(LANGUAGES)) {
    if (specifier === `@millrace/${name}`) return `${folder}index.ts`;
  }
  if (specifier.startsWith('.'))
    return path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier));
  return undefined;
}

function serverImportProblem(file, target, { specifier, isTypeOnly }) {
  const inside = file.slice(SERVER.length);
  const targetInside = target.slice(SERVER.length);
  const from = folderOf(inside, SERVER_FOLDERS);
  const to = folderOf(targetInside, SERVER_FOLDERS);
  if (targetInside.startsWith('testing/')) return 'only tests may import testing/';
  if (isTest(target)) return 'a test file may not be imported';
  if (to === undefined) return 'nothing may import the entry point';
  if (from === to) return specifier.startsWith('#') ? 'inside a folder imports are relative (./)' : undefined;
  const entry = targetInside.slice(to.length + 1);
  const nested = from !== undefined && (from.startsWith(`${to}/`) || to.startsWith(`${from}/`));
  if (!nested && entry !== 'index.ts' && entry !== 'service.ts')
    return `${to}/ is entered through its index.ts or service.ts`;
  if (from === undefined)
    return ENTRY_POINT_IMPORTS.includes(to) ? undefined : `${ENTRY_POINT} may not import ${to}/`;
  if (SERVER_FOLDERS[from].includes(to) || mayImportMainThread(inside, to, isTypeOnly)) return undefined;
  if (SERVICE_CONSUMERS.includes(from) && entry === 'service.ts') return undefined;
  return `${from}/ may not import ${to}/`;
}

function mayImportMainThread(inside, to, isTypeOnly) {
  if (!MAIN_THREAD_FOLDERS.includes(to) || !MESSAGE_PATH.includes(inside.split('/')[0])) return false;
  if (path.posix.basename(inside) === 'service.ts') return true;
  return isTypeOnly && MAIN_THREAD_CODE.some((place) => inside.startsWith(place));
}

/** Every server file has a room with rules; only the entry point stands at the root. */
function roomProblems({ file }) {
  if (!file.startsWith(SERVER)) return [];
  const inside = file.slice(SERVER.length);
  if (inside === ENTRY_POINT || inside.startsWith('testing/')) return [];
  if (folderOf(inside, SERVER_FOLDERS) !== undefined) return [];
  return [
    `${file}: belongs into a folder of scripts/boundary-rules.mjs; only ${ENTRY_POINT} stands at the root`,
  ];
}

function webImportProblem(file, target) {
  const from = folderOf(file.slice(WEB.length), WEB_FOLDERS);
  const to = folderOf(target.slice(WEB.length), WEB_FOLDERS);
  if (from === undefined || to === undefined) return undefined;
  if (from !== to) return WEB_FOLDERS[from].includes(to) ? undefined : `${from}/ may not import ${to}/`;
  const feature = (name) => name.slice(WEB.length).split('/')[1];
  return from === 'features' && feature(file) !== feature(target)
    ? 'a feature may not import another'
    : undefined;
}

function sealedProblem(file, target) {
  const sealed = SEALED_FOLDERS.find((folder) => target?.startsWith(`${SERVER}${folder}/`));
  if (sealed === undefined || file.startsWith(`${SERVER}${sealed}/`)) return undefined;
  return target === `${SERVER}${sealed}/index.ts` ? undefined : `only ${sealed}/index.ts may be imported`;
}

function languageProblem(file, { specifier }, target, { name, folder, packages }) {
  if (isTest(file) || specifier.startsWith('@lezer/') || packages.includes(specifier)) return undefined;
  const allowed = ['@lezer/*', ...packages].join(', ');
  return target?.startsWith(folder)
    ? undefined
    : `${name} may import ${allowed} only: server and web share it`;
}

function exampleProblem(file, specifier, target) {
  const folder = file.split('/').slice(0, 3).join('/');
  const isOwn = target?.startsWith(`${folder}/`) ?? !specifier.startsWith('@millrace/');
  return isOwn || specifier.startsWith('@millrace/plugin-api')
    ? undefined
    : 'an example may import what a plugin can: @millrace/plugin-api';
}

function importProblem(file, imported) {
  const { specifier } = imported;
  const target = resolveImport(file, specifier);
  const sealed = sealedProblem(file, target);
  if (sealed !== undefined) return sealed;
  if (file.startsWith(CONTRACT)) {
    if (isTest(file)) return undefined;
    return specifier === 'zod' || target?.startsWith(CONTRACT) ? undefined : 'contract may import zod only';
  }
  for (const [name, { folder, packages }] of Object.entries(LANGUAGES)) {
    if (file.startsWith(folder)) return languageProblem(file, imported, target, { name, folder, packages });
    if (target?.startsWith(folder)) return undefined;
  }
  if (file.startsWith(PLUGIN_API)) {
    return specifier.startsWith('@millrace/server/plugin-api')
      ? undefined
      : 'plugin-api passes on what the server lists for plugins, nothing else';
  }
  if (file.startsWith(EXAMPLES)) return exampleProblem(file, specifier, target);
  if (target === undefined || target.startsWith(CONTRACT)) return undefined;
  if (file.startsWith(WEB))
    return target.startsWith(WEB)
      ? webImportProblem(file, target)
      : 'web may import contract, query and rules only';
  if (!file.startsWith(SERVER) || !target.startsWith(SERVER)) return undefined;
  if (isTest(file) || file.startsWith(`${SERVER}testing/`)) return undefined;
  return serverImportProblem(file, target, imported);
}

function sizeProblems({ file, lines, functions }) {
  const problems = [];
  if (lines > LIMITS.fileLines) problems.push(`${file}: ${lines} lines, at most ${LIMITS.fileLines}`);
  if (isTest(file)) return problems;
  const limit = file.endsWith('.tsx') ? LIMITS.componentLines : LIMITS.functionLines;
  for (const { name, line, lines: length } of functions) {
    if (length > limit) problems.push(`${file}:${line}: ${name} has ${length} lines, at most ${limit}`);
  }
  return problems;
}

function reservedProblems({ file, members }) {
  if (!file.startsWith(SERVER) || isTest(file)) return [];
  const inside = file.slice(SERVER.length);
  return RESERVED.flatMap(({ expression, allowed, why }) =>
    allowed.some((place) => inside.startsWith(place))
      ? []
      : members
          .filter((member) => member.text === expression)
          .map((member) => `${file}:${member.line}: ${expression}: ${why}`),
  );
}

function reservedPackageProblems({ file, imports }) {
  if (!file.startsWith(SERVER) || isTest(file)) return [];
  const inside = file.slice(SERVER.length);
  if (inside.startsWith('testing/')) return [];
  return RESERVED_PACKAGES.filter(
    ({ allowed }) => !allowed.some((place) => inside.startsWith(place)),
  ).flatMap(({ packages, why }) =>
    imports
      .filter(({ specifier }) => packages.some((name) => `${specifier}/`.startsWith(`${name}/`)))
      .map(({ specifier }) => `${file}: imports ${specifier}: ${why}`),
  );
}

/** A fixed sleep is too short on a busy machine and too long on every other. */
function waitingProblems({ file, members, sleeps }) {
  if (!/\.(test|suite)\.[a-z]+$/.test(file)) return [];
  const instead = `await an event, or poll with ${POLLING_HELPER}`;
  return [
    ...sleeps.map((line) => `${file}:${line}: sleeps for a fixed time: ${instead}`),
    ...members
      .filter(({ text }) => OTHER_POLLERS.includes(text) && !file.startsWith(WEB))
      .map(({ text, line }) => `${file}:${line}: ${text}: ${instead}`),
  ];
}

/** In a folder whose name has a space or an umlaut, the URL has another one. */
function encodedPathProblems({ file, encodedPaths }) {
  return encodedPaths.map(
    (line) => `${file}:${line}: the path in a URL is encoded: use import.meta.dirname or fileURLToPath`,
  );
}

/** Every violation in the sources, as lines of text. */
export function checkBoundaries(root) {
  const sources = sourceFiles(root).map((file) => readSource(root, file));
  const known = new Set(sources.map((source) => source.file));
  const graph = new Map();
  const problems = [];
  for (const source of sources) {
    problems.push(
      ...roomProblems(source),
      ...sizeProblems(source),
      ...reservedProblems(source),
      ...reservedPackageProblems(source),
      ...waitingProblems(source),
      ...encodedPathProblems(source),
    );
    const targets = [];
    for (const imported of source.imports) {
      const { specifier } = imported;
      const problem = importProblem(source.file, imported);
      if (problem) problems.push(`${source.file}: imports ${specifier}: ${problem}`);
      const target = resolveImport(source.file, specifier);
      if (target !== undefined && known.has(target)) targets.push(target);
      else if (target?.match(/\.(ts|tsx|mjs)$/) && !fs.existsSync(path.join(root, target)))
        problems.push(`${source.file}: imports ${specifier}, which does not exist`);
    }
    graph.set(source.file, targets);
  }
  for (const cycle of findCycles(graph)) problems.push(`import cycle: ${cycle.join(' -> ')}`);
  return problems;
}

if (import.meta.main) {
  const root = path.resolve(import.meta.dirname, '..');
  const problems = checkBoundaries(root);
  for (const problem of problems) console.error(problem);
  process.exit(problems.length === 0 ? 0 : 1);
}
