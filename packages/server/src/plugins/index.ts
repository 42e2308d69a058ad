/** What the workers use of this folder; the main thread uses `service.ts`. */
export type { PluginFault } from './fault.ts';
export type { LoadablePlugin } from './loading/load.ts';
export type { PluginAssignment, ThreadPlugins } from './thread-plugins.ts';
export { loadThreadPlugins } from './thread-plugins.ts';
