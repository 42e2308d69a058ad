import {
  type ExposedConfiguration,
  exposedConfigurationSchema,
  type JournalSummary,
  journalSummarySchema,
  localesSchema,
  runtimeMemorySchema,
  systemOverviewSchema,
  threadDumpSchema,
  throughputSchema,
} from '@millrace/contract';
import type { NodeControl, SystemInformation } from '#system/service.ts';
import type { Metrics } from '#telemetry/index.ts';
import { rawReply } from '../reply.ts';
import { defineRoute, type Route } from '../route.ts';

export interface SystemRouteDeps {
  readonly nodeId: string;
  readonly information: SystemInformation;
  readonly control: NodeControl;
  readonly metrics: Metrics;
  /** Settings that anybody with `system:read` may see. Contains no secrets. */
  readonly exposedConfiguration: () => ExposedConfiguration;
  readonly journalSummary: () => JournalSummary | Promise<JournalSummary>;
}

const tag = 'System';
const OUTPUT_RATE = 'org.graylog2.throughput.output.1-sec-rate';

export function systemRoutes(deps: SystemRouteDeps): Route[] {
  return [...overviewRoutes(deps), ...runtimeRoutes(deps), ...flowRoutes(deps), shutdownRoute(deps)];
}

function overviewRoutes({ nodeId, information, exposedConfiguration }: SystemRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/system',
      tag,
      summary: 'Get the overview of this node',
      permission: 'system:read',
      instance: () => nodeId,
      responses: { 200: systemOverviewSchema },
      errors: [],
      handler: () => information.overview(),
    }),
    defineRoute({
      method: 'GET',
      path: '/system/configuration',
      tag,
      summary: 'Get the settings of this node',
      description: 'Under their names in the configuration file. Secrets are left out.',
      permission: 'system:read',
      instance: () => nodeId,
      responses: { 200: exposedConfigurationSchema },
      errors: [],
      handler: () => exposedConfiguration(),
    }),
    defineRoute({
      method: 'GET',
      path: '/system/locales',
      tag,
      summary: 'List the supported locales',
      permission: { kind: 'authenticated' },
      responses: { 200: localesSchema },
      errors: [],
      handler: () => information.locales(),
    }),
  ];
}

function runtimeRoutes({ nodeId, information }: SystemRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/system/jvm',
      tag,
      summary: 'Get the runtime memory of this node',
      description: 'The name comes from Graylog; the values describe the JavaScript heap.',
      permission: 'jvmstats:read',
      instance: () => nodeId,
      responses: { 200: runtimeMemorySchema },
      errors: [],
      handler: () => information.runtimeMemory(),
    }),
    defineRoute({
      method: 'GET',
      path: '/system/threaddump',
      tag,
      summary: 'Get a thread dump of this node',
      description: 'JSON, or plain text if the client prefers it.',
      permission: 'threads:dump',
      instance: () => nodeId,
      responses: {
        200: {
          contentType: 'application/json',
          description: 'The report of the runtime, as text in a JSON object or on its own',
          schema: threadDumpSchema,
        },
      },
      errors: [],
      handler: ({ headers }) => {
        const report = information.threadDump();
        return String(headers.accept ?? '').startsWith('text/plain')
          ? rawReply(200, 'text/plain; charset=utf-8', report)
          : rawReply(200, 'application/json', JSON.stringify({ threaddump: report }));
      },
    }),
  ];
}

function flowRoutes({ nodeId, metrics, journalSummary }: SystemRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/system/throughput',
      tag,
      summary: 'Get the number of messages per second that this node stores',
      permission: 'throughput:read',
      instance: () => nodeId,
      responses: { 200: throughputSchema },
      errors: [],
      handler: () => {
        const shape = metrics.get(OUTPUT_RATE)?.metric;
        const rate = shape !== undefined && 'value' in shape ? Number(shape.value) : 0;
        return { throughput: Number.isFinite(rate) ? Math.max(0, Math.round(rate)) : 0 };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/system/journal',
      tag,
      summary: 'Get the state of the message journal of this node',
      permission: 'journal:read',
      instance: () => nodeId,
      responses: { 200: journalSummarySchema },
      errors: [],
      handler: () => journalSummary(),
    }),
  ];
}

function shutdownRoute({ nodeId, control }: SystemRouteDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/system/shutdown/shutdown',
    tag,
    summary: 'Shut this node down gracefully',
    description: 'Accepted messages are in the journal or stored before the node ends.',
    permission: 'node:shutdown',
    instance: () => nodeId,
    responses: { 202: null },
    errors: [],
    handler: (request) => control.shutDown(request),
  });
}
