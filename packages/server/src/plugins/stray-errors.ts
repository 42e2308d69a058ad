import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LoadablePlugin } from './loading/load.ts';

/**
 * The plugin that threw an error that nobody caught, such as one in a timer or in a callback of a socket: the one whose
 * file is the innermost frame of the stack. Undefined if that is not a plugin's.
 */
export function pluginOfError(error: unknown, plugins: readonly LoadablePlugin[]): string | undefined {
  if (!(error instanceof Error)) return undefined;
  for (const line of (error.stack ?? '').split('\n')) {
    const [, url, file] =
      /^\s+at (?:.*\()?(?:(file:\/\/.*?)|(\/.*?|[A-Z]:\\.*?)):\d+:\d+\)?$/.exec(line) ?? [];
    const place = url === undefined ? file : fileURLToPath(url);
    if (place === undefined) continue;
    return plugins.find(({ root }) => place.startsWith(root + path.sep))?.name;
  }
  return undefined;
}
