/** Reads source files into what the boundary check needs: imports, functions with their lengths, members. */
import fs from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

const SOURCE = /\.(ts|tsx|mts|mjs)$/;
const SKIPPED = new Set(['node_modules', 'dist', 'coverage', 'data', '.git', '.cache']);

export function sourceFiles(root, dir = root) {
  return fs.readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    if (SKIPPED.has(entry.name)) return [];
    const full = path.join(dir, entry.name);
    if (entry.isDirectory()) return sourceFiles(root, full);
    return SOURCE.test(entry.name) ? [path.relative(root, full)] : [];
  });
}

export const isTest = (file) => /\.(test|suite|bench)\.[a-z]+$/.test(file) || file.startsWith('tests/');

function lineCounter(text) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}

/** Specifiers and whether only types are imported; an import without names runs the module. */
function staticImports(module) {
  const imported = module.staticImports.map(({ moduleRequest, entries }) => ({
    specifier: moduleRequest.value,
    isTypeOnly: entries.length > 0 && entries.every((entry) => entry.isType),
  }));
  const exported = module.staticExports
    .flatMap((statement) => statement.entries)
    .flatMap(({ moduleRequest, isType }) =>
      moduleRequest ? [{ specifier: moduleRequest.value, isTypeOnly: isType }] : [],
    );
  return [...imported, ...exported];
}

/** `new Promise((resolve) => setTimeout(resolve, 100))`, with or without braces. */
const PROMISED_TIMEOUT =
  /^new Promise(?:<[^>]*>)?\(\s*\(?(\w+)\)?\s*=>\s*(?:\{\s*)?(?:void\s+)?setTimeout\(\s*\1\b/;

/** `new URL('../file', import.meta.url).pathname` */
const ENCODED_PATH = /^new URL\([^()]*import\.meta\.url\s*\)\.pathname$/;

function importsTimeout({ staticImports }) {
  return staticImports.some(
    ({ moduleRequest, entries }) =>
      /^(node:)?timers\/promises$/.test(moduleRequest.value) &&
      entries.some(({ importName }) => importName.name === 'setTimeout'),
  );
}

/**
 * `{ file, lines, imports: [{specifier, isTypeOnly}], functions: [{name, line, lines, tsx}], members: [{text, line}],
 * sleeps: [line], encodedPaths: [line] }`; `sleeps` are the places where a promise waits for a fixed time, `encodedPaths` those
 * that take the path of a file from its URL as it is written there.
 */
export function readSource(root, file) {
  const text = fs.readFileSync(path.join(root, file), 'utf8');
  const { program, module, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const lineOf = lineCounter(text);
  const imports = new Map();
  const addImport = ({ specifier, isTypeOnly }) =>
    imports.set(specifier, {
      specifier,
      isTypeOnly: isTypeOnly && imports.get(specifier)?.isTypeOnly !== false,
    });
  for (const found of staticImports(module)) addImport(found);
  const functions = [];
  const members = [];
  const sleeps = importsTimeout(module) ? [1] : [];
  const encodedPaths = [];

  const addFunction = (node) => {
    const line = lineOf(node.start);
    functions.push({ name: node.id?.name ?? 'function', line, lines: lineOf(node.end - 1) - line + 1 });
  };
  new Visitor({
    FunctionDeclaration: addFunction,
    FunctionExpression: addFunction,
    ArrowFunctionExpression: addFunction,
    ImportExpression(node) {
      if (node.source.type === 'Literal')
        addImport({ specifier: String(node.source.value), isTypeOnly: false });
    },
    NewExpression(node) {
      if (PROMISED_TIMEOUT.test(text.slice(node.start, node.end))) sleeps.push(lineOf(node.start));
    },
    MemberExpression(node) {
      if (ENCODED_PATH.test(text.slice(node.start, node.end))) encodedPaths.push(lineOf(node.start));
      if (node.object.type !== 'Identifier' || node.property.type !== 'Identifier' || node.computed) return;
      members.push({ text: `${node.object.name}.${node.property.name}`, line: lineOf(node.start) });
    },
  }).visit(program);
  const lines = text.split('\n').length - 1;
  return { file, lines, imports: [...imports.values()], functions, members, sleeps, encodedPaths };
}

/** Groups of files that import each other in a circle. */
export function findCycles(graph) {
  const state = new Map();
  const stack = [];
  const cycles = [];
  const visit = (file) => {
    state.set(file, 'open');
    stack.push(file);
    for (const next of graph.get(file) ?? []) {
      if (state.get(next) === 'open') cycles.push([...stack.slice(stack.indexOf(next)), next]);
      else if (!state.has(next)) visit(next);
    }
    stack.pop();
    state.set(file, 'done');
  };
  for (const file of graph.keys()) if (!state.has(file)) visit(file);
  return cycles;
}
