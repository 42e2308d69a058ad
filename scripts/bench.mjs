/** `npm run bench -- <case>`: runs one file of bench/cases; its last line of output is one JSON object. */
import fs from 'node:fs';
import path from 'node:path';
import { become } from './run-child.mjs';
import { pinnedNode, root, say, setUp } from './setup.mjs';

const cases = fs
  .readdirSync(path.join(root, 'bench', 'cases'))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -3));
const [name, ...rest] = process.argv.slice(2);
if (!name || !cases.includes(name)) {
  say(`usage: npm run bench -- <case>; cases: ${cases.join(', ')}`);
  process.exit(2);
}
await setUp({ withWeb: name === 'web' });
const flags = ['--expose-gc', '--disable-warning=ExperimentalWarning'];
become(pinnedNode, [...flags, path.join(root, 'bench', 'run.ts'), name, ...rest], { cwd: root });
