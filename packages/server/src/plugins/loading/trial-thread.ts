/** The thread in which plugins are loaded for the first time: see `trial.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { describeError } from '../fault.ts';
import { importPlugin, type LoadablePlugin } from './load.ts';
import { installModuleHooks } from './module-hooks.ts';
import type { TrialMessage } from './trial.ts';

const plugins = workerData as readonly LoadablePlugin[];
const post = (message: TrialMessage) => parentPort?.postMessage(message);
installModuleHooks(plugins.map(({ root }) => root));
// So that its time does not count as that of the first plugin.
await import('../api.ts');
post({ kind: 'ready' });
for (const plugin of plugins) {
  const error = await importPlugin(plugin).then(() => undefined, describeError);
  post({ kind: 'tried', error });
}
