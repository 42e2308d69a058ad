import {
  type LoggerLevel,
  type LoggerSubsystems,
  type Loggers,
  loggerLevelParameter,
  loggerNameParameter,
  loggerSubsystemsSchema,
  loggersSchema,
  recentLogMessagesQuerySchema,
  recentLogMessagesSchema,
} from '@millrace/contract';
import { z } from 'zod';
import { type AuditLog, type Caller, type Principal, recordAction } from '#core/index.ts';
import type { LogControl } from '#system/service.ts';
import { defineRoute, type Route } from '../route.ts';

export interface LoggerRouteDeps {
  readonly nodeId: string;
  readonly logControl: LogControl;
  readonly audit: AuditLog;
}

const tag = 'System/Loggers';

export function loggerRoutes(deps: LoggerRouteDeps): Route[] {
  return [...listRoutes(deps), ...levelRoutes(deps)];
}

function listRoutes({ nodeId, logControl }: LoggerRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/system/loggers',
      tag,
      summary: 'List the loggers of this node and their levels',
      permission: { kind: 'authenticated' },
      responses: { 200: loggersSchema },
      errors: [],
      handler: ({ principal }) => readableLoggers(logControl, principal),
    }),
    defineRoute({
      method: 'GET',
      path: '/system/loggers/subsystems',
      tag,
      summary: 'List the log subsystems of this node and their levels',
      permission: { kind: 'authenticated' },
      responses: { 200: loggerSubsystemsSchema },
      errors: [],
      handler: ({ principal }) => readableSubsystems(logControl, principal),
    }),
    defineRoute({
      method: 'GET',
      path: '/system/loggers/messages/recent',
      tag,
      summary: 'Get the newest log lines of this node',
      permission: 'loggersmessages:read',
      instance: () => nodeId,
      query: recentLogMessagesQuerySchema,
      responses: { 200: recentLogMessagesSchema },
      errors: [],
      handler: ({ query }) => logControl.recentMessages(query.limit, query.level),
    }),
  ];
}

function levelRoutes(deps: LoggerRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'PUT',
      path: '/system/loggers/:loggerName/level/:level',
      tag,
      summary: 'Set the level of a logger until the node restarts',
      permission: 'loggers:edit',
      instance: (params) => params.loggerName,
      params: z.object({ loggerName: loggerNameParameter, level: loggerLevelParameter }),
      responses: { 204: null },
      errors: ['not_found'],
      handler: async (request) => {
        const { loggerName, level } = request.params;
        deps.logControl.setLevel(loggerName, level);
        await recordAction(deps.audit, request, 'logger.update', {
          objectId: loggerName,
          after: { level },
        });
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/system/loggers/subsystems/:subsystem/level/:level',
      tag,
      summary: 'Set the level of a log subsystem until the node restarts',
      permission: 'loggers:editsubsystem',
      instance: (params) => params.subsystem,
      params: z.object({ subsystem: loggerNameParameter, level: loggerLevelParameter }),
      responses: { 204: null },
      errors: ['not_found'],
      handler: (request) => setSubsystemLevel(deps, request, request.params.subsystem, request.params.level),
    }),
  ];
}

export function readableLoggers(logControl: LogControl, principal: Principal): Loggers {
  const readable = Object.entries(logControl.loggers().loggers).filter(([name]) =>
    principal.can('loggers:read', name),
  );
  return { total: readable.length, loggers: Object.fromEntries(readable) };
}

export function readableSubsystems(logControl: LogControl, principal: Principal): LoggerSubsystems {
  const readable = Object.entries(logControl.subsystems().subsystems).filter(([name]) =>
    principal.can('loggers:readsubsystem', name),
  );
  return { subsystems: Object.fromEntries(readable) };
}

export async function setSubsystemLevel(
  deps: Pick<LoggerRouteDeps, 'logControl' | 'audit'>,
  caller: Caller,
  subsystem: string,
  level: LoggerLevel,
): Promise<void> {
  deps.logControl.setSubsystemLevel(subsystem, level);
  await recordAction(deps.audit, caller, 'log_subsystem.update', { objectId: subsystem, after: { level } });
}
