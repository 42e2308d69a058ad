import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage } from '#core/index.ts';

/** An entry of `plugins_allowed`. */
export interface AllowedPlugin {
  readonly name: string;
  /** In hex. Undefined: whatever its files are. */
  readonly sha256: string | undefined;
}

/** Of the folder itself. Not part of the hash, and so nothing may be loaded from it. */
const IGNORED = '.git';

/**
 * The hash of all files of a folder with their names, the packages it brings along included. Rejects if a link leads
 * out of the folder: what is there may change without a change of the hash.
 */
export async function hashFolder(root: string): Promise<string> {
  const hash = createHash('sha256');
  await addFolder(hash, root, '');
  return hash.digest('hex');
}

async function addFolder(hash: Hash, root: string, inside: string): Promise<void> {
  const entries = await readdir(path.join(root, inside), { withFileTypes: true });
  for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
    const name = path.posix.join(inside, entry.name);
    if (name === IGNORED) continue;
    const file = path.join(root, name);
    if (entry.isDirectory()) await addFolder(hash, root, name);
    else if (entry.isSymbolicLink())
      hash.update(`${JSON.stringify(name)} -> ${await linkTarget(root, name)}\n`);
    else if (entry.isFile()) hash.update(`${JSON.stringify(name)} ${await hashFile(file)}\n`);
  }
}

/** In quotes. The contents of what the link leads to are part of the hash under their own name. */
async function linkTarget(root: string, name: string): Promise<string> {
  const target = await realpath(path.join(root, name)).catch((error: unknown) => {
    throw new Error(`its symbolic link ${name} cannot be followed: ${errorMessage(error)}. Remove the link`);
  });
  const inside = hashedName(await realpath(root), target);
  if (inside !== undefined) return JSON.stringify(inside);
  throw new Error(
    `its symbolic link ${name} leads to ${target}, which its hash does not cover: put a copy in its place`,
  );
}

/**
 * The name under which the hash covers a file or folder; undefined if it does not.
 * @param root without symbolic links, as `file`
 */
export function hashedName(root: string, file: string): string | undefined {
  const parts = path.relative(root, file).split(path.sep);
  const isOutside = parts[0] === '..' || path.isAbsolute(parts.join(path.sep));
  return isOutside || parts[0] === IGNORED ? undefined : parts.join('/');
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
