import type { PluginState, PluginView } from '@millrace/contract';
import type { FoundPlugin, UnusablePlugin } from '../loading/discover.ts';
import type { LoadedComponent } from '../loading/load.ts';

/** A plugin as the main thread knows it. */
export interface KnownPlugin extends FoundPlugin {
  readonly components: readonly LoadedComponent[];
  /** Why it could not be loaded. */
  readonly failure: string | undefined;
}

export interface PluginStanding {
  readonly state: PluginState;
  readonly reason: string | null;
  readonly faults: number;
}

export function pluginView(plugin: KnownPlugin, { state, reason, faults }: PluginStanding): PluginView {
  return {
    unique_id: plugin.name,
    name: plugin.name,
    version: plugin.version,
    author: plugin.author,
    url: plugin.url,
    description: plugin.description,
    required_version: plugin.api,
    required_capabilities: ['SERVER'],
    state,
    reason,
    faults,
    path: plugin.root,
    sha256: plugin.sha256,
    components: plugin.components.map(({ kind, wireType, name }) => ({ kind, type: wireType, name })),
  };
}

/** What is known of something that is not a plugin this node can load. */
export function unusableView({ name, place, reason }: UnusablePlugin): PluginView {
  return {
    unique_id: name,
    name,
    version: '',
    author: '',
    url: '',
    description: '',
    required_version: '',
    required_capabilities: [],
    state: 'failed',
    reason,
    faults: 0,
    path: place,
    sha256: null,
    components: [],
  };
}
