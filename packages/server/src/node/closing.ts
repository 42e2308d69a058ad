import type { Startable } from '#core/index.ts';

/** A component that only needs to be closed at the right moment. */
export function closing(name: string, stop: () => void | Promise<void>): Startable {
  return { name, start: async () => {}, stop: async () => stop() };
}
