import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { runNpm } from './run-command.mjs';
import { ensureRuntime } from './runtime.mjs';

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

/** `npm install` when `node_modules` does not match the lock file, then makes sure of the pinned Node. */
export async function ensureDependencies({ root, pinnedNode, say }) {
  const stampFile = path.join(root, 'node_modules', '.millrace-installed');
  const wanted = fingerprint(root);
  if (readOrEmpty(stampFile) === wanted) return;

  say('installing dependencies (once, about half a minute) …');
  // Not `npm ci`: it refuses a lock file from a registry mirror that lacks other platforms' binaries.
  await runNpm(['install', '--no-save', '--no-audit', '--no-fund', ...PARTS], { cwd: root });
  await ensureRuntime({ root, pinnedNode, say });
  fs.writeFileSync(stampFile, wanted);
}
