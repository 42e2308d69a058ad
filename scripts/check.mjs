/** `npm run check`: everything that can be said about the code without running it. */
import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pinnedNode, root, say, setUp } from './setup.mjs';

await setUp({ withEngine: false, withWeb: false });

const bin = (name) => path.join(root, 'node_modules', '.bin', name);
/** The longest first: they run beside each other. */
const CHECKS = [
  ['types', pinnedNode, [bin('tsc'), '-p', 'tsconfig.json']],
  ['format and lint', bin('biome'), ['check', '--error-on-warnings', '.']],
  ['types of the web interface', pinnedNode, [bin('tsc'), '-p', 'packages/web/tsconfig.json']],
  ['generated files', pinnedNode, ['scripts/generate.mjs', '--check']],
  ['import boundaries and sizes', pinnedNode, ['scripts/check-boundaries.mjs']],
];

/** What it says is shown in one piece, when it has ended. */
async function passes([name, command, args]) {
  const started = Date.now();
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  const [output, problems, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  process.stdout.write(output);
  process.stderr.write(problems);
  say(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  return status === 0;
}

const waiting = [...CHECKS];
let failed = 0;
async function takeTurns() {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
    if (!(await passes(check))) failed++;
  }
}
await Promise.all(Array.from({ length: os.availableParallelism() }, takeTurns));
process.exitCode = failed === 0 ? 0 : 1;
