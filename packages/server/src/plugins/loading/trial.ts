import { Worker } from 'node:worker_threads';
import { describeError } from '../fault.ts';
import { pluginOfError } from '../stray-errors.ts';
import type { LoadablePlugin } from './load.ts';

/** What the thread says: that it begins, then the result of each plugin, in their order. */
export type TrialMessage =
  | { readonly kind: 'ready' }
  /** Undefined: all is well. */
  | { readonly kind: 'tried'; readonly error: string | undefined };

const TRIAL_THREAD = new URL('./trial-thread.ts', import.meta.url);
const TRIAL_TIMEOUT_MS = 15_000;
/** Until the thread itself runs: that takes long only on a machine that has no time at all. */
const START_TIMEOUT_MS = 120_000;

/**
 * Loads plugins in a thread that is then thrown away. An entry that throws, ends its process, never returns or takes all
 * memory does so there, before it gets near the rest of the node. Resolves with why plugins cannot be loaded, by name.
 */
export async function tryPlugins(
  plugins: readonly LoadablePlugin[],
  timeoutMs = TRIAL_TIMEOUT_MS,
): Promise<ReadonlyMap<string, string>> {
  const failures = new Map<string, string>();
  let waiting = plugins;
  while (waiting.length > 0) {
    const { loaded, errors, ending, strayedFrom } = await runThread(waiting, timeoutMs);
    for (const [name, error] of errors) failures.set(name, error);
    const loading = waiting[loaded];
    if (loading === undefined) break;
    // One that was loaded before may have ended the thread with a timer; otherwise it was the one that was being loaded.
    const earlier = waiting.slice(0, loaded).find(({ name }) => name === strayedFrom);
    failures.set((earlier ?? loading).name, ending);
    // The others get another thread.
    waiting = waiting.slice(earlier === undefined ? loaded + 1 : loaded);
  }
  return failures;
}

interface ThreadResult {
  /** How many plugins it has said something about. */
  readonly loaded: number;
  readonly errors: ReadonlyMap<string, string>;
  /** How it ended. */
  readonly ending: string;
  /** The plugin in whose code an error was thrown that nobody caught. */
  readonly strayedFrom: string | undefined;
}

async function runThread(plugins: readonly LoadablePlugin[], timeoutMs: number): Promise<ThreadResult> {
  const worker = new Worker(TRIAL_THREAD, {
    workerData: plugins,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const ended = Promise.withResolvers<string>();
  const errors = new Map<string, string>();
  let loaded = 0;
  let strayedFrom: string | undefined;
  const endAfter = (limitMs: number) =>
    setTimeout(() => ended.resolve(`loading it took longer than ${limitMs / 1000} s`), limitMs);
  let timer = endAfter(START_TIMEOUT_MS);
  worker.on('message', (message: TrialMessage) => {
    clearTimeout(timer);
    timer = endAfter(timeoutMs);
    if (message.kind === 'ready') return;
    const plugin = plugins[loaded];
    if (plugin !== undefined && message.error !== undefined) errors.set(plugin.name, message.error);
    loaded += 1;
    if (loaded === plugins.length) ended.resolve('');
  });
  worker.on('error', (error) => {
    strayedFrom = pluginOfError(error, plugins);
    ended.resolve(describeError(error));
  });
  worker.on('exit', (code) => ended.resolve(`it ended its thread with code ${code} while it was loaded`));
  const ending = await ended.promise;
  clearTimeout(timer);
  await worker.terminate();
  return { loaded, errors, ending, strayedFrom };
}
