import {
  alertCheckSchema,
  alertsPageQuerySchema,
  alertsQuerySchema,
  allAlertsPageQuerySchema,
  entityIdParameter,
  triggeredAlertListSchema,
  triggeredAlertSchema,
} from '@millrace/contract';
import { z } from 'zod';
import type { AlertHistory, StreamChecks } from '#alerts/service.ts';
import { defineRoute, type Route } from '../route.ts';

const tag = 'Stream alerts';
const params = z.object({ streamId: entityIdParameter });
const alertParams = z.object({ streamId: entityIdParameter, alertId: entityIdParameter });
const instance = ({ streamId }: { readonly streamId: string }) => streamId;
const anybody = { kind: 'authenticated' } as const;

export interface StreamAlertRouteDeps {
  readonly history: AlertHistory;
  readonly checks: StreamChecks;
}

/** Alerts that were triggered, and whether conditions are true now. */
export function streamAlertRoutes(deps: StreamAlertRouteDeps): Route[] {
  return [...ofOneStream(deps), ...ofAllStreams(deps), resolveRoute(deps)];
}

function ofOneStream({ history, checks }: StreamAlertRouteDeps): Route[] {
  const ofStream = {
    method: 'GET',
    tag,
    permission: 'streams:read',
    instance,
    params,
    errors: ['not_found'],
  } as const;
  return [
    defineRoute({
      ...ofStream,
      path: '/streams/:streamId/alerts',
      summary: 'List the newest alerts of a stream',
      description:
        'Newest first, at most 300. `total` counts the alerts in the answer. Events of event definitions with `alert: false` are no alerts: `POST /events/search` finds them.',
      query: alertsQuerySchema,
      responses: { 200: triggeredAlertListSchema },
      handler: (request) => history.ofStream(request.params.streamId, request.query),
    }),
    defineRoute({
      ...ofStream,
      path: '/streams/:streamId/alerts/paginated',
      summary: 'List the alerts of a stream page by page',
      query: alertsPageQuerySchema,
      responses: { 200: triggeredAlertListSchema },
      handler: (request) => history.pageOfStream(request.params.streamId, request.query),
    }),
    defineRoute({
      ...ofStream,
      path: '/streams/:streamId/alerts/check',
      summary: 'Check the alert conditions of a stream',
      description:
        'Evaluates all conditions now, without recording alerts; not those of event definitions with `alert: false`. The answer is kept for 30 seconds; `calculated_at` says when it was calculated.',
      responses: { 200: alertCheckSchema },
      errors: ['not_found', 'unavailable'],
      handler: (request) => checks.check(request.params.streamId),
    }),
  ];
}

function ofAllStreams({ history }: StreamAlertRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/streams/alerts',
      tag,
      summary: 'List the newest alerts of all streams',
      description: 'Includes those of streams for which the user has streams:read.',
      permission: anybody,
      query: alertsQuerySchema,
      responses: { 200: triggeredAlertListSchema },
      errors: [],
      handler: ({ principal, query }) => history.all(principal, query),
    }),
    defineRoute({
      method: 'GET',
      path: '/streams/alerts/paginated',
      tag,
      summary: 'List the alerts of all streams page by page',
      description: 'Includes those of streams for which the user has streams:read.',
      permission: anybody,
      query: allAlertsPageQuerySchema,
      responses: { 200: triggeredAlertListSchema },
      errors: [],
      handler: ({ principal, query }) => history.page(principal, query),
    }),
    defineRoute({
      method: 'GET',
      path: '/streams/alerts/:alertId',
      tag,
      summary: 'Get one alert',
      description: 'Needs streams:read for its streams.',
      permission: anybody,
      params: z.object({ alertId: entityIdParameter }),
      responses: { 200: triggeredAlertSchema },
      errors: ['not_found', 'forbidden'],
      handler: ({ principal, params: { alertId } }) => history.get(principal, alertId),
    }),
  ];
}

function resolveRoute({ history }: StreamAlertRouteDeps): Route {
  return defineRoute({
    method: 'PUT',
    path: '/streams/:streamId/alerts/:alertId/resolve',
    tag,
    summary: 'Resolve an alert by hand',
    description: 'It can trigger again after its grace period. Nothing happens if it is resolved already.',
    permission: 'streams:edit',
    instance,
    params: alertParams,
    responses: { 200: triggeredAlertSchema },
    errors: ['not_found'],
    handler: (request) => history.resolve(request, request.params.streamId, request.params.alertId),
  });
}
