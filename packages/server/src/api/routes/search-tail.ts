import { type SearchTailQuery, searchTailQuerySchema } from '@millrace/contract';
import { z } from 'zod';
import type { CallerRequest, NodeCalls } from '#cluster/service.ts';
import { NotFoundError } from '#core/index.ts';
import type { LiveTail, TailPeers } from '#search/service.ts';
import { eventsReply } from '../reply.ts';
import { defineRoute, type Route, type RouteRequest } from '../route.ts';

const tag = 'Search';
const anybody = { kind: 'authenticated' } as const;
const params = z.object({ tailId: z.string().min(1).max(200) });

export interface SearchTailRouteDeps {
  readonly tail: LiveTail;
  readonly nodeCalls: NodeCalls;
}

export function searchTailRoutes(deps: SearchTailRouteDeps): Route[] {
  return [followRoute(deps), pauseRoute(deps, true), pauseRoute(deps, false)];
}

function followRoute({ tail, nodeCalls }: SearchTailRouteDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/search/tail',
    tag,
    summary: 'Follow messages live',
    description:
      'Server-sent events: `open` with the id of the tail, `message` with an array of messages as soon as they are processed, before they are stored, `status` every second with the numbers of matched, sent, dropped and skipped messages, `access` when the visible streams have changed, and `end` with the reason. Includes only messages of streams that the user may read.',
    permission: anybody,
    query: searchTailQuerySchema,
    responses: { 200: { contentType: 'text/event-stream', description: 'Server-sent events' } },
    errors: ['forbidden'],
    handler(request) {
      const { query } = request;
      const events = tail.open({
        principal: request.principal,
        query: query.query,
        streams: query.streams === undefined || query.streams.length === 0 ? undefined : query.streams,
        fields: query.fields,
        rate: query.rate,
        timeZone: query.timezone,
        peers: query.cluster ? tailPeers(nodeCalls, request.headers, query) : undefined,
        authenticate: () => request.authenticate({ extendSession: false }),
        signal: request.signal,
      });
      return eventsReply(events);
    },
  });
}

/** The other nodes. Each is called with the caller's own credentials and answers for itself alone. */
function tailPeers(
  nodeCalls: NodeCalls,
  headers: CallerRequest['headers'],
  query: SearchTailQuery,
): TailPeers {
  const parameters = new URLSearchParams({
    query: query.query,
    rate: String(query.rate),
    timezone: query.timezone,
    cluster: 'false',
  });
  for (const stream of query.streams ?? []) parameters.append('streams', stream);
  for (const field of query.fields ?? []) parameters.append('fields', field);
  return {
    active: () => nodeCalls.otherNodes(),
    open: (nodeId, signal) =>
      nodeCalls.openOnNode(nodeId, { path: `search/tail?${parameters}`, caller: { headers, signal } }),
  };
}

function pauseRoute({ tail, nodeCalls }: SearchTailRouteDeps, paused: boolean): Route {
  const action = paused ? 'pause' : 'resume';
  return defineRoute({
    method: 'POST',
    path: `/search/tail/:tailId/${action}`,
    tag,
    summary: paused ? 'Pause a live tail' : 'Resume a live tail',
    description: paused
      ? 'Only for the user who follows. Matching messages are counted (`new_messages` in the event `status`) but not sent.'
      : 'Only for the user who follows. Sends messages that match from now on; use a search to find those from the pause.',
    permission: anybody,
    params,
    responses: { 204: null },
    errors: ['not_found'],
    async handler(request) {
      const { tailId } = request.params;
      const nodeId = tail.nodeOf(tailId);
      if (nodeId === undefined) throw new NotFoundError(`${tailId} is not the id of a live tail.`);
      await nodeCalls.onNode(
        nodeId,
        {
          method: 'POST',
          path: `search/tail/${encodeURIComponent(tailId)}/${action}`,
          caller: callerOf(request),
        },
        z.undefined(),
        () => tail.setPaused(request.principal, tailId, paused),
      );
    },
  });
}

function callerOf({ headers, signal }: Pick<RouteRequest, 'headers' | 'signal'>): CallerRequest {
  return { headers, signal };
}
