import {
  analyzeQuerySchema,
  analyzeResultSchema,
  formatTimestamp,
  type MessageResultView,
  type MessageSearchBody,
  messageResultSchema,
  messageSearchBodySchema,
  messageSearchResultSchema,
  type ParseMessageRequest,
  parseMessageRequestSchema,
  sqlExplanationSchema,
  surroundingMessagesSchema,
  surroundingQuerySchema,
} from '@millrace/contract';
import { z } from 'zod';
import { type MessageSearchRequest, requireSort, type SearchService } from '#search/service.ts';
import { preferredType } from '../accept.ts';
import { progressEvents } from '../progress-events.ts';
import { eventsReply } from '../reply.ts';
import { defineRoute, type Route } from '../route.ts';
import { SEARCH_ERRORS } from './search-errors.ts';

const anybody = { kind: 'authenticated' } as const;
const params = z.object({ index: z.string().min(1).max(300), messageId: z.string().min(1).max(100) });

export interface MessageRouteDeps extends Pick<SearchService, 'messages' | 'singleMessages'> {
  /** Throws for an unknown codec and for a message that cannot be decoded. */
  readonly parseMessage: (request: ParseMessageRequest) => MessageResultView;
}

export function messageRoutes(deps: MessageRouteDeps): Route[] {
  return [...searchRoutes(deps), ...singleMessageRoutes(deps), parseRoute(deps)];
}

function searchRoutes({ messages }: MessageRouteDeps): Route[] {
  const search = { method: 'POST', tag: 'Search', body: messageSearchBodySchema } as const;
  return [
    defineRoute({
      ...search,
      path: '/messages/search',
      summary: 'Search for messages',
      description:
        'In the streams the user may read. `Accept: text/event-stream` answers with server-sent events: `progress` (`rows`, `bytes`, `percent`) while it searches, `partial` (`messages`, `searched_from`) with what a slow search for the newest messages has found since the last one, then `result` or `error`. Disconnecting cancels the search.',
      permission: anybody,
      responses: { 200: messageSearchResultSchema },
      alternatives: { 'text/event-stream': 'Server-sent events' },
      errors: SEARCH_ERRORS,
      async handler({ body, headers, principal, signal, logger }) {
        const request = searchRequest(body);
        const type = preferredType(String(headers.accept ?? ''), ['application/json', 'text/event-stream']);
        if (type === 'application/json') return messages.view(principal, request, { signal });
        const events = await progressEvents(logger, (report, send) =>
          messages.view(principal, request, {
            signal,
            partial: ({ messages: found, searchedFrom }) =>
              send('partial', { messages: found, searched_from: formatTimestamp(searchedFrom) }),
            progress: ({ readRows, readBytes, totalRows }) =>
              report({
                rows: readRows,
                bytes: readBytes,
                percent: totalRows === 0 ? 0 : Math.min(100, Math.round((readRows / totalRows) * 100)),
              }),
          }),
        );
        return eventsReply(events);
      },
    }),
    defineRoute({
      ...search,
      path: '/messages/search/sql',
      summary: 'Show the SQL of a search',
      description: 'What the same request to /messages/search would send to ClickHouse. Nothing is searched.',
      permission: 'searches:sql',
      responses: { 200: sqlExplanationSchema },
      errors: [],
      handler: ({ body, principal }) => messages.explain(principal, searchRequest(body)),
    }),
  ];
}

function searchRequest(body: MessageSearchBody): MessageSearchRequest {
  return {
    ...body,
    range: body.timerange,
    timeZone: body.time_zone,
    allowPartial: body.allow_partial,
    sort: body.sort === undefined ? undefined : requireSort(body.sort),
  };
}

function singleMessageRoutes({ singleMessages }: MessageRouteDeps): Route[] {
  const one = { method: 'GET', tag: 'Messages', params } as const;
  return [
    defineRoute({
      ...one,
      path: '/messages/:index/:messageId',
      summary: 'Get one message',
      description: 'Needs streams:read for one of its streams.',
      permission: 'messages:read',
      instance: ({ messageId }) => messageId,
      responses: { 200: messageResultSchema },
      errors: ['forbidden', 'not_found'],
      handler: (request) =>
        singleMessages.get(request.principal, request.params.index, request.params.messageId),
    }),
    defineRoute({
      ...one,
      path: '/messages/:index/:messageId/surrounding',
      summary: 'Get the messages around one',
      description:
        'The messages before and after it by time (for equal times in order of receipt), from all streams the user may read. They have the same source unless `fields` says otherwise.',
      permission: 'messages:read',
      instance: ({ messageId }) => messageId,
      query: surroundingQuerySchema,
      responses: { 200: surroundingMessagesSchema },
      errors: ['not_found', ...SEARCH_ERRORS],
      handler: ({ params: { index, messageId }, principal, query, signal }) =>
        singleMessages.surrounding(principal, index, messageId, query, { signal }),
    }),
    defineRoute({
      method: 'GET',
      tag: 'Messages',
      path: '/messages/:index/analyze',
      summary: 'Show the words of a text that searches use',
      permission: 'messages:analyze',
      params: z.object({ index: params.shape.index }),
      query: analyzeQuerySchema,
      responses: { 200: analyzeResultSchema },
      errors: ['not_found'],
      handler: (request) => ({
        tokens: singleMessages.words(request.params.index, request.query.string),
      }),
    }),
  ];
}

function parseRoute({ parseMessage }: MessageRouteDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/messages/parse',
    tag: 'Messages',
    summary: 'Decode a message with a codec',
    description: 'Nothing is stored.',
    permission: 'messages:analyze',
    body: parseMessageRequestSchema,
    responses: { 200: messageResultSchema },
    errors: ['not_found'],
    handler: ({ body }) => parseMessage(body),
  });
}
