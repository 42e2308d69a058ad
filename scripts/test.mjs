/**
 * `npm test [-- vitest arguments]`: sets up what is missing, then runs every test.
 * `npm run test:unit` runs only the fast ones beside the code.
 */
import path from 'node:path';
import { become } from './run-child.mjs';
import { pinnedNode, root, setUp } from './setup.mjs';

const args = process.argv.slice(2);
const unitOnly = args.includes('--unit');
await setUp({ forTests: !unitOnly, withEngine: !unitOnly, withWeb: !unitOnly });

const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
const rest = args.filter((arg) => arg !== '--unit');
become(pinnedNode, [vitest, 'run', ...(unitOnly ? ['--project', 'unit'] : []), ...rest], { cwd: root });
