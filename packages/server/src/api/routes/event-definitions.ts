import {
  booleanParameter,
  bulkRequestSchema,
  bulkResultSchema,
  entityIdParameter,
  eventDefinitionPageQuerySchema,
  eventDefinitionPageSchema,
  eventDefinitionRequestSchema,
  eventDefinitionSchema,
  eventDefinitionValidationSchema,
  eventDefinitionWithContextSchema,
  muteRequestSchema,
} from '@millrace/contract';
import { z } from 'zod';
import type { EventDefinitions } from '#alerts/service.ts';
import { type Caller, ForbiddenError, forEachEntity } from '#core/index.ts';
import { defineRoute, type Route } from '../route.ts';
import { SEARCH_ERRORS } from './search-errors.ts';

const tag = 'Event definitions';
const base = '/events/definitions';
const params = z.object({ definitionId: entityIdParameter });
const instance = ({ definitionId }: { readonly definitionId: string }) => definitionId;
const anybody = { kind: 'authenticated' } as const;

export interface EventDefinitionRouteDeps {
  readonly definitions: EventDefinitions;
}

/** The same rules as the alert conditions of streams, over any streams. */
export function eventDefinitionRoutes(deps: EventDefinitionRouteDeps): Route[] {
  return [...readRoutes(deps), ...changeRoutes(deps), ...stateRoutes(deps), ...bulkRoutes(deps)];
}

function readRoutes({ definitions }: EventDefinitionRouteDeps): Route[] {
  const one = {
    method: 'GET',
    tag,
    description: 'Needs eventdefinitions:read for it, or streams:read for all of its streams.',
    permission: anybody,
    params,
    errors: ['not_found', 'forbidden'],
  } as const;
  return [
    ...[base, `${base}/paginated`].map((path) =>
      defineRoute({
        method: 'GET',
        path,
        tag,
        summary: 'List the event definitions page by page',
        description: 'Includes alert conditions of streams, and only those that the user may read.',
        permission: anybody,
        query: eventDefinitionPageQuerySchema,
        responses: { 200: eventDefinitionPageSchema },
        errors: [],
        handler: ({ principal, query }) => definitions.page(principal, query),
      }),
    ),
    defineRoute({
      ...one,
      path: `${base}/:definitionId`,
      summary: 'Get one event definition',
      responses: { 200: eventDefinitionSchema },
      handler: (request) => definitions.get(request.principal, request.params.definitionId),
    }),
    defineRoute({
      ...one,
      path: `${base}/:definitionId/with-context`,
      summary: 'Get one event definition with its context',
      responses: { 200: eventDefinitionWithContextSchema },
      handler: async (request) => ({
        event_definition: await definitions.get(request.principal, request.params.definitionId),
        context: {},
        is_mutable: true,
      }),
    }),
  ];
}

function changeRoutes({ definitions }: EventDefinitionRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: base,
      tag,
      summary: 'Create an event definition',
      description: 'Needs streams:read for its streams.',
      permission: 'eventdefinitions:create',
      query: z.object({
        schedule: booleanParameter().default(true).describe('Whether it is switched on.'),
      }),
      body: eventDefinitionRequestSchema,
      responses: { 200: eventDefinitionSchema },
      errors: [],
      handler: (request) => definitions.create(request, request.body, request.query.schedule),
    }),
    defineRoute({
      method: 'POST',
      path: `${base}/validate`,
      tag,
      summary: 'Check an event definition without storing it',
      permission: 'eventdefinitions:create',
      body: eventDefinitionRequestSchema,
      responses: { 200: eventDefinitionValidationSchema },
      errors: [],
      handler: (request) => definitions.validate(request, request.body),
    }),
    defineRoute({
      method: 'PUT',
      path: `${base}/:definitionId`,
      tag,
      summary: 'Replace an event definition',
      permission: 'eventdefinitions:edit',
      instance,
      params,
      body: eventDefinitionRequestSchema,
      responses: { 200: eventDefinitionSchema },
      errors: ['not_found'],
      handler: (request) => definitions.update(request, request.params.definitionId, request.body),
    }),
    defineRoute({
      method: 'DELETE',
      path: `${base}/:definitionId`,
      tag,
      summary: 'Delete an event definition',
      description: 'Its open alerts are resolved; the history stays.',
      permission: 'eventdefinitions:delete',
      instance,
      params,
      responses: { 204: null },
      errors: ['not_found'],
      handler: (request) => definitions.remove(request, request.params.definitionId),
    }),
    defineRoute({
      method: 'POST',
      path: `${base}/:definitionId/duplicate`,
      tag,
      summary: 'Copy an event definition',
      description: 'The copy is switched off. Needs streams:read for its streams.',
      permission: 'eventdefinitions:create',
      params,
      responses: { 200: eventDefinitionSchema },
      errors: ['not_found'],
      handler: (request) => definitions.duplicate(request, request.params.definitionId),
    }),
  ];
}

