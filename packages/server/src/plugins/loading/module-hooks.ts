import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The package that plugins import, wherever they are. */
const API_MODULES: ReadonlyMap<string, string> = new Map([
  ['@millrace/plugin-api', new URL('../../../../plugin-api/src/index.ts', import.meta.url).href],
  ['@millrace/plugin-api/testing', new URL('../../../../plugin-api/src/testing.ts', import.meta.url).href],
]);

/**
 * Lets modules of this thread import `@millrace/plugin-api`, always the copy of this node, so that the classes of
 * plugins and node are the same ones. Also strips the types of TypeScript below `node_modules` if it belongs to one of
 * `roots`: Node itself does that everywhere else, and refuses there.
 */
export function installModuleHooks(roots: readonly string[]): void {
  registerHooks({
    resolve(specifier, context, next) {
      const url = API_MODULES.get(specifier);
      return url === undefined ? next(specifier, context) : { url, shortCircuit: true };
    },
    load(url, context, next) {
      if (!isInstalledTypeScript(url, roots)) return next(url, context);
      const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'), { sourceUrl: url });
      return { format: 'module', source, shortCircuit: true };
    },
  });
}

function isInstalledTypeScript(url: string, roots: readonly string[]): boolean {
  if (!/^file:.*\/node_modules\/.*\.m?ts$/.test(url)) return false;
  return roots.some((root) => url.startsWith(pathToFileURL(root + path.sep).href));
}
