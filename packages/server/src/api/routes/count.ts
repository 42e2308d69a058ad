import { entityIdParameter, messageCountSchema } from '@millrace/contract';
import { z } from 'zod';
import { defineRoute, type Route } from '../route.ts';

export interface CountRouteDeps {
  /**
   * The number of stored messages, of all index sets or of one. Rejects with `NotFoundError` for an unknown index set.
   */
  readonly messageCount: (indexSetId?: string) => number | Promise<number>;
}

const tag = 'Counts';

export function countRoutes({ messageCount }: CountRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/count/total',
      tag,
      summary: 'Count all stored messages',
      permission: 'messagecount:read',
      responses: { 200: messageCountSchema },
      errors: [],
      handler: async () => ({ events: await messageCount() }),
    }),
    defineRoute({
      method: 'GET',
      path: '/count/:indexSetId/total',
      tag,
      summary: 'Count the stored messages of one index set',
      permission: 'messagecount:read',
      params: z.object({ indexSetId: entityIdParameter }),
      responses: { 200: messageCountSchema },
      errors: ['not_found'],
      handler: async ({ params }) => ({ events: await messageCount(params.indexSetId) }),
    }),
  ];
}
