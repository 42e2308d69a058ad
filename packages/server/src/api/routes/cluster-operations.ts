import {
  clusterJobListSchema,
  clusterLoggerSubsystemsSchema,
  clusterLoggersSchema,
  jobIdParameter,
  loggerLevelParameter,
  loggerNameParameter,
  loggerSubsystemsSchema,
  loggersSchema,
  nodeIdParameter,
  recentLogMessagesQuerySchema,
  recentLogMessagesSchema,
  type SystemJob,
  systemJobListSchema,
  systemJobSchema,
} from '@millrace/contract';
import { z } from 'zod';
import type { CallerRequest, NodeCalls } from '#cluster/service.ts';
import { type AuditLog, NotFoundError } from '#core/index.ts';
import type { Jobs, LogControl } from '#system/service.ts';
import { defineRoute, type Route } from '../route.ts';
import { cancelJob, jobOf, readableJobs } from './system-jobs.ts';
import { readableLoggers, readableSubsystems, setSubsystemLevel } from './system-loggers.ts';

export interface ClusterOperationRouteDeps {
  readonly nodeCalls: NodeCalls;
  readonly jobs: Jobs;
  readonly logControl: LogControl;
  readonly audit: AuditLog;
}

const params = z.object({ jobId: jobIdParameter });

/** Jobs and loggers of all nodes. */
export function clusterOperationRoutes(deps: ClusterOperationRouteDeps): Route[] {
  return [...jobRoutes(deps), ...loggerRoutes(deps)];
}

function jobRoutes(deps: ClusterOperationRouteDeps): Route[] {
  const { nodeCalls, jobs } = deps;
  const tag = 'Cluster/Jobs';
  return [
    defineRoute({
      method: 'GET',
      path: '/cluster/jobs',
      tag,
      summary: 'List the running jobs of all nodes',
      permission: { kind: 'authenticated' },
      responses: { 200: clusterJobListSchema },
      errors: [],
      handler: (request) =>
        nodeCalls.onAllNodes({ path: 'system/jobs', caller: request }, systemJobListSchema, () =>
          readableJobs(jobs, request.principal),
        ),
    }),
    defineRoute({
      method: 'GET',
      path: '/cluster/jobs/:jobId',
      tag,
      summary: 'Get a job of any node',
      permission: 'systemjobs:read',
      instance: ({ jobId }) => jobId,
      params,
      responses: { 200: systemJobSchema },
      errors: ['not_found'],
      handler: (request) => findJob(deps, request, request.params.jobId),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/cluster/jobs/:jobId',
      tag,
      summary: 'Cancel a job on any node',
      description: 'Refused with 403 if the job cannot be cancelled.',
      permission: 'systemjobs:delete',
      instance: ({ jobId }) => jobId,
      params,
      responses: { 200: systemJobSchema },
      errors: ['not_found'],
      handler: async (request) => {
        const { jobId } = request.params;
        const { node_id } = await findJob(deps, request, jobId);
        return nodeCalls.onNode(
          node_id,
          { method: 'DELETE', path: jobPath(jobId), caller: request },
          systemJobSchema,
          () => cancelJob(deps, request, jobId),
        );
      },
    }),
  ];
}

const jobPath = (jobId: string) => `system/jobs/${encodeURIComponent(jobId)}` as const;

/** A job runs on one node, so at most one of them knows it. */
async function findJob(
  { nodeCalls, jobs }: ClusterOperationRouteDeps,
  request: CallerRequest,
  jobId: string,
): Promise<SystemJob> {
  const answers = await nodeCalls.onAllNodes(
    { path: jobPath(jobId), caller: request },
    systemJobSchema,
    () => (jobs.find(jobId) === undefined ? null : jobOf(jobs, jobId)),
  );
  const found = Object.values(answers).find((answer) => answer !== null);
  if (!found) throw new NotFoundError(`No system job with id ${jobId} found.`);
  return found;
}

function loggerRoutes(deps: ClusterOperationRouteDeps): Route[] {
  const { nodeCalls, logControl } = deps;
  const tag = 'Cluster/Loggers';
  return [
    defineRoute({
      method: 'GET',
      path: '/cluster/system/loggers',
      tag,
      summary: 'List the loggers of all nodes and their levels',
      permission: { kind: 'authenticated' },
      responses: { 200: clusterLoggersSchema },
      errors: [],
      handler: (request) =>
        nodeCalls.onAllNodes({ path: 'system/loggers', caller: request }, loggersSchema, () =>
          readableLoggers(logControl, request.principal),
        ),
    }),
    defineRoute({
      method: 'GET',
      path: '/cluster/system/loggers/subsystems',
      tag,
      summary: 'List the log subsystems of all nodes and their levels',
      permission: { kind: 'authenticated' },
      responses: { 200: clusterLoggerSubsystemsSchema },
      errors: [],
      handler: (request) =>
        nodeCalls.onAllNodes(
          { path: 'system/loggers/subsystems', caller: request },
          loggerSubsystemsSchema,
          () => readableSubsystems(logControl, request.principal),
        ),
    }),
    defineRoute({
      method: 'GET',
      path: '/cluster/system/loggers/:nodeId/messages/recent',
      tag,
      summary: 'Get the newest log lines of a node',
      permission: 'loggersmessages:read',
      instance: ({ nodeId }) => nodeId,
      params: z.object({ nodeId: nodeIdParameter }),
      query: recentLogMessagesQuerySchema,
      responses: { 200: recentLogMessagesSchema },
      errors: ['not_found'],
      handler: (request) => {
        const { limit, level } = request.query;
        const path = `system/loggers/messages/recent?limit=${limit}&level=${level}` as const;
        return nodeCalls.onNode(
          request.params.nodeId,
          { path, caller: request },
          recentLogMessagesSchema,
          () => logControl.recentMessages(limit, level),
        );
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/cluster/system/loggers/:nodeId/subsystems/:subsystem/level/:level',
      tag,
      summary: 'Set the level of a log subsystem of a node until it restarts',
      permission: 'loggers:editsubsystem',
      instance: ({ subsystem }) => subsystem,
      params: z.object({
        nodeId: nodeIdParameter,
        subsystem: loggerNameParameter,
        level: loggerLevelParameter,
      }),
      responses: { 204: null },
      errors: ['not_found'],
      handler: (request) => {
        const { nodeId, subsystem, level } = request.params;
        const path = `system/loggers/subsystems/${encodeURIComponent(subsystem)}/level/${level}` as const;
        return nodeCalls.onNode(nodeId, { method: 'PUT', path, caller: request }, z.void(), () =>
          setSubsystemLevel(deps, request, subsystem, level),
        );
      },
    }),
  ];
}
