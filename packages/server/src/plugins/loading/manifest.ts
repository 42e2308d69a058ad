import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, errorMessage } from '#core/index.ts';

/**
 * The version of the plugin API. The second number grows when something is added, the first when a plugin that was
 * written for the old one might no longer work.
 */
export const PLUGIN_API_VERSION = { major: 1, minor: 0 };

/** What a plugin's `package.json` says. Everything but name, entry and API version may be empty. */
export interface PluginManifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly author: string;
  readonly url: string;
  /** As it is written, such as `1.0`. */
  readonly api: string;
  /** The folder, without symbolic links. */
  readonly root: string;
  /** The file, absolute. */
  readonly entry: string;
}

const MAX_MANIFEST_BYTES = 1024 * 1024;
const PACKAGE_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;

export function apiVersionText(): string {
  return `${PLUGIN_API_VERSION.major}.${PLUGIN_API_VERSION.minor}`;
}

/** Why this node cannot load a plugin for that API version; undefined if it can. */
export function apiVersionProblem(api: string): string | undefined {
  const [, major, minor] = /^(\d{1,5})\.(\d{1,5})$/.exec(api) ?? [];
  const fits = Number(major) === PLUGIN_API_VERSION.major && Number(minor) <= PLUGIN_API_VERSION.minor;
  if (fits) return undefined;
  const { major: own, minor: newest } = PLUGIN_API_VERSION;
  const range = newest === 0 ? `${own}.0` : `${own}.0 to ${own}.${newest}`;
  const isNewer = Number(major) > own || (Number(major) === own && Number(minor) > newest);
  const wayOut = isNewer
    ? 'update Millrace or use an older version of the plugin'
    : 'use a newer version of the plugin';
  return `it is made for version ${JSON.stringify(api)} of the plugin API, and this node loads plugins for ${range}: ${wayOut}`;
}

/** Rejects with an error for people when the folder is not a plugin that this node can load. */
export async function readManifest(folder: string): Promise<PluginManifest> {
  const root = await realpath(folder);
  const file = path.join(root, 'package.json');
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const missing = errorCode(error) === 'ENOENT';
    throw new Error(missing ? 'it has no package.json' : `cannot read ${file}: ${errorMessage(error)}`);
  });
  if (text.length > MAX_MANIFEST_BYTES) throw new Error('its package.json is larger than 1 MiB');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Error(`its package.json is not JSON: ${errorMessage(error)}`);
  }
  return checkedManifest(root, asObject(json));
}

function checkedManifest(root: string, json: Readonly<Record<string, unknown>>): PluginManifest {
  const name = textOf(json.name);
  if (!PACKAGE_NAME.test(name) || name.length > 214) {
    throw new Error(
      `its package.json has the name ${JSON.stringify(json.name)}, which is not a package name`,
    );
  }
  const own = asObject(json.millrace);
  const api = textOf(own.api);
  const problem = api === '' ? undefined : apiVersionProblem(api);
  if (api === '' || textOf(own.entry) === '') {
    throw new Error(
      `its package.json does not name the entry and the plugin API: add "millrace": { "entry": "./index.js", "api": "${apiVersionText()}" }`,
    );
  }
  if (problem !== undefined) throw new Error(problem);
  const entry = path.resolve(root, textOf(own.entry));
  if (!entry.startsWith(root + path.sep)) throw new Error(`its entry ${own.entry} is outside of its folder`);
  return {
    name,
    version: textOf(json.version) || '0.0.0',
    description: textOf(json.description),
    author: textOf(json.author) || textOf(asObject(json.author).name),
    url: textOf(json.homepage),
    api,
    root,
    entry,
  };
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 1000) : '';
}
