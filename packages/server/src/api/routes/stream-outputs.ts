import {
  attachOutputsRequestSchema,
  entityIdParameter,
  outputListSchema,
  outputSchema,
} from '@millrace/contract';
import { z } from 'zod';
import { ForbiddenError, type Principal } from '#core/index.ts';
import type { StreamOutputs } from '#outputs/service.ts';
import { emptyReply } from '../reply.ts';
import { defineRoute, type Route } from '../route.ts';

const tag = 'Stream outputs';
const params = z.object({ streamId: entityIdParameter });
const outputParams = z.object({ streamId: entityIdParameter, outputId: entityIdParameter });

export interface StreamOutputRouteDeps {
  readonly outputs: StreamOutputs;
}

/** Which outputs the messages of a stream go to. */
export function streamOutputRoutes({ outputs }: StreamOutputRouteDeps): Route[] {
  const read = { method: 'GET', tag, permission: 'stream_outputs:read', errors: ['not_found'] } as const;
  return [
    defineRoute({
      ...read,
      path: '/streams/:streamId/outputs',
      summary: 'List the outputs of a stream',
      description: 'Also needs streams:read for the stream.',
      params,
      responses: { 200: outputListSchema },
      handler: async ({ principal, params: { streamId } }) => {
        requireStreamPermission(principal, 'streams:read', streamId);
        const all = await outputs.ofStream(streamId);
        return { total: all.length, outputs: all };
      },
    }),
    defineRoute({
      ...read,
      path: '/streams/:streamId/outputs/:outputId',
      summary: 'Get one output of a stream',
      description: 'Also needs streams:read for the stream.',
      params: outputParams,
      responses: { 200: outputSchema },
      handler: ({ principal, params: { streamId, outputId } }) => {
        requireStreamPermission(principal, 'streams:read', streamId);
        return outputs.oneOfStream(streamId, outputId);
      },
    }),
    defineRoute({
      method: 'POST',
      tag,
      path: '/streams/:streamId/outputs',
      summary: 'Send the messages of a stream to more outputs',
      description:
        'Also needs streams:edit for the stream. Applies to messages that arrive from now on. A message goes to an output once, however many of its streams have it.',
      permission: 'stream_outputs:create',
      params,
      body: attachOutputsRequestSchema,
      responses: { 202: null },
      errors: ['not_found'],
      handler: async (request) => {
        const { streamId } = request.params;
        requireStreamPermission(request.principal, 'streams:edit', streamId);
        await outputs.attach(request, streamId, request.body.outputs);
        return emptyReply(202);
      },
    }),
    defineRoute({
      method: 'DELETE',
      tag,
      path: '/streams/:streamId/outputs/:outputId',
      summary: 'Send the messages of a stream to an output no longer',
      description: 'Also needs streams:edit for the stream. What is queued already is still sent.',
      permission: 'stream_outputs:delete',
      params: outputParams,
      responses: { 204: null },
      errors: ['not_found'],
      handler: async (request) => {
        const { streamId, outputId } = request.params;
        requireStreamPermission(request.principal, 'streams:edit', streamId);
        await outputs.detach(request, streamId, outputId);
      },
    }),
  ];
}

function requireStreamPermission(
  principal: Principal,
  permission: 'streams:read' | 'streams:edit',
  streamId: string,
): void {
  if (principal.can(permission, streamId)) return;
  throw new ForbiddenError(`Not authorized to access stream ${streamId}`, {
    needs: `${permission}:${streamId}`,
  });
}
