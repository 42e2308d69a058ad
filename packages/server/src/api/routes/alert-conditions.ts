import {
  alertConditionListSchema,
  alertConditionSchema,
  conditionCreatedSchema,
  conditionPageSchema,
  conditionPreviewRequestSchema,
  conditionPreviewSchema,
  conditionsPageQuerySchema,
  conditionTestSchema,
  conditionTypesSchema,
  createConditionRequestSchema,
  entityIdParameter,
  muteRequestSchema,
  updateConditionRequestSchema,
} from '@millrace/contract';
import { z } from 'zod';
import type { StreamConditions } from '#alerts/service.ts';
import { preferredType } from '../accept.ts';
import { progressEvents } from '../progress-events.ts';
import { eventsReply, reply } from '../reply.ts';
import { defineRoute, type Route } from '../route.ts';
import { SEARCH_ERRORS } from './search-errors.ts';

const tag = 'Alert conditions';
const streamParams = z.object({ streamId: entityIdParameter });
const params = z.object({ streamId: entityIdParameter, conditionId: entityIdParameter });
const instance = ({ streamId }: { readonly streamId: string }) => streamId;
const path = '/streams/:streamId/alerts/conditions';

export interface AlertConditionRouteDeps {
  readonly conditions: StreamConditions;
}

export function alertConditionRoutes(deps: AlertConditionRouteDeps): Route[] {
  return [...readRoutes(deps), ...changeRoutes(deps), ...testRoutes(deps)];
}

