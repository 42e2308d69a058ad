/** The thread in which plugins are loaded for the first time: see `trial.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { describeError } from '../fault.ts';
import { importPlugin, type LoadablePlugin } from './load.ts';
import { installModuleHooks } from './module-hooks.ts';
import type { TrialResult } from './trial.ts';

const plugins = workerData as readonly LoadablePlugin[];
installModuleHooks(plugins.map(({ root }) => root));
for (const plugin of plugins) {
  const error = await importPlugin(plugin).then(() => undefined, describeError);
  parentPort?.postMessage({ error } satisfies TrialResult);
}
