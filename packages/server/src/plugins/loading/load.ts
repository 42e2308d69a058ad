import { pathToFileURL } from 'node:url';
import { NameClash } from '#core/index.ts';
import { PLUGIN_KINDS, type Plugin, type PluginComponent, requirePlugin } from '../definition.ts';
import type { PluginGuard } from '../guard.ts';
import { hashFolder } from './integrity.ts';
import type { Registered, Seams } from './seams.ts';

/** A plugin that a thread loads. Plain data. */
export interface LoadablePlugin {
  readonly name: string;
  readonly root: string;
  readonly entry: string;
  /** What its files must still be. */
  readonly sha256: string;
}

/** A component that is registered in this thread. */
export interface LoadedComponent {
  readonly kind: PluginComponent['kind'];
  readonly id: string;
  readonly name: string;
  readonly wireType: string;
}

/** A promise at the top of a module that never settles would stop the node at its start. */
const LOAD_TIMEOUT_MS = 10_000;

/** Runs the entry of a plugin. Rejects with what it throws, or with an error for people. */
export async function importPlugin({ root, entry, sha256 }: LoadablePlugin): Promise<Plugin> {
  if ((await hashFolder(root)) !== sha256)
    throw new Error('its files were changed while the node was starting');
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => timeout.reject(new Error(`its entry did not end within ${LOAD_TIMEOUT_MS / 1000} s`)),
    LOAD_TIMEOUT_MS,
  );
  try {
    const module: { default?: unknown } = await Promise.race([
      import(pathToFileURL(entry).href),
      timeout.promise,
    ]);
    return requirePlugin(module.default);
  } finally {
    clearTimeout(timer);
  }
}

/** Registers the components of the kinds this thread has, all or none. Throws an error for people. */
export function registerPlugin(plugin: Plugin, seams: Seams, guard: PluginGuard): LoadedComponent[] {
  const registered: Registered[] = [];
  const inOrder = [...plugin.components].sort(
    (left, right) => PLUGIN_KINDS.indexOf(left.kind) - PLUGIN_KINDS.indexOf(right.kind),
  );
  try {
    return inOrder.flatMap(({ kind, definition }) => {
      const added = seams[kind]?.(definition, guard);
      if (added === undefined) return [];
      registered.push(added);
      return [{ kind, id: definition.id, name: definition.name, wireType: added.wireType }];
    });
  } catch (error) {
    for (const each of registered) each.unregister();
    if (!(error instanceof NameClash)) throw error;
    throw new Error(`${error.message}. Give the component of this plugin another id`, { cause: error });
  }
}
