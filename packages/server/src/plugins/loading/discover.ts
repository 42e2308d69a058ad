import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, errorMessage } from '#core/index.ts';
import { type AllowedPlugin, hashedName, hashFolder, refusalOf } from './integrity.ts';
import { type PluginManifest, readManifest } from './manifest.ts';

/** Where plugins are looked for, and which of them may be loaded. */
export interface PluginPlaces {
  /** `plugin_dir`: every folder in it is a plugin. */
  readonly directory: string;
  /** `plugins`: packages by name, installed in `directory` or beside Millrace. */
  readonly packages: readonly string[];
  /** `plugins_allowed`; undefined: all of them. */
  readonly allowed: readonly AllowedPlugin[] | undefined;
  /** Folders whose `node_modules` may hold the packages, besides `directory`. */
  readonly packageRoots: readonly string[];
}

/** A plugin that may be loaded. */
export interface FoundPlugin extends PluginManifest {
  /** Of all its files, in hex. */
  readonly sha256: string;
}

/** A folder or a package that cannot be loaded, under the best name it has. */
export interface UnusablePlugin {
  readonly name: string;
  readonly place: string;
  readonly reason: string;
}

export interface FoundPlugins {
  /** By name. */
  readonly usable: readonly FoundPlugin[];
  readonly unusable: readonly UnusablePlugin[];
}

export async function findPlugins(places: PluginPlaces): Promise<FoundPlugins> {
  const usable = new Map<string, FoundPlugin>();
  const unusable: UnusablePlugin[] = [];
  for (const { name, folder } of [...(await foldersIn(places.directory)), ...(await packagesOf(places))]) {
    try {
      if (folder === undefined) {
        throw new Error(
          `there is no such package; install it with: npm install --prefix ${places.directory} ${name}`,
        );
      }
      const found = await inspect(folder, places.allowed);
      const other = usable.get(found.name);
      if (other !== undefined && other.root !== found.root) {
        throw new Error(`another plugin has the same name: ${other.root}`);
      }
      usable.set(found.name, found);
    } catch (error) {
      unusable.push({ name, place: folder ?? places.directory, reason: errorMessage(error) });
    }
  }
  const byName = (left: FoundPlugin, right: FoundPlugin) => (left.name < right.name ? -1 : 1);
  return { usable: [...usable.values()].sort(byName), unusable };
}

/** Reads and checks one plugin. Rejects with an error for people. */
export async function inspect(
  folder: string,
  allowed: readonly AllowedPlugin[] | undefined,
): Promise<FoundPlugin> {
  const manifest = await readManifest(folder);
  const sha256 = await hashFolder(manifest.root);
  const refusal = refusalOf(allowed, manifest.name, sha256);
  if (refusal !== undefined) throw new Error(refusal);
  const entry = await realpath(manifest.entry).catch(() => {
    throw new Error(`its package.json names the entry ${manifest.entry}, which does not exist`);
  });
  if (hashedName(manifest.root, entry) === undefined) {
    throw new Error(`its entry ${manifest.entry} is not among the files that its hash covers; move it`);
  }
  return { ...manifest, sha256 };
}

interface Candidate {
  readonly name: string;
  /** Undefined: there is none. */
  readonly folder: string | undefined;
}

async function foldersIn(directory: string): Promise<Candidate[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  const folders: Candidate[] = [];
  for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
    const folder = path.join(directory, entry.name);
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    // Also a link to a folder: that is how a plugin is developed.
    if ((await stat(folder).catch(() => undefined))?.isDirectory())
      folders.push({ name: entry.name, folder });
  }
  return folders;
}

async function packagesOf({ directory, packages, packageRoots }: PluginPlaces): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  for (const name of packages) {
    let folder: string | undefined;
    for (const root of [directory, ...packageRoots]) {
      const place = path.join(root, 'node_modules', name);
      if (folder === undefined && (await stat(place).catch(() => undefined))?.isDirectory()) folder = place;
    }
    candidates.push({ name, folder });
  }
  return candidates;
}
