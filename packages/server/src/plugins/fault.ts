import path from 'node:path';
import { errorMessage, UnavailableError } from '#core/index.ts';

/** `load`: it could not be loaded. `call`: a call threw. `blocked`: a call took too long. `stray`: it threw where nobody called it. */
export type PluginFaultKind = 'load' | 'call' | 'blocked' | 'stray';

/** Something a plugin did wrong. Plain data: workers send it to the main thread. */
export interface PluginFault {
  readonly plugin: string;
  readonly kind: PluginFaultKind;
  /** What went wrong, for people. */
  readonly message: string;
  /** Faults of the plugin on this node, including this one. */
  readonly count: number;
}

/** A plugin failed, or is switched off. */
export class PluginError extends UnavailableError {}

/**
 * An error that only a mistake in the program causes. What a component throws to say that a destination is away is none:
 * `fetch` throws a TypeError too, with its cause.
 */
export function isMistake(error: unknown): boolean {
  const isOfTheLanguage =
    error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  return isOfTheLanguage && error.cause === undefined;
}

/** With the place in the plugin's code, which is what its author needs. */
export function describeError(error: unknown): string {
  const text = errorMessage(error).slice(0, 500);
  const place = error instanceof Error ? firstForeignFrame(error) : undefined;
  return place === undefined ? text : `${text} (at ${place})`;
}

const OWN_SOURCES = path.resolve(import.meta.dirname, '..') + path.sep;

/** `file:line:column` of the innermost frame that is neither Node's nor ours. */
function firstForeignFrame(error: Error): string | undefined {
  for (const line of (error.stack ?? '').split('\n').slice(1)) {
    const [, found] = /^\s+at (?:.*\()?((?:file:|\/|[A-Z]:\\).*?:\d+:\d+)\)?$/.exec(line) ?? [];
    const place = found?.replace(/^file:\/\//, '');
    if (place !== undefined && !place.startsWith(OWN_SOURCES)) return place;
  }
  return undefined;
}
