import {
  jobIdParameter,
  type SystemJob,
  type SystemJobList,
  systemJobListSchema,
  systemJobRequestSchema,
  systemJobSchema,
  systemJobStartedSchema,
} from '@millrace/contract';
import { z } from 'zod';
import {
  type AuditLog,
  type Caller,
  ForbiddenError,
  InvalidError,
  NotFoundError,
  type Principal,
  recordAction,
} from '#core/index.ts';
import type { Jobs, JobView } from '#system/service.ts';
import { defineRoute, type Route } from '../route.ts';

export interface JobRouteDeps {
  readonly jobs: Jobs;
  readonly audit: AuditLog;
}

const tag = 'System/Jobs';
const params = z.object({ jobId: jobIdParameter });

export function jobRoutes(deps: JobRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/system/jobs',
      tag,
      summary: 'List the running jobs of this node',
      permission: { kind: 'authenticated' },
      responses: { 200: systemJobListSchema },
      errors: [],
      handler: ({ principal }) => readableJobs(deps.jobs, principal),
    }),
    defineRoute({
      method: 'GET',
      path: '/system/jobs/:jobId',
      tag,
      summary: 'Get a job of this node, running or recently ended',
      permission: 'systemjobs:read',
      instance: ({ jobId }) => jobId,
      params,
      responses: { 200: systemJobSchema },
      errors: ['not_found'],
      handler: ({ params: { jobId } }) => jobOf(deps.jobs, jobId),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/system/jobs/:jobId',
      tag,
      summary: 'Cancel a job of this node',
      description: 'Refused with 403 if the job cannot be cancelled.',
      permission: 'systemjobs:delete',
      instance: ({ jobId }) => jobId,
      params,
      responses: { 200: systemJobSchema },
      errors: ['not_found'],
      handler: (request) => cancelJob(deps, request, request.params.jobId),
    }),
    defineRoute({
      method: 'POST',
      path: '/system/jobs',
      tag,
      summary: 'Start a job on this node',
      permission: 'systemjobs:create',
      body: systemJobRequestSchema,
      responses: { 202: systemJobStartedSchema },
      errors: [],
      handler: async (request) => {
        const { job_name: name } = request.body;
        const id = deps.jobs.startByName(name);
        if (id === undefined) throw unknownJobName(name, deps.jobs.offeredNames());
        await recordAction(deps.audit, request, 'system_job.create', { objectId: id, after: { name } });
        return { system_job_id: id };
      },
    }),
  ];
}

export function readableJobs(jobs: Jobs, principal: Principal): SystemJobList {
  const readable = jobs.list().filter((job) => principal.can('systemjobs:read', job.id));
  return { jobs: readable.map(jobSummary) };
}

export function jobOf(jobs: Jobs, jobId: string): SystemJob {
  const job = jobs.find(jobId);
  if (job === undefined) throw new NotFoundError(`No system job with id ${jobId} found.`);
  return jobSummary(job);
}

export async function cancelJob(deps: JobRouteDeps, caller: Caller, jobId: string): Promise<SystemJob> {
  const job = jobOf(deps.jobs, jobId);
  if (deps.jobs.cancel(jobId) !== 'cancelling') {
    throw new ForbiddenError(`System job ${jobId} cannot be cancelled.`);
  }
  await recordAction(deps.audit, caller, 'system_job.cancel', { objectId: jobId });
  return job;
}

function unknownJobName(name: string, offered: readonly string[]): InvalidError {
  const known = offered.length === 0 ? 'No job can be started by name.' : `Known: ${offered.join(', ')}.`;
  return new InvalidError(`No such job: ${JSON.stringify(name)}. ${known}`);
}

function jobSummary(job: JobView): SystemJob {
  return {
    id: job.id,
    name: job.name,
    description: job.description,
    info: job.info,
    node_id: job.nodeId,
    started_at: new Date(job.startedAt).toISOString(),
    percent_complete: job.percentComplete,
    is_cancelable: job.isCancelable,
    provides_progress: job.providesProgress,
    job_status: job.state,
  };
}
