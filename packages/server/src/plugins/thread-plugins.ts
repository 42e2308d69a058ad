/** The plugins of one worker: loaded when it starts, before its journal is read. */
import { describeError, type PluginFault } from './fault.ts';
import { createPluginGuards, type GuardSettings } from './guard.ts';
import { importPlugin, type LoadablePlugin, registerPlugin } from './loading/load.ts';
import { installModuleHooks } from './loading/module-hooks.ts';
import { WORKER_SEAMS } from './loading/seams.ts';
import { pluginOfError } from './stray-errors.ts';

/** What a worker needs to load the plugins of its node. Plain data. */
export interface PluginAssignment extends Omit<GuardSettings, 'worker'> {
  readonly plugins: readonly LoadablePlugin[];
}

export interface ThreadPlugins {
  /** These plugins are switched off now. */
  switchedOff(plugins: readonly string[]): void;
  /** True: a plugin threw it, and that is counted. The thread may go on. */
  contain(error: unknown): boolean;
}

/**
 * Never rejects: a plugin that cannot be loaded here is a fault of that plugin.
 * @param worker undefined for a thread that is not a worker, which nothing watches
 */
export async function loadThreadPlugins(
  report: (fault: PluginFault) => void,
  assignment: PluginAssignment | undefined,
  worker: number | undefined,
): Promise<ThreadPlugins> {
  if (assignment === undefined) return { switchedOff() {}, contain: () => false };
  const { plugins, ...settings } = assignment;
  const guards = createPluginGuards(report, { ...settings, worker });
  if (plugins.length > 0) installModuleHooks(plugins.map(({ root }) => root));
  for (const plugin of plugins) {
    try {
      registerPlugin(await importPlugin(plugin), WORKER_SEAMS, guards.of(plugin.name));
    } catch (error) {
      const where = worker === undefined ? 'a thread' : `worker ${worker}`;
      guards.record(plugin.name, 'load', `loading it in ${where}: ${describeError(error)}`);
    }
  }
  return {
    switchedOff: guards.switchedOff,
    contain(error) {
      const plugin = pluginOfError(error, plugins);
      if (plugin === undefined) return false;
      guards.record(plugin, 'stray', `an error that nobody caught: ${describeError(error)}`);
      return true;
    },
  };
}
