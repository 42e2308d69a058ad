import { randomUUID } from 'node:crypto';
import { BoundedMap, type Clock, errorMessage } from '#core/index.ts';
import type { Logger } from '#telemetry/index.ts';

export type JobState = 'running' | 'complete' | 'cancelled' | 'error';

export interface JobView {
  readonly id: string;
  /** What kind of job: `delete-index`. */
  readonly name: string;
  readonly description: string;
  /** What it is doing now, or why it failed. */
  readonly info: string;
  readonly nodeId: string;
  readonly startedAt: number;
  readonly percentComplete: number;
  readonly isCancelable: boolean;
  readonly providesProgress: boolean;
  readonly state: JobState;
}

/** How a running job reports its progress. */
export interface JobProgress {
  /** Aborted when the job is cancelled or the node stops. */
  readonly signal: AbortSignal;
  percent(complete: number): void;
  info(text: string): void;
}

export interface JobDefinition {
  readonly name: string;
  readonly description: string;
  readonly info?: string;
  /** Operators can cancel it; it must honour the signal. */
  readonly isCancelable?: boolean;
  readonly providesProgress?: boolean;
  run(progress: JobProgress): Promise<void>;
}

export type CancelResult = 'cancelling' | 'unknown' | 'not-cancelable';

/**
 * Long-running work of this node in the background: deletions, recalculations. Jobs are lost when the node stops, so
 * whoever starts one must be able to start it again.
 */
export interface Jobs {
  /** Starts immediately and returns the job's id. A failing job is logged and shown with its reason. */
  start(definition: JobDefinition): string;
  /** Running jobs, oldest first. */
  list(): readonly JobView[];
  /** Also finds the most recently ended jobs. */
  find(id: string): JobView | undefined;
  cancel(id: string): CancelResult;
  /** Lets API clients start this kind of job by name. */
  offer(name: string, create: () => JobDefinition): void;
  /** Starts an offered job; undefined if no job of that name is offered. */
  startByName(name: string): string | undefined;
  offeredNames(): readonly string[];
  /** Aborts all jobs and waits for them. */
  stop(): Promise<void>;
}

export interface JobsSettings {
  readonly nodeId: string;
  /** How many ended jobs can be looked up. */
  readonly keepEnded?: number;
}

const DEFAULT_KEEP_ENDED = 100;

interface Job {
  view: JobView;
  readonly abort: AbortController;
  done: Promise<void>;
}

export function createJobs(
  deps: { readonly clock: Clock; readonly logger: Logger },
  settings: JobsSettings,
): Jobs {
  const running = new Map<string, Job>();
  const offers = new Map<string, () => JobDefinition>();
  const ended = new BoundedMap<string, JobView>({ maxEntries: settings.keepEnded ?? DEFAULT_KEEP_ENDED });

  function end(job: Job, outcome: Pick<JobView, 'state'> & Partial<JobView>): void {
    const { id } = job.view;
    running.delete(id);
    ended.set(id, { ...job.view, ...outcome, isCancelable: false });
  }

  async function execute(job: Job, definition: JobDefinition): Promise<void> {
    const { signal } = job.abort;
    try {
      await definition.run(progressOf(job));
      end(job, signal.aborted ? { state: 'cancelled' } : { state: 'complete', percentComplete: 100 });
    } catch (error) {
      if (signal.aborted) return end(job, { state: 'cancelled' });
      deps.logger.error({ job: definition.name, id: job.view.id, err: error }, 'a system job failed');
      end(job, { state: 'error', info: errorMessage(error) });
    }
  }

  function start(definition: JobDefinition): string {
    const view: JobView = {
      id: randomUUID(),
      name: definition.name,
      description: definition.description,
      info: definition.info ?? '',
      nodeId: settings.nodeId,
      startedAt: deps.clock.now(),
      percentComplete: 0,
      isCancelable: definition.isCancelable ?? false,
      providesProgress: definition.providesProgress ?? false,
      state: 'running',
    };
    const job: Job = { view, abort: new AbortController(), done: Promise.resolve() };
    running.set(view.id, job);
    job.done = execute(job, definition);
    return view.id;
  }

  return {
    start,
    list: () => [...running.values()].map((job) => job.view),
    find: (id) => running.get(id)?.view ?? ended.get(id),
    cancel(id) {
      const job = running.get(id);
      if (job === undefined) return ended.has(id) ? 'not-cancelable' : 'unknown';
      if (!job.view.isCancelable) return 'not-cancelable';
      job.abort.abort();
      return 'cancelling';
    },
    offer: (name, create) => void offers.set(name, create),
    startByName(name) {
      const create = offers.get(name);
      return create && start(create());
    },
    offeredNames: () => [...offers.keys()].sort(),
    async stop() {
      const jobs = [...running.values()];
      for (const job of jobs) job.abort.abort();
      await Promise.all(jobs.map((job) => job.done));
    },
  };
}

function progressOf(job: Job): JobProgress {
  return {
    signal: job.abort.signal,
    percent: (complete) => {
      job.view = { ...job.view, percentComplete: Math.floor(Math.min(100, Math.max(0, complete))) };
    },
    info: (text) => {
      job.view = { ...job.view, info: text };
    },
  };
}
