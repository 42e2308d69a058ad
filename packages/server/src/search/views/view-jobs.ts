/**
 * Searches that run while nobody waits for them. Their answers are kept on this node for a while, up to a bound for all
 * together; the oldest go first.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { ViewSearchRequest, ViewSearchResult } from '@millrace/contract';
import { type Clock, NotFoundError, newEntityId, type Principal, TooManyRequestsError } from '#core/index.ts';
import type { SearchCaller } from '../search-caller.ts';
import { approximateSize } from './result-size.ts';
import type { ViewSearches } from './view-search.ts';

export type ViewJob = Omit<ViewSearchResult, 'executing_node'>;

/** Jobs are their owner's alone: to all others they are not there (`NotFoundError`). */
export interface ViewJobs {
  /** Rejects with `TooManyRequestsError` when too many of the caller's are running. */
  start(principal: Principal, request: ViewSearchRequest): ViewJob;
  /** Waits for the answers, at most so long: then the job goes on. It ends with the caller. Rejects as it does. */
  startAndWait(caller: SearchCaller, request: ViewSearchRequest, timeoutMs: number): Promise<ViewJob>;
  /** Throws what a job has failed of as a whole. */
  status(principal: Principal, jobId: string): ViewJob;
  cancel(principal: Principal, jobId: string): void;
}

export interface ViewJobsDeps {
  readonly views: ViewSearches;
  readonly clock: Clock;
}

const MAX_RUNNING_OF_USER = 10;
const MAX_FINISHED = 500;
const MAX_FINISHED_SIZE = 128 * 2 ** 20;
const FINISHED_FOR_MS = 5 * 60_000;
const RETRY_AFTER_SECONDS = 5;

interface Job {
  readonly id: string;
  readonly userId: string;
  readonly username: string;
  readonly searchId: string;
  readonly controller: AbortController;
  /** Never rejects. */
  readonly done: Promise<void>;
  result?: ViewJob;
  failure?: { readonly error: unknown };
  finishedAt?: number;
  /** Of its answers, in bytes. */
  size: number;
}

export function createViewJobs({ views, clock }: ViewJobsDeps): ViewJobs {
  const jobs = createJobList(clock);

  function begin(principal: Principal, request: ViewSearchRequest): Job {
    const running = jobs.runningOf(principal);
    if (running >= MAX_RUNNING_OF_USER) {
      throw new TooManyRequestsError(
        `${running} searches of yours are running already. Wait for one of them, or cancel it.`,
        RETRY_AFTER_SECONDS,
      );
    }
    const controller = new AbortController();
    const id = newEntityId(clock.now());
    const searchId = request.id ?? newEntityId(clock.now());
    const done = views.run({ principal, signal: controller.signal }, request).then(
      (result) => {
        job.result = { ...result, id, search_id: searchId };
        job.size = approximateSize(result.results);
        job.finishedAt = clock.now();
      },
      (error: unknown) => {
        job.failure = { error };
        job.finishedAt = clock.now();
      },
    );
    const { userId, username } = principal;
    const job: Job = { id, userId, username, searchId, controller, done, size: 0 };
    jobs.add(job);
    return job;
  }

  return {
    start: (principal, request) => viewOf(begin(principal, request)),
    async startAndWait({ principal, signal }, request, timeoutMs) {
      const job = begin(principal, request);
      const waited = new AbortController();
      const leave = () => job.controller.abort(signal?.reason);
      signal?.addEventListener('abort', leave, { once: true });
      if (signal?.aborted) leave();
      try {
        await Promise.race([job.done, delay(timeoutMs, undefined, { signal: waited.signal })]);
      } finally {
        waited.abort();
        signal?.removeEventListener('abort', leave);
      }
      // Who has the answers does not come back for them.
      if (job.finishedAt !== undefined) jobs.remove(job);
      return viewOf(job);
    },
    status: (principal, jobId) => viewOf(jobs.find(principal, jobId)),
    cancel(principal, jobId) {
      jobs.find(principal, jobId).controller.abort(new Error('the search was cancelled'));
    },
  };
}

/** All jobs of the node, in the order they were started. What is over is forgotten whenever somebody looks. */
function createJobList(clock: Clock) {
  const jobs = new Map<string, Job>();

  /** Forgets what is old, and the oldest of what is too much. */
  function tidy(): void {
    const finished = [...jobs.values()].filter(({ finishedAt }) => finishedAt !== undefined);
    let size = finished.reduce((sum, job) => sum + job.size, 0);
    let count = finished.length;
    const oldest = clock.now() - FINISHED_FOR_MS;
    for (const job of finished) {
      const isOld = (job.finishedAt ?? 0) < oldest;
      if (!isOld && size <= MAX_FINISHED_SIZE && count <= MAX_FINISHED) continue;
      jobs.delete(job.id);
      size -= job.size;
      count -= 1;
    }
  }

  return {
    add(job: Job): void {
      tidy();
      jobs.set(job.id, job);
    },
    remove(job: Job): void {
      jobs.delete(job.id);
    },
    runningOf({ userId }: Principal): number {
      const own = [...jobs.values()].filter((job) => job.userId === userId);
      return own.filter(({ finishedAt }) => finishedAt === undefined).length;
    },
    find({ userId }: Principal, jobId: string): Job {
      tidy();
      const job = jobs.get(jobId);
      if (job?.userId === userId) return job;
      throw new NotFoundError(
        `Search job ${jobId} not found! Answers are kept for ${FINISHED_FOR_MS / 60_000} minutes, on the node that executed it.`,
      );
    },
  };
}

function viewOf(job: Job): ViewJob {
  const { result, failure, controller } = job;
  if (result !== undefined) return result;
  const cancelled = controller.signal.aborted;
  if (failure !== undefined && !cancelled) throw failure.error;
  return {
    id: job.id,
    search_id: job.searchId,
    owner: job.username,
    execution: {
      done: failure !== undefined || cancelled,
      cancelled,
      completed_exceptionally: failure !== undefined || cancelled,
    },
    results: {},
  };
}
