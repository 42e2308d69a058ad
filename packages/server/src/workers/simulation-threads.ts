import { Worker as Thread } from 'node:worker_threads';
import { createTurns, errorMessage, PermanentError, type Startable, UnavailableError } from '#core/index.ts';
import type { LookupRequests, LookupSnapshot, RemoteAnswer, Reply } from '#lookup/index.ts';
import type { PluginAssignment } from '#plugins/index.ts';
import type { SimulatedMessage, SimulationAnswer, SimulationSettings } from '#processing/index.ts';
import type { OpenSimulation, Simulations } from '#processing/service.ts';
import type { Logger } from '#telemetry/index.ts';

export type ToSimulation =
  | {
      readonly kind: 'open';
      readonly settings: SimulationSettings;
      readonly lookup: LookupSnapshot | undefined;
    }
  | { readonly kind: 'run'; readonly messages: readonly SimulatedMessage[] }
  | { readonly kind: 'lookup-answers'; readonly answers: readonly RemoteAnswer[] };

/** An answer to `run`, or why there is none. Before that, what its rules look up elsewhere. */
export type FromSimulation =
  | { readonly answer: SimulationAnswer }
  | { readonly error: string }
  | { readonly lookup: LookupRequests };

export interface SimulationThreadsSettings {
  readonly logger: Pick<Logger, 'warn'>;
  readonly plugins?: PluginAssignment;
  /** The lookup tables as they are now. */
  readonly lookup?: SimulationLookup;
  /** For one answer; tests set it. */
  readonly maxRunMs?: number;
  /** How long a thread waits for the next simulation; tests set it. */
  readonly idleMs?: number;
}

export interface SimulationLookup {
  snapshot(): LookupSnapshot | undefined;
  serve(requests: LookupRequests, reply: Reply): void;
}

const ENTRY = new URL('./simulation-entry.ts', import.meta.url);
/** As for workers: see `pool.ts`. */
const FLAGS = ['--disable-warning=ExperimentalWarning'];
const MAX_RUN_MS = 30_000;
/** Somebody who writes a rule tries it again within this time, and a thread takes a while to start. */
const IDLE_MS = 60_000;
/** What rules make of one lot of messages, and the lookup tables. More ends the thread, and the node goes on. */
const MAX_HEAP_MB = 1024;

/** Simulations run in threads of their own: rules may take long, and neither the API nor the workers wait for them. */
export function createSimulationThreads(settings: SimulationThreadsSettings): Simulations & Startable {
  const { logger, plugins, lookup, maxRunMs = MAX_RUN_MS, idleMs = IDLE_MS } = settings;
  const turns = createTurns({
    max: 2,
    maxWaiting: 10,
    refusal: 'Too many simulations of pipelines are waiting; try again.',
  });
  /** At most one waits for the next simulation. */
  let idle: { readonly thread: Thread; readonly timer: NodeJS.Timeout } | undefined;
  const running = new Set<Thread>();
  let isStopped = false;

  /** The thread that waits, which then waits no more. */
  function takeIdle(): Thread | undefined {
    const known = idle;
    if (known !== undefined) clearTimeout(known.timer);
    idle = undefined;
    return known?.thread;
  }

  function startThread(): Thread {
    const thread = new Thread(ENTRY, {
      workerData: plugins,
      execArgv: FLAGS,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    // It must not keep the process alive, and its end is seen by whoever waits for an answer.
    thread.unref();
    thread.on('error', (error) => {
      logger.warn({ reason: errorMessage(error) }, 'a thread for simulations of pipelines has failed');
    });
    thread.on('exit', () => {
      if (idle?.thread === thread) takeIdle();
    });
    return thread;
  }

  async function giveBack(thread: Thread, isUsable: boolean): Promise<void> {
    running.delete(thread);
    if (isUsable && !isStopped && idle === undefined) {
      const timer = setTimeout(() => void takeIdle()?.terminate(), idleMs).unref();
      idle = { thread, timer };
    } else await thread.terminate();
    turns.end();
  }

  return {
    name: 'simulations',
    async start() {},
    async stop() {
      isStopped = true;
      const last = takeIdle();
      await Promise.all(
        [...running, ...(last === undefined ? [] : [last])].map((thread) => thread.terminate()),
      );
    },
    async open(opened, signal) {
      await turns.take(signal);
      if (isStopped) {
        turns.end();
        throw new UnavailableError('The node is stopping.');
      }
      const thread = takeIdle() ?? startThread();
      running.add(thread);
      return openSimulation(thread, opened, lookup, { maxRunMs, giveBack });
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
  lookup: SimulationLookup | undefined,
  { maxRunMs, giveBack }: ThreadUse,
): OpenSimulation {
  let isIdle = true;
  let isClosed = false;
  // It may end before anything is asked.
  const ended = new AbortController();
  const end = () => ended.abort(new UnavailableError('The simulation ended early; try again.'));
  thread.once('exit', end);
  const serve = (message: FromSimulation) => {
    if ('lookup' in message)
      lookup?.serve(message.lookup, (answers) => send({ kind: 'lookup-answers', answers }));
  };
  const send = (message: ToSimulation) => thread.postMessage(message);
  thread.on('message', serve);
  send({ kind: 'open', settings, lookup: lookup?.snapshot() });
  return {
    async run(messages) {
      ended.signal.throwIfAborted();
      isIdle = false;
      const answer = answerOf(thread, ended.signal, maxRunMs);
      send({ kind: 'run', messages });
      const result = await answer;
      isIdle = true;
      return result;
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      thread.off('exit', end);
      thread.off('message', serve);
      // A thread that has not answered is still busy.
      void giveBack(thread, isIdle && !ended.signal.aborted);
    },
  };
}

function answerOf(thread: Thread, ended: AbortSignal, maxRunMs: number): Promise<SimulationAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<SimulationAnswer>();
  const answered = (message: FromSimulation) => {
    if ('answer' in message) resolve(message.answer);
    else if ('error' in message) reject(new PermanentError(`the simulation failed: ${message.error}`));
  };
  const end = () => reject(ended.reason);
  const timer = setTimeout(
    () => reject(new UnavailableError(`The rules took longer than ${maxRunMs} ms.`)),
    maxRunMs,
  );
  thread.on('message', answered);
  ended.addEventListener('abort', end);
  return promise.finally(() => {
    clearTimeout(timer);
    thread.off('message', answered);
    ended.removeEventListener('abort', end);
  });
}