function readRoutes({ conditions }: AlertConditionRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/alerts/conditions',
      tag,
      summary: 'List the alert conditions of all streams',
      description: 'Includes those of streams for which the user has streams:read.',
      permission: { kind: 'authenticated' },
      responses: { 200: alertConditionListSchema },
      errors: [],
      handler: ({ principal }) => conditions.listAll(principal),
    }),
    defineRoute({
      method: 'GET',
      path: '/alerts/conditions/paginated',
      tag,
      summary: 'List the alert conditions of all streams page by page',
      description: 'Includes those of streams for which the user has streams:read.',
      permission: { kind: 'authenticated' },
      query: conditionsPageQuerySchema,
      responses: { 200: conditionPageSchema },
      errors: [],
      handler: ({ principal, query }) => conditions.page(principal, query),
    }),
    defineRoute({
      method: 'GET',
      path: '/alerts/conditions/types',
      tag,
      summary: 'List the types of alert conditions and their parameters',
      permission: { kind: 'authenticated' },
      responses: { 200: conditionTypesSchema },
      errors: [],
      handler: () => conditions.types(),
    }),
    defineRoute({
      method: 'GET',
      path,
      tag,
      summary: 'List the alert conditions of a stream',
      permission: 'streams:read',
      instance,
      params: streamParams,
      responses: { 200: alertConditionListSchema },
      errors: ['not_found'],
      handler: (request) => conditions.list(request.params.streamId),
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/:conditionId`,
      tag,
      summary: 'Get one alert condition',
      permission: 'streams:read',
      instance,
      params,
      responses: { 200: alertConditionSchema },
      errors: ['not_found'],
      handler: (request) => conditions.get(request.params.streamId, request.params.conditionId),
    }),
  ];
}

function changeRoutes({ conditions }: AlertConditionRouteDeps): Route[] {
  const change = { tag, permission: 'streams:edit', instance, errors: ['not_found'] } as const;
  return [
    defineRoute({
      ...change,
      method: 'POST',
      path,
      summary: 'Create an alert condition',
      description: 'Its first evaluation follows within one alert_check_interval.',
      params: streamParams,
      body: createConditionRequestSchema,
      responses: { 201: conditionCreatedSchema },
      handler: async (request) => {
        const { streamId } = request.params;
        const id = await conditions.create(request, streamId, request.body);
        const location = `/api/streams/${streamId}/alerts/conditions/${id}`;
        return reply(201, { alert_condition_id: id }, { location });
      },
    }),
    defineRoute({
      ...change,
      method: 'PUT',
      path: `${path}/:conditionId`,
      summary: 'Change an alert condition',
      description:
        'Parameters that are not given stay as they are. The type cannot be changed. 409 if it was changed since the revision that the request names.',
      params,
      body: updateConditionRequestSchema,
      responses: { 204: null },
      errors: ['not_found', 'conflict'],
      handler: (request) =>
        conditions.update(request, request.params.streamId, request.params.conditionId, request.body),
    }),
    defineRoute({
      ...change,
      method: 'DELETE',
      path: `${path}/:conditionId`,
      summary: 'Delete an alert condition',
      description: 'Its open alerts are resolved; the history stays.',
      params,
      responses: { 204: null },
      handler: (request) => conditions.remove(request, request.params.streamId, request.params.conditionId),
    }),
    defineRoute({
      ...change,
      method: 'PUT',
      path: `${path}/:conditionId/mute`,
      summary: 'Mute the notifications of an alert condition for a time',
      description: 'Alerts are still recorded.',
      params,
      body: muteRequestSchema,
      responses: { 204: null },
      handler: (request) =>
        conditions.mute(request, request.params.streamId, request.params.conditionId, request.body.minutes),
    }),
  ];
}

function previewRoute({ conditions }: AlertConditionRouteDeps): Route {
  return defineRoute({
    method: 'POST',
    path: `${path}/preview`,
    tag,
    summary: 'Show what an alert condition would have done over the last hours',
    description:
      'Nothing is stored and nobody is notified. `Accept: text/event-stream` answers with server-sent events: `progress` (`percent`), then `result` or `error`. Disconnecting cancels it.',
    permission: 'streams:read',
    instance,
    params: streamParams,
    strictBody: true,
    body: conditionPreviewRequestSchema,
    responses: { 200: conditionPreviewSchema },
    alternatives: { 'text/event-stream': 'Server-sent events' },
    errors: ['not_found', ...SEARCH_ERRORS],
    async handler({ params: { streamId }, body, headers, signal, logger }) {
      const type = preferredType(String(headers.accept ?? ''), ['application/json', 'text/event-stream']);
      if (type === 'application/json') return conditions.preview(streamId, body, { signal });
      return eventsReply(
        await progressEvents(logger, (report) =>
          conditions.preview(streamId, body, { signal, progress: (percent) => report({ percent }) }),
        ),
      );
    },
  });
}

function testRoutes({ conditions }: AlertConditionRouteDeps): Route[] {
  return [
    previewRoute({ conditions }),
    defineRoute({
      method: 'GET',
      path: '/streams/:streamId/alerts/:alertId/values',
      tag,
      summary: 'Show the values of a condition around one of its alerts',
      permission: 'streams:read',
      instance,
      params: z.object({ streamId: entityIdParameter, alertId: entityIdParameter }),
      responses: { 200: conditionPreviewSchema },
      errors: ['not_found', 'forbidden', ...SEARCH_ERRORS],
      handler: ({ principal, params: { streamId, alertId }, signal }) =>
        conditions.valuesOf(principal, streamId, alertId, signal),
    }),
    defineRoute({
      method: 'GET',
      path: '/streams/alerts/:alertId/values',
      tag,
      summary: 'Show the values of a rule around one of its alerts',
      description: 'Needs streams:read for the streams of the alert.',
      permission: { kind: 'authenticated' },
      params: z.object({ alertId: entityIdParameter }),
      responses: { 200: conditionPreviewSchema },
      errors: ['not_found', 'forbidden', ...SEARCH_ERRORS],
      handler: ({ principal, params: { alertId }, signal }) =>
        conditions.valuesOfAny(principal, alertId, signal),
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/test`,
      tag,
      summary: 'Test an alert condition without storing it',
      description: 'Evaluates it now. No alert is recorded and nobody is notified.',
      permission: 'streams:edit',
      instance,
      params: streamParams,
      body: createConditionRequestSchema,
      responses: { 200: conditionTestSchema },
      errors: ['not_found'],
      handler: (request) => conditions.test(request.params.streamId, request.body),
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/:conditionId/test`,
      tag,
      summary: 'Test a stored alert condition',
      description:
        'Evaluates it now. No alert is recorded and nobody is notified. If it cannot be evaluated, the status is 400.',
      permission: 'streams:edit',
      instance,
      params,
      responses: { 200: conditionTestSchema },
      errors: ['not_found', 'invalid_request'],
      handler: (request) => conditions.testStored(request.params.streamId, request.params.conditionId),
    }),
  ];
}
