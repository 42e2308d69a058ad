/** `npm run check`: everything that can be said about the code without running it. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { pinnedNode, root, say, setUp } from './setup.mjs';

await setUp({ withEngine: false, withWeb: false });

const bin = (name) => path.join(root, 'node_modules', '.bin', name);
const CHECKS = [
  ['format and lint', bin('biome'), ['check', '--error-on-warnings', '.']],
  ['types', pinnedNode, [bin('tsc'), '-p', 'tsconfig.json']],
  ['types of the web interface', pinnedNode, [bin('tsc'), '-p', 'packages/web/tsconfig.json']],
  ['import boundaries and sizes', pinnedNode, ['scripts/check-boundaries.mjs']],
  ['generated files', pinnedNode, ['scripts/generate.mjs', '--check']],
];

let failed = 0;
for (const [name, command, args] of CHECKS) {
  const started = Date.now();
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) failed++;
  say(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
}
process.exit(failed === 0 ? 0 : 1);
