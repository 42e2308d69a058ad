/**
 * Searches that run in the background. This node keeps their answers for a while, up to a total size; the oldest are
 * dropped first.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { ViewSearchRequest, ViewSearchResult } from '@millrace/contract';
import { type Clock, NotFoundError, newEntityId, type Principal, TooManyRequestsError } from '#core/index.ts';
import type { SearchCaller } from '../search-caller.ts';
import { approximateSize } from './result-size.ts';
import { requireDistinctIds, type ViewSearches } from './view-search.ts';

export type ViewJob = Omit<ViewSearchResult, 'executing_node'>;

/** Only the owner of a job can see it; for all others it does not exist (`NotFoundError`). */
export interface ViewJobs {
  /** Throws `TooManyRequestsError` when the caller has too many running jobs, and `InvalidError` for an id used twice. */
  start(principal: Principal, request: ViewSearchRequest): ViewJob;
  /**
   * Waits for the answers, at most `timeoutMs`; the job then continues in the background. Until then, the caller's signal
   * cancels the job. Rejects if the job fails.
   */
  startAndWait(caller: SearchCaller, request: ViewSearchRequest, timeoutMs: number): Promise<ViewJob>;
  /** Throws the error if the job failed as a whole. */
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
const KEEP_FINISHED_MS = 5 * 60_000;
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
  /** The size of its answers in bytes. */
  size: number;
}

export function createViewJobs({ views, clock }: ViewJobsDeps): ViewJobs {
  const jobs = createJobList(clock);

  function startJob(principal: Principal, request: ViewSearchRequest): Job {
    requireDistinctIds(request);
    const running = jobs.runningOf(principal);
    if (running >= MAX_RUNNING_OF_USER) {
      throw new TooManyRequestsError(
        `You are already running ${running} searches. Wait for one of them, or cancel it.`,
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
    start: (principal, request) => viewOf(startJob(principal, request)),
    async startAndWait({ principal, signal }, request, timeoutMs) {
      const job = startJob(principal, request);
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
      // The caller has the answers and will not fetch them again.
      if (job.finishedAt !== undefined) jobs.remove(job);
      return viewOf(job);
    },
    status: (principal, jobId) => viewOf(jobs.find(principal, jobId)),
    cancel(principal, jobId) {
      jobs.find(principal, jobId).controller.abort(new Error('the search was cancelled'));
    },
  };
}

/** All jobs of the node, in the order they were started. Every access evicts old ones. */
function createJobList(clock: Clock) {
  const jobs = new Map<string, Job>();

  /** Removes finished jobs that are too old, and the oldest ones beyond the limits. */
  function evict(): void {
    const finished = [...jobs.values()].filter(({ finishedAt }) => finishedAt !== undefined);
    let size = finished.reduce((sum, job) => sum + job.size, 0);
    let count = finished.length;
    const oldest = clock.now() - KEEP_FINISHED_MS;
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
      evict();
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
      evict();
      const job = jobs.get(jobId);
      if (job?.userId === userId) return job;
      throw new NotFoundError(
        `Search job ${jobId} not found! Results are kept for ${KEEP_FINISHED_MS / 60_000} minutes, on the node that ran the search.`,
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