function stateRoutes({ definitions }: EventDefinitionRouteDeps): Route[] {
  const change = { tag, instance, params, responses: { 204: null }, errors: ['not_found'] } as const;
  return [
    defineRoute({
      ...change,
      method: 'PUT',
      path: `${base}/:definitionId/schedule`,
      summary: 'Switch an event definition on',
      permission: 'eventdefinitions:edit',
      handler: (request) => definitions.schedule(request, request.params.definitionId, true),
    }),
    defineRoute({
      ...change,
      method: 'PUT',
      path: `${base}/:definitionId/unschedule`,
      summary: 'Switch an event definition off',
      permission: 'eventdefinitions:edit',
      handler: (request) => definitions.schedule(request, request.params.definitionId, false),
    }),
    defineRoute({
      ...change,
      method: 'PUT',
      path: `${base}/:definitionId/mute`,
      summary: 'Mute the notifications of an event definition for a time',
      permission: 'eventdefinitions:edit',
      body: muteRequestSchema,
      handler: (request) => definitions.mute(request, request.params.definitionId, request.body.minutes),
    }),
    defineRoute({
      ...change,
      method: 'PUT',
      path: `${base}/:definitionId/clear-notification-queue`,
      summary: 'Cancel all notices of an event definition that wait to be sent',
      permission: 'eventdefinitions:edit',
      handler: (request) => definitions.clearQueue(request, request.params.definitionId),
    }),
    defineRoute({
      ...change,
      method: 'POST',
      path: `${base}/:definitionId/execute`,
      summary: 'Evaluate an event definition now',
      description: 'Up to this moment, without waiting for late messages.',
      permission: 'eventdefinitions:execute',
      errors: ['not_found', ...SEARCH_ERRORS],
      handler: (request) => definitions.execute(request, request.params.definitionId),
    }),
  ];
}

function bulkRoutes({ definitions }: EventDefinitionRouteDeps): Route[] {
  const bulk = (
    name: string,
    summary: string,
    action: 'edit' | 'delete',
    work: (caller: Caller, id: string) => Promise<void>,
  ): Route =>
    defineRoute({
      method: 'POST',
      path: `${base}/${name}`,
      tag,
      summary,
      description: `The answer lists those for which it failed, with reasons. Needs eventdefinitions:${action} for each.`,
      permission: anybody,
      body: bulkRequestSchema,
      responses: { 200: bulkResultSchema },
      errors: [],
      handler: (request) =>
        forEachEntity(request.body.entity_ids, async (id) => {
          if (!request.principal.can(`eventdefinitions:${action}`, id)) {
            throw new ForbiddenError(`Not authorized to ${action} event definition ${id}`, {
              needs: `eventdefinitions:${action}:${id}`,
            });
          }
          await work(request, id);
        }),
    });
  return [
    bulk('bulk_delete', 'Delete several event definitions', 'delete', definitions.remove),
    bulk('bulk_schedule', 'Switch several event definitions on', 'edit', (caller, id) =>
      definitions.schedule(caller, id, true),
    ),
    bulk('bulk_unschedule', 'Switch several event definitions off', 'edit', (caller, id) =>
      definitions.schedule(caller, id, false),
    ),
  ];
}
