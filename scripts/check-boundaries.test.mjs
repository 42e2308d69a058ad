import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkBoundaries } from './check-boundaries.mjs';

let root;
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'boundaries-'));
});
afterEach(() => fs.rmSync(root, { recursive: true }));

/** The violations of a tree given as `{ path inside the repository: text }`. */
function problemsOf(files) {
  for (const [file, text] of Object.entries(files)) {
    fs.mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
    fs.writeFileSync(path.join(root, file), text);
  }
  return checkBoundaries(root);
}

const server = (files) =>
  Object.fromEntries(Object.entries(files).map(([file, text]) => [`packages/server/src/${file}`, text]));

test('what the table allows passes', () => {
  const problems = problemsOf({
    ...server({
      'core/index.ts': 'export const a = 1;',
      'metadata/index.ts': "export * from '#core/index.ts';",
      'inputs/service.ts': "import '#metadata/index.ts'; import './part.ts'; import 'node:fs';",
      'inputs/part.ts': "import { a } from '#core/index.ts'; export const b = a;",
      'inputs/part.test.ts': "import '#journal/segment.ts';",
      'journal/segment.ts': 'export const c = 1;',
      'api/routes/inputs.ts': "import '#inputs/service.ts'; import 'zod';",
      'streams/management/view.ts': "import type { Row } from '#metadata/index.ts'; export type View = Row;",
      'node/index.ts': "import '#api/index.ts';",
      'api/index.ts': '',
      'main.ts': "import '#node/index.ts'; process.exit(0);",
      'config/index.ts': 'export const environment = process.env;',
    }),
  });
  expect(problems).toEqual([]);
});

test.each([
  [
    'a folder that is not in the list',
    { 'codecs/a.ts': "import '#inputs/index.ts';", 'inputs/index.ts': '' },
    'codecs/ may not import inputs/',
  ],
  [
    'the message path and the metadata',
    { 'inputs/a.ts': "import '#metadata/index.ts';", 'metadata/index.ts': '' },
    'inputs/ may not import metadata/',
  ],
  [
    'metadata at run time in management code',
    { 'streams/management/a.ts': "import { x } from '#metadata/index.ts';", 'metadata/index.ts': '' },
    'streams/ may not import metadata/',
  ],
  [
    'types of metadata on the message path',
    { 'streams/matcher/a.ts': "import type { X } from '#metadata/index.ts';", 'metadata/index.ts': '' },
    'streams/ may not import metadata/',
  ],
  ['a file at the root', { 'node.ts': '' }, 'only main.ts stands at the root'],
  ['a folder without rules', { 'helpers/a.ts': '' }, 'belongs into a folder of scripts/boundary-rules.mjs'],
  [
    'a domain from the entry point',
    { 'main.ts': "import '#search/index.ts';", 'search/index.ts': '' },
    'main.ts may not import search/',
  ],
  [
    'a file that is not the entrance',
    { 'api/a.ts': "import '#core/deep.ts';", 'core/deep.ts': '' },
    'entered through its index.ts',
  ],
  [
    'the alias inside a folder',
    { 'core/a.ts': "import '#core/b.ts';", 'core/b.ts': '' },
    'inside a folder imports are relative',
  ],
  [
    'testing/ from the product',
    { 'core/a.ts': "import '#testing/b.ts';", 'testing/b.ts': '' },
    'only tests may import testing/',
  ],
  [
    'the entry point',
    { 'core/a.ts': "import '../main.ts';", 'main.ts': '' },
    'nothing may import the entry point',
  ],
  [
    'a dynamic import',
    { 'core/a.ts': "await import('#api/index.ts');", 'api/index.ts': '' },
    'core/ may not import api/',
  ],
  [
    'a re-export',
    { 'core/a.ts': "export { x } from '#api/index.ts';", 'api/index.ts': 'export const x = 1;' },
    'core/ may not import api/',
  ],
  ['a file that is not there', { 'core/a.ts': "import './gone.ts';" }, 'does not exist'],
  ['the clock', { 'core/a.ts': 'export const t = Date.now();' }, 'take a Clock'],
  [
    'the environment',
    { 'core/a.ts': 'export const e = process.env.HOME;' },
    'only config/ reads the environment',
  ],
  ['the end of the process', { 'core/a.ts': 'process.exit(1);' }, 'only main.ts ends the process'],
  [
    'Zod for a configuration',
    { 'outputs/gelf/config.ts': "import { z } from 'zod';" },
    'describe a configuration with field() and types of core/',
  ],
  [
    'another schema library, even in the API',
    { 'api/a.ts': "import { Ajv } from 'ajv/dist/2020.js';" },
    'one schema system is enough',
  ],
  ['a long file', { 'core/a.ts': '\n'.repeat(501) }, '501 lines, at most 500'],
  [
    'a long function',
    { 'core/a.ts': `export function f() {${'\n'.repeat(80)}}` },
    'f has 81 lines, at most 80',
  ],
])('refused: %s', (_name, files, expected) => {
  expect(problemsOf(server(files)).join('\n')).toContain(expected);
});

