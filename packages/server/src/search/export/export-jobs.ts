/**
 * Exports whose progress can be watched. Creating one counts the messages; its file is made while it is downloaded, so
 * nothing is stored. This node keeps what it knows of an export for a while; the oldest are forgotten first.
 */
import type { Readable } from 'node:stream';
import type { ExportJob, ExportJobCreated } from '@millrace/contract';
import {
  type Clock,
  ConflictError,
  NotFoundError,
  newEntityId,
  type Principal,
  TooManyRequestsError,
} from '#core/index.ts';
import type { RunOptions, SearchInput } from '../execution/index.ts';
import type { ExportProgress, ExportRequest, Exports } from './exports.ts';
import type { ExportFormat } from './formats.ts';

export interface ExportFile {
  readonly file: Readable;
  readonly format: ExportFormat;
  /** The servers whose messages are not in it. */
  readonly missing: readonly string[] | undefined;
}

/** Only the owner of an export can see it; for all others it does not exist (`NotFoundError`). */
export interface ExportJobs {
  /** Rejects as `Searches` does, and with `TooManyRequestsError` while too many exports of the user are running. */
  create(
    principal: Principal,
    request: ExportRequest,
    options?: Pick<RunOptions, 'signal'>,
  ): Promise<ExportJobCreated>;
  status(principal: Principal, id: string): ExportJob;
  /** Stops it if it runs, and forgets it. */
  remove(principal: Principal, id: string): ExportJob;
  /** The file, from its beginning. Rejects with `ConflictError` while it is downloaded already. */
  open(principal: Principal, id: string, options?: Pick<RunOptions, 'signal'>): Promise<ExportFile>;
}

export interface ExportJobsDeps {
  readonly exports: Exports;
  readonly count: (
    principal: Principal,
    input: SearchInput,
    options?: Pick<RunOptions, 'signal'>,
  ) => Promise<number>;
  readonly clock: Clock;
}

interface Job {
  readonly id: string;
  readonly userId: string;
  readonly request: ExportRequest;
  readonly total: number;
  state: ExportJob['state'];
  progress: ExportProgress;
  message?: string;
  missing?: readonly string[];
  stop?: () => void;
  changedAt: number;
}

const MAX_JOBS_OF_USER = 20;
const MAX_JOBS = 200;
const KEEP_MS = 3_600_000;
const RETRY_AFTER_SECONDS = 30;

export function createExportJobs({ exports, count, clock }: ExportJobsDeps): ExportJobs {
  const jobs = createJobList(clock);

  return {
    async create(principal, request, options) {
      jobs.makeRoom(principal);
      const found = await count(principal, request, options);
      const total = Math.min(
        Math.max(0, found - (request.offset ?? 0)),
        request.limit ?? Number.MAX_SAFE_INTEGER,
      );
      const job: Job = {
        id: newEntityId(clock.now()),
        userId: principal.userId,
        request,
        total,
        state: 'waiting',
        progress: { rows: 0, bytes: 0 },
        changedAt: clock.now(),
      };
      jobs.add(principal, job);
      return { id: job.id, total };
    },
    status: (principal, id) => viewOf(jobs.find(principal, id)),
    remove(principal, id) {
      const job = jobs.find(principal, id);
      if (job.state === 'waiting' || job.state === 'running') job.state = 'cancelled';
      job.stop?.();
      jobs.remove(job);
      return viewOf(job);
    },
    async open(principal, id, options) {
      const job = jobs.find(principal, id);
      if (job.state === 'running') {
        throw new ConflictError(`Export ${id} is downloaded already. Cancel it, or create another one.`);
      }
      job.state = 'running';
      job.progress = { rows: 0, bytes: 0 };
      delete job.message;
      delete job.missing;
      job.changedAt = clock.now();
      const stopping = new AbortController();
      job.stop = () => stopping.abort(cancelled());
      try {
        const file = await exports.open(principal, job.request, {
          signal: AbortSignal.any([stopping.signal, ...(options?.signal ? [options.signal] : [])]),
          progress: (progress) => {
            job.progress = progress;
          },
          missing: (servers) => {
            job.missing = servers;
          },
        });
        follow(job, file, options?.signal, clock);
        return { file, format: job.request.format, missing: job.missing };
      } catch (error) {
        if (job.state === 'running') job.state = options?.signal?.aborted ? 'cancelled' : 'failed';
        if (job.state === 'failed') job.message = error instanceof Error ? error.message : String(error);
        throw error;
      }
    },
  };
}

/** Keeps the state of a job up to date while its file is read. */
function follow(job: Job, file: Readable, connection: AbortSignal | undefined, clock: Clock): void {
  const stopSearch = job.stop;
  job.stop = () => {
    // A file that waits for the engine is destroyed only when the engine answers.
    stopSearch?.();
    file.destroy(cancelled());
  };
  const end = (state: ExportJob['state'], message?: string) => {
    if (job.state !== 'running') return;
    job.state = state;
    if (message !== undefined) job.message = message;
    delete job.stop;
    job.changedAt = clock.now();
  };
  file.once('end', () => end('done'));
  // When the connection ends, what fails is only what was made for it.
  file.once('error', (error) => (connection?.aborted ? end('cancelled') : end('failed', error.message)));
  // Whoever reads it has left, or it was stopped.
  file.once('close', () => end('cancelled'));
}

function cancelled(): ConflictError {
  return new ConflictError('The export was cancelled.');
}

/** All exports of the node, in the order they were created. */
function createJobList(clock: Clock) {
  const jobs = new Map<string, Job>();

  function forget(isForgotten: (job: Job) => boolean): void {
    for (const job of jobs.values()) if (job.state !== 'running' && isForgotten(job)) jobs.delete(job.id);
  }

  function forgetOldest(of: () => Job[], keep: number): void {
    const idle = of().filter(({ state }) => state !== 'running');
    for (const job of idle.slice(0, Math.max(0, of().length - keep))) jobs.delete(job.id);
  }

  function makeRoom({ userId }: Principal): void {
    forget(({ changedAt }) => changedAt < clock.now() - KEEP_MS);
    const own = () => [...jobs.values()].filter((job) => job.userId === userId);
    forgetOldest(own, MAX_JOBS_OF_USER - 1);
    forgetOldest(() => [...jobs.values()], MAX_JOBS - 1);
    if (own().length >= MAX_JOBS_OF_USER || jobs.size >= MAX_JOBS) {
      throw new TooManyRequestsError(
        `${own().length} of your exports are running. Wait for one of them, or cancel it.`,
        RETRY_AFTER_SECONDS,
      );
    }
  }

  return {
    makeRoom,
    add(principal: Principal, job: Job): void {
      makeRoom(principal);
      jobs.set(job.id, job);
    },
    remove: (job: Job) => void jobs.delete(job.id),
    find({ userId }: Principal, id: string): Job {
      forget(({ changedAt }) => changedAt < clock.now() - KEEP_MS);
      const job = jobs.get(id);
      if (job?.userId === userId) return job;
      throw new NotFoundError(
        `Export ${id} not found! Exports are kept for ${KEEP_MS / 60_000} minutes, on the node that created them.`,
      );
    },
  };
}

function viewOf({ id, state, request, total, progress, message, missing }: Job): ExportJob {
  return {
    id,
    state,
    format: request.format,
    total,
    ...progress,
    ...(message !== undefined && { message }),
    ...(missing && { missing_servers: [...missing] }),
  };
}
