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

/** With the place in the code, which is what the author needs. */
export function describeError(error: unknown): string {
  const text = errorMessage(error).slice(0, 500);
  const place = error instanceof Error ? firstOwnFrame(error) : undefined;
  return place === undefined ? text : `${text} (at ${place})`;
}

/** Where an error was thrown, as `file:line:column`; frames of Node itself are left out. */
export function firstOwnFrame(error: Error): string | undefined {
  for (const line of (error.stack ?? '').split('\n').slice(1)) {
    const [, place] = /^\s+at (?:.*\()?((?:file:|\/|[A-Z]:\\).*?:\d+:\d+)\)?$/.exec(line) ?? [];
    if (place !== undefined) return place.replace(/^file:\/\//, '');
  }
  return undefined;
}