test('the insides of a codec stay inside, for tests and benchmarks too', () => {
  const files = server({
    'codecs/index.ts': "export { a } from './format/gelf/decode.ts';",
    'codecs/registry.ts': "import './format/gelf/decode.ts';",
    'codecs/format/gelf/decode.ts': 'export const a = 1;',
    'codecs/format/gelf/decode.test.ts': "import './decode.ts';",
  });
  const allowed = {
    'bench/cases/codecs.ts': "import '../../packages/server/src/codecs/index.ts';",
    ...server({ 'testing/fixture.ts': "import '#codecs/index.ts';" }),
  };
  expect(problemsOf({ ...files, ...allowed })).toEqual([]);

  const inside = {
    'bench/cases/codecs.ts': "import '../../packages/server/src/codecs/format/gelf/decode.ts';",
    ...server({
      'inputs/input.ts': "import '#codecs/registry.ts';",
      'inputs/input.test.ts': "import '#codecs/format/gelf/decode.ts';",
      'testing/fixture.ts': "import '../codecs/format/gelf/decode.ts';",
    }),
  };
  const problems = problemsOf({ ...files, ...inside });
  expect(problems).toHaveLength(4);
  for (const problem of problems) expect(problem).toContain('only codecs/index.ts may be imported');
});

test('import cycles are found, type imports included', () => {
  const problems = problemsOf(
    server({
      'core/a.ts': "import './b.ts';",
      'core/b.ts': "import type { C } from './c.ts';",
      'core/c.ts': "import './a.ts'; export type C = 1;",
    }),
  );
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(/import cycle: .*a\.ts -> .*b\.ts -> .*c\.ts -> .*a\.ts/);
});

test('web features do not know each other, contract knows zod only, query the grammar only', () => {
  const problems = problemsOf({
    'packages/web/src/features/search/page.tsx': "import '../streams/page.tsx'; import '../../lib/x.ts';",
    'packages/web/src/features/streams/page.tsx': '',
    'packages/web/src/lib/x.ts': "import '../app/y.ts';",
    'packages/web/src/app/y.ts': '',
    'packages/contract/src/index.ts': "import 'pino'; import 'zod';",
    'packages/query/src/index.ts': "import '@lezer/lr'; import '@millrace/contract';",
  });
  expect(problems).toEqual([
    expect.stringContaining('contract may import zod only'),
    expect.stringContaining('query may import @lezer/* only'),
    expect.stringContaining('a feature may not import another'),
    expect.stringContaining('lib/ may not import app/'),
  ]);
});

test.each([
  ['a promise of a timeout', 'await new Promise((resolve) => setTimeout(resolve, 100));'],
  ['the same with braces', 'await new Promise<void>((done) => { setTimeout(done, 100); });'],
  ['the same from Node', "import { setTimeout as delay } from 'node:timers/promises'; await delay(1);"],
  ['another poller', "import { vi } from 'vitest'; await vi.waitFor(() => {});"],
])('a test that waits by %s is refused', (_name, text) => {
  expect(problemsOf({ 'tests/a.test.ts': text }).join('\n')).toMatch(/eventually\.ts/);
});

test('a path that is taken from a URL as it is written there is refused', () => {
  const encoded = "const root = new URL('..', import.meta.url).pathname;";
  const decoded =
    "const root = fileURLToPath(new URL('..', import.meta.url)); const query = new URL(link).pathname;";
  expect(problemsOf({ 'tests/a.test.ts': encoded, 'tests/b.test.ts': decoded })).toEqual([
    expect.stringContaining('tests/a.test.ts:1: the path in a URL is encoded'),
  ]);
});

test('timers that are no sleep, and sleeps outside of tests, pass', () => {
  const timers = `import { setImmediate } from 'node:timers/promises';
    setTimeout(() => server.close(), 5); await new Promise((resolve) => setImmediate(resolve)); await setImmediate();`;
  const sleep = 'await new Promise((resolve) => setTimeout(resolve, 100));';
  expect(problemsOf({ 'tests/a.test.ts': timers, 'tests/support/load.ts': sleep })).toEqual([]);
});

test('plugin-api passes on what the server lists, and examples import only that', () => {
  const problems = problemsOf({
    'packages/plugin-api/src/index.ts': "export * from '@millrace/server/plugin-api';",
    'packages/plugin-api/src/more.ts': "export * from '../../server/src/core/index.ts';",
    'packages/server/src/core/index.ts': 'export const a = 1;',
    'examples/plugins/boat/index.ts': "import '@millrace/plugin-api'; import 'node:fs'; import './part.ts';",
    'examples/plugins/boat/part.ts': "import '../../../packages/server/src/core/index.ts';",
  });
  expect(problems).toEqual([
    expect.stringContaining(
      'boat/part.ts: imports ../../../packages/server/src/core/index.ts: an example may import',
    ),
    expect.stringContaining('more.ts: imports ../../server/src/core/index.ts: plugin-api passes on'),
  ]);
});
