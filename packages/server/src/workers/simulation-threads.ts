import { Worker as Thread } from 'node:worker_threads';
import { createTurns, PermanentError, type Startable, UnavailableError } from '#core/index.ts';
import type { LookupSnapshot } from '#lookup/index.ts';
import type { PluginAssignment } from '#plugins/index.ts';
import type { SimulatedMessage, SimulationAnswer, SimulationSettings } from '#processing/index.ts';
import type { OpenSimulation, Simulations } from '#processing/service.ts';

export type ToSimulation =
  | {
      readonly kind: 'open';
      readonly settings: SimulationSettings;
      readonly lookup: LookupSnapshot | undefined;
    }
  | { readonly kind: 'run'; readonly messages: readonly SimulatedMessage[] };

/** An answer to `run`, or why there is none. */
export type FromSimulation = { readonly answer: SimulationAnswer } | { readonly error: string };

export interface SimulationThreadsSettings {
  readonly plugins?: PluginAssignment;
  /** The lookup tables as they are now. */
  readonly lookups?: () => LookupSnapshot | undefined;
  /** For one answer; tests set it. */
  readonly maxRunMs?: number;
}

const ENTRY = new URL('./simulation-entry.ts', import.meta.url);
/** As for workers: see `pool.ts`. */
const FLAGS = ['--disable-warning=ExperimentalWarning'];
const MAX_RUN_MS = 30_000;
/** Somebody who writes a rule tries it again within this time, and a thread takes a while to start. */
const IDLE_MS = 60_000;

/** Simulations run in threads of their own: rules may take long, and neither the API nor the workers wait for them. */
export function createSimulationThreads(settings: SimulationThreadsSettings = {}): Simulations & Startable {
  const { plugins, lookups = () => undefined, maxRunMs = MAX_RUN_MS } = settings;
  const turns = createTurns({
    max: 2,
    maxWaiting: 10,
    refusal: 'Too many simulations of pipelines are waiting; try again.',
  });
  /** At most one waits for the next simulation. */
  let idle: { readonly thread: Thread; readonly timer: NodeJS.Timeout } | undefined;
  const running = new Set<Thread>();
  let isStopped = false;

  function takeThread(): Thread {
    const known = idle?.thread;
    if (idle !== undefined) clearTimeout(idle.timer);
    idle = undefined;
    if (known !== undefined) return known;
    const thread = new Thread(ENTRY, { workerData: plugins, execArgv: FLAGS });
    // It must not keep the process alive, and its end is seen by whoever waits for an answer.
    thread.unref();
    thread.on('error', () => {});
    thread.on('exit', () => {
      if (idle?.thread === thread) {
        clearTimeout(idle.timer);
        idle = undefined;
      }
    });
    return thread;
  }

  async function giveBack(thread: Thread, isUsable: boolean): Promise<void> {
    running.delete(thread);
    if (isUsable && !isStopped && idle === undefined) {
      idle = { thread, timer: setTimeout(() => void thread.terminate(), IDLE_MS).unref() };
    } else await thread.terminate();
    turns.end();
  }

  return {
    name: 'simulations',
    async start() {},
    async stop() {
      isStopped = true;
      if (idle !== undefined) clearTimeout(idle.timer);
      await Promise.all(
        [...running, ...(idle === undefined ? [] : [idle.thread])].map((thread) => thread.terminate()),
      );
    },
    async open(opened) {
      await turns.take();
      if (isStopped) {
        turns.end();
        throw new UnavailableError('The node is stopping.');
      }
      const thread = takeThread();
      running.add(thread);
      return openSimulation(thread, opened, lookups(), { maxRunMs, giveBack });
    },
  };
}

interface ThreadUse {
  readonly maxRunMs: number;
  giveBack(thread: Thread, isUsable: boolean): Promise<void>;
}

function openSimulation(
  thread: Thread,
  settings: SimulationSettings,
  lookup: LookupSnapshot | undefined,
  { maxRunMs, giveBack }: ThreadUse,
): OpenSimulation {
  let isIdle = true;
  let isClosed = false;
  thread.postMessage({ kind: 'open', settings, lookup } satisfies ToSimulation);
  return {
    async run(messages) {
      isIdle = false;
      const answer = answerOf(thread, maxRunMs);
      thread.postMessage({ kind: 'run', messages } satisfies ToSimulation);
      const result = await answer;
      isIdle = true;
      return result;
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      // A thread that has not answered is still busy.
      void giveBack(thread, isIdle);
    },
  };
}

function answerOf(thread: Thread, maxRunMs: number): Promise<SimulationAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<SimulationAnswer>();
  const answered = (message: FromSimulation) => {
    if ('answer' in message) resolve(message.answer);
    else reject(new PermanentError(`the simulation failed: ${message.error}`));
  };
  const ended = () => reject(new UnavailableError('The simulation ended early; try again.'));
  const timer = setTimeout(
    () => reject(new UnavailableError(`The rules took longer than ${maxRunMs} ms.`)),
    maxRunMs,
  );
  thread.on('message', answered);
  thread.on('exit', ended);
  return promise.finally(() => {
    clearTimeout(timer);
    thread.off('message', answered);
    thread.off('exit', ended);
  });
}
