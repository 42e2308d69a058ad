import {
  aggregateQuerySchema,
  aggregateRequestSchema,
  exportQuerySchema,
  messagesQuerySchema,
  messagesRequestSchema,
  type TableResponse,
  tableResponseSchema,
} from '@millrace/contract';
import {
  aggregateRequestOf,
  messagesRequestOf,
  renderCsvTable,
  renderTextTable,
  type SearchService,
} from '#search/service.ts';
import { preferredType } from '../accept.ts';
import { rawReply } from '../reply.ts';
import { defineRoute, type Route, type RouteRequest } from '../route.ts';
import { SEARCH_ERRORS } from './search-errors.ts';

export type ScriptingSearchRouteDeps = Pick<SearchService, 'tables'>;

const CSV = 'text/csv';
const TEXT = 'text/plain';

const shared = {
  tag: 'Search',
  permission: { kind: 'authenticated' },
  responses: { 200: tableResponseSchema },
  alternatives: {
    [CSV]: 'The rows, after a line with the column names.',
    [TEXT]: 'The rows as a text table.',
  },
  errors: SEARCH_ERRORS,
} as const;

/** Tables for scripts: messages, and metrics of groups of messages. */
export function scriptingSearchRoutes(search: ScriptingSearchRouteDeps): Route[] {
  return [
    defineRoute({
      ...shared,
      method: 'POST',
      path: '/search/messages',
      summary: 'Search for messages as a table',
      description: 'Changes nothing. Includes only messages of streams that the user may read.',
      query: exportQuerySchema,
      body: messagesRequestSchema,
      handler: async (request) => tableReply(request, await search.tables.messages(request, request.body)),
    }),
    defineRoute({
      ...shared,
      method: 'GET',
      path: '/search/messages',
      summary: 'Search for messages as a table, with query parameters',
      query: messagesQuerySchema,
      handler: async (request) =>
        tableReply(request, await search.tables.messages(request, messagesRequestOf(request.query))),
    }),
    defineRoute({
      ...shared,
      method: 'POST',
      path: '/search/aggregate',
      summary: 'Aggregate messages as a table',
      description:
        'Changes nothing. Sorted by the first metric, largest first, unless a metric or a group says otherwise. Without groups there is one row.',
      query: exportQuerySchema,
      body: aggregateRequestSchema,
      handler: async (request) => tableReply(request, await search.tables.aggregate(request, request.body)),
    }),
    defineRoute({
      ...shared,
      method: 'GET',
      path: '/search/aggregate',
      summary: 'Aggregate messages as a table, with query parameters',
      query: aggregateQuerySchema,
      handler: async (request) =>
        tableReply(request, await search.tables.aggregate(request, aggregateRequestOf(request.query))),
    }),
  ];
}

interface TableRequest extends Pick<RouteRequest, 'headers'> {
  readonly query: { readonly escape_formulas: boolean };
}

function tableReply({ headers, query }: TableRequest, table: TableResponse) {
  switch (preferredType(headers.accept?.toString(), ['application/json', CSV, TEXT])) {
    case CSV:
      return rawReply(
        200,
        `${CSV}; charset=utf-8`,
        renderCsvTable(table, { escapeFormulas: query.escape_formulas }),
      );
    case TEXT:
      return rawReply(200, `${TEXT}; charset=utf-8`, renderTextTable(table));
    default:
      return table;
  }
}
