import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { runCommand, runNpm } from './run-command.mjs';

const MANIFESTS = [
  'package.json',
  'package-lock.json',
  'packages/contract/package.json',
  'packages/server/package.json',
  'packages/web/package.json',
];

/** With what builds the web interface, which npm leaves out where NODE_ENV is "production". */
const PARTS = ['--include=optional', '--include=dev'];

function fingerprint(root) {
  const hash = createHash('sha256').update(PARTS.join(' '));
  for (const file of MANIFESTS) hash.update(fs.readFileSync(path.join(root, file)));
  return hash.digest('hex');
}

function readOrEmpty(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function pinnedVersion(root) {
  const manifest = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  return `v${manifest.dependencies.node}`;
}

async function runtimeVersion(pinnedNode) {
  try {
    return (await runCommand(pinnedNode, ['--version'])).trim();
  } catch {
    return 'missing';
  }
}

/** `npm install` when `node_modules` does not match the lock file, then makes sure of the pinned Node. */
export async function ensureDependencies({ root, pinnedNode, say }) {
  const stampFile = path.join(root, 'node_modules', '.millrace-installed');
  const wanted = fingerprint(root);
  if (readOrEmpty(stampFile) === wanted) return;

  say('installing dependencies (once, about half a minute) …');
  // Not `npm ci`: it refuses a lock file from a registry mirror that lacks other platforms' binaries.
  await runNpm(['install', '--no-save', '--no-audit', '--no-fund', ...PARTS], { cwd: root });
  const expected = pinnedVersion(root);
  if ((await runtimeVersion(pinnedNode)) !== expected) {
    // Somebody's npm settings forbid install scripts; this one is ours and approved in package.json.
    await runNpm(['rebuild', 'node', '--ignore-scripts=false', '--foreground-scripts'], { cwd: root });
  }
  const found = await runtimeVersion(pinnedNode);
  if (found !== expected) {
    throw new Error(
      `the pinned Node.js ${expected} is ${found} at ${pinnedNode}.\n` +
        'Remove node_modules and run the command again; npm must be allowed to run the install script of "node".',
    );
  }
  fs.writeFileSync(stampFile, wanted);
}
