import fs from 'node:fs';
import path from 'node:path';

export interface Product {
  readonly name: string;
  /** `x.y.z+build`; the build is the commit, or `source` where there is none. */
  readonly version: string;
  /** What the REST API answers as its version: clients of Graylog compare it before they go on. */
  readonly apiVersion: string;
  readonly codename: string;
}

/** The generation of Graylog's API that ours is compatible with. */
const COMPATIBLE_WITH = '6.1.0';

const SERVER_PACKAGE = path.resolve(import.meta.dirname, '..', '..');
const CHECKOUT = path.resolve(SERVER_PACKAGE, '..', '..');

/** What this program is. */
export function readProduct(directories = { serverPackage: SERVER_PACKAGE, checkout: CHECKOUT }): Product {
  const manifest: unknown = JSON.parse(
    fs.readFileSync(path.join(directories.serverPackage, 'package.json'), 'utf8'),
  );
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest
      ? String(manifest.version)
      : '0.0.0';
  const commit = headCommit(directories.checkout)?.slice(0, 7);
  return {
    name: 'Millrace',
    version: `${version}+${commit ?? 'source'}`,
    apiVersion: `${COMPATIBLE_WITH}+millrace.${version}`,
    // A breastshot wheel takes the water at the height of its axle: neither over- nor undershot.
    codename: 'Breastshot',
  };
}

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/**
 * The commit that is checked out, read from git's own files: a start should neither need git nor spend the time to
 * run it. Undefined when anything is unexpected.
 */
export function headCommit(checkout: string): string | undefined {
  try {
    const gitDir = gitDirectory(path.join(checkout, '.git'));
    const head = readTrimmed(path.join(gitDir, 'HEAD'));
    if (COMMIT.test(head)) return head;
    const ref = /^ref: (refs\/[^\s]+)$/.exec(head)?.[1];
    if (ref === undefined || ref.includes('..')) return undefined;
    // A linked work tree has its own HEAD and shares branches with the main one.
    const commonDir = fs.existsSync(path.join(gitDir, 'commondir'))
      ? path.resolve(gitDir, readTrimmed(path.join(gitDir, 'commondir')))
      : gitDir;
    return looseRef(gitDir, ref) ?? looseRef(commonDir, ref) ?? packedRef(commonDir, ref);
  } catch {
    return undefined;
  }
}

/** `.git` is a directory, or in work trees and submodules a file that names one. */
function gitDirectory(dotGit: string): string {
  if (fs.statSync(dotGit).isDirectory()) return dotGit;
  const target = readTrimmed(dotGit).replace(/^gitdir: /, '');
  return path.resolve(path.dirname(dotGit), target);
}

function looseRef(gitDir: string, ref: string): string | undefined {
  const file = path.join(gitDir, ref);
  if (!fs.existsSync(file)) return undefined;
  const commit = readTrimmed(file);
  return COMMIT.test(commit) ? commit : undefined;
}

/** Lines of `<commit> <ref>`. */
function packedRef(gitDir: string, ref: string): string | undefined {
  for (const line of readTrimmed(path.join(gitDir, 'packed-refs')).split('\n')) {
    const [commit = '', name] = line.trim().split(' ');
    if (name === ref && COMMIT.test(commit)) return commit;
  }
  return undefined;
}

function readTrimmed(file: string): string {
  return fs.readFileSync(file, 'utf8').trim();
}
