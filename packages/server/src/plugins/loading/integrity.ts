import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readlink } from 'node:fs/promises';
import path from 'node:path';

/** An entry of `plugins_allowed`. */
export interface AllowedPlugin {
  readonly name: string;
  /** In hex. Undefined: whatever its files are. */
  readonly sha256: string | undefined;
}

/** Folders that nothing is loaded from. */
const IGNORED = new Set(['.git']);

/** The hash of all files of a folder with their names, the packages it brings along included. */
export async function hashFolder(root: string): Promise<string> {
  const hash = createHash('sha256');
  await addFolder(hash, root, '');
  return hash.digest('hex');
}

async function addFolder(hash: Hash, root: string, inside: string): Promise<void> {
  const entries = await readdir(path.join(root, inside), { withFileTypes: true });
  for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
    if (IGNORED.has(entry.name)) continue;
    const name = path.posix.join(inside, entry.name);
    const file = path.join(root, name);
    if (entry.isDirectory()) await addFolder(hash, root, name);
    else if (entry.isSymbolicLink()) hash.update(`${JSON.stringify(name)} -> ${await readlink(file)}\n`);
    else if (entry.isFile()) hash.update(`${JSON.stringify(name)} ${await hashFile(file)}\n`);
  }
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Why `plugins_allowed` keeps a plugin out; undefined if it may be loaded. */
export function refusalOf(
  allowed: readonly AllowedPlugin[] | undefined,
  name: string,
  sha256: string,
): string | undefined {
  if (allowed === undefined) return undefined;
  const entries = allowed.filter((entry) => entry.name === name);
  if (entries.some((entry) => entry.sha256 === undefined || entry.sha256 === sha256)) return undefined;
  if (entries.length === 0)
    return `plugins_allowed does not name it; to load it, add ${name}=sha256:${sha256}`;
  return `its files are not those that plugins_allowed names: their hash is sha256:${sha256}. Put the former files back, or change plugins_allowed after you have looked at the new ones`;
}
