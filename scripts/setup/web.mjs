import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { runCommand } from './run-command.mjs';

function filesUnder(dir) {
  return fs
    .readdirSync(dir, { withFileTypes: true })
    .flatMap((entry) => {
      const full = path.join(dir, entry.name);
      return entry.isDirectory() ? filesUnder(full) : [full];
    })
    .sort();
}

function fingerprint(root) {
  const web = path.join(root, 'packages', 'web');
  const inputs = [
    ...filesUnder(path.join(web, 'src')),
    ...filesUnder(path.join(web, 'public')),
    ...['contract', 'query', 'rules'].flatMap((name) => filesUnder(path.join(root, 'packages', name, 'src'))),
    // The documentation is a part of it.
    ...filesUnder(path.join(root, 'docs')).filter((file) => file.endsWith('.md')),
    ...filesUnder(path.join(root, 'scripts', 'web')),
    ...['index.html', 'vite.config.ts', 'package.json'].map((name) => path.join(web, name)),
    path.join(root, 'package-lock.json'),
  ];
  const hash = createHash('sha256');
  for (const file of inputs) hash.update(file.slice(root.length)).update(fs.readFileSync(file));
  return hash.digest('hex');
}

/** Builds the web interface when its sources are not those of the last build. */
export async function ensureWeb({ root, pinnedNode, say }) {
  const web = path.join(root, 'packages', 'web');
  const stampFile = path.join(web, 'dist', '.built-from');
  const wanted = fingerprint(root);
  if (fs.existsSync(stampFile) && fs.readFileSync(stampFile, 'utf8') === wanted) return;

  say('building the web interface …');
  await runCommand(pinnedNode, [path.join(root, 'node_modules', 'vite', 'bin', 'vite.js'), 'build'], {
    cwd: web,
  });
  fs.writeFileSync(stampFile, wanted);
}
