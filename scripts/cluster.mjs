/** `npm run cluster [-- --demo]`: a cluster on this machine, to look at and to break. See bench/cluster.ts. */
import path from 'node:path';
import { become } from './run-child.mjs';
import { ensurePostgres } from './setup/postgres.mjs';
import { pinnedNode, root, say, setUp } from './setup.mjs';

await setUp();
try {
  await ensurePostgres({ root, say });
} catch (error) {
  say(error.message);
  process.exit(1);
}
const flags = ['--disable-warning=ExperimentalWarning'];
become(pinnedNode, [...flags, path.join(root, 'bench', 'cluster.ts'), ...process.argv.slice(2)], {
  cwd: root,
});
