import {
  filesystemStatsSchema,
  networkStatsSchema,
  osStatsSchema,
  processStatsSchema,
  runtimeStatsSchema,
  systemStatsSchema,
} from '@millrace/contract';
import type { z } from 'zod';
import type { SystemStatsSource } from '#system/service.ts';
import { defineRoute, type Route } from '../route.ts';

export interface SystemStatsRouteDeps {
  readonly nodeId: string;
  readonly stats: SystemStatsSource;
}

/** Statistics of the machine and the process: one route for all of them and one for each kind. */
export function systemStatsRoutes({ nodeId, stats }: SystemStatsRouteDeps): Route[] {
  function statsRoute<T>(
    path: string,
    what: string,
    schema: z.ZodType<T, T>,
    read: () => T | Promise<T>,
  ): Route {
    return defineRoute({
      method: 'GET',
      path,
      tag: 'System/Stats',
      summary: `Get statistics of ${what}`,
      description: '-1 means that the operating system does not provide the value.',
      permission: 'system:read',
      instance: () => nodeId,
      responses: { 200: schema },
      errors: [],
      handler: read,
    });
  }

  return [
    statsRoute('/system/stats', 'machine, process and runtime', systemStatsSchema, () => stats.all()),
    statsRoute('/system/stats/fs', 'the file systems in use', filesystemStatsSchema, () =>
      stats.filesystems(),
    ),
    statsRoute('/system/stats/jvm', 'the runtime', runtimeStatsSchema, () => stats.runtime()),
    statsRoute('/system/stats/network', 'the network interfaces', networkStatsSchema, () => stats.network()),
    statsRoute('/system/stats/os', 'the machine', osStatsSchema, () => stats.os()),
    statsRoute('/system/stats/process', 'the process', processStatsSchema, () => stats.process()),
  ];
}
