import {
  entityIdParameter,
  eventAnswerSchema,
  eventSearchRequestSchema,
  eventSearchSchema,
} from '@millrace/contract';
import { z } from 'zod';
import type { Events } from '#alerts/service.ts';
import { defineRoute, type Route } from '../route.ts';
import { SEARCH_ERRORS } from './search-errors.ts';

const tag = 'Events';
const description =
  'Includes the events of rules that the user may read, and all for those who may read the stream "All events".';

export interface EventRouteDeps {
  readonly events: Events;
}

export function eventRoutes({ events }: EventRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/events/search',
      tag,
      summary: 'Search events',
      description,
      permission: { kind: 'authenticated' },
      body: eventSearchRequestSchema,
      responses: { 200: eventSearchSchema },
      errors: [...SEARCH_ERRORS],
      handler: ({ principal, body, signal }) => events.search(principal, body, signal),
    }),
    defineRoute({
      method: 'GET',
      path: '/events/:eventId',
      tag,
      summary: 'Get one event',
      description,
      permission: { kind: 'authenticated' },
      params: z.object({ eventId: entityIdParameter }),
      responses: { 200: eventAnswerSchema },
      errors: ['not_found', 'forbidden'],
      handler: ({ principal, params }) => events.get(principal, params.eventId),
    }),
  ];
}
