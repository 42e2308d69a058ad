/** `npm run dev`: the server restarts when a server file changes; the web interface is rebuilt on change. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { pinnedNode, root, setUp } from './setup.mjs';

await setUp();
const web = path.join(root, 'packages', 'web');
const children = [
  spawn(
    pinnedNode,
    ['--watch', path.join(root, 'packages', 'server', 'src', 'main.ts'), ...process.argv.slice(2)],
    {
      stdio: 'inherit',
    },
  ),
  spawn(
    pinnedNode,
    [path.join(root, 'node_modules', 'vite', 'bin', 'vite.js'), 'build', '--watch', '--mode', 'development'],
    {
      cwd: web,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  ),
];
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal);
  });
}
children[0].on('close', (code) => {
  children[1].kill();
  process.exit(code ?? 0);
});
