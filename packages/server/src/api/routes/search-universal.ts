import {
  fieldHistogramResultSchema,
  fieldStatsResultSchema,
  histogramResultSchema,
  messageSearchResultSchema,
  sourcesQuerySchema,
  sourcesResultSchema,
  termsHistogramResultSchema,
  termsResultSchema,
  termsStatsResultSchema,
  UNIVERSAL_PARAMETERS,
  UNIVERSAL_TIME,
  type UniversalEndpoint,
  type UniversalKind,
} from '@millrace/contract';
import { z } from 'zod';
import { ForbiddenError, InvalidError, type Principal } from '#core/index.ts';
import {
  EXPORT_CONTENT_TYPES,
  isAscending,
  parseDirectedSort,
  type SearchInput,
  type SearchService,
  type TimeRange,
} from '#search/service.ts';
import { preferredType } from '../accept.ts';
import { rawReply } from '../reply.ts';
import { defineRoute, type Route } from '../route.ts';
import { missingServersHeader } from './message-exports.ts';
import { SEARCH_ERRORS } from './search-errors.ts';

export type UniversalSearchRouteDeps = Pick<SearchService, 'aggregations' | 'messages' | 'exports'>;

const tag = 'Search';
const DEFAULT_LIMIT = 150;
const MAX_FILE_NAME_LENGTH = 150;
const STREAM_ID = /^[\w-]+$/;
const CSV = 'text/csv';

/** The search API of Graylog up to version 3, which scripts still use, and the list of sources. */
export function universalSearchRoutes(search: UniversalSearchRouteDeps): Route[] {
  const kinds: readonly UniversalKind[] = ['relative', 'absolute', 'keyword'];
  return [
    ...kinds.flatMap((kind) => [
      ...messageRoutes(search, kind),
      ...termRoutes(search, kind),
      ...figureRoutes(search, kind),
      ...histogramRoutes(search, kind),
    ]),
    sourcesRoute(search),
  ];
}

/** Common to all these routes. */
const SHARED = {
  method: 'GET',
  tag,
  description:
    'Finds messages of the streams the user may read. A filter needs streams:read for each of its streams.',
  permission: { kind: 'authenticated' },
  errors: SEARCH_ERRORS,
} as const;

/** The parameters of an endpoint and of the time range. Handlers see the former; `RANGES` reads the latter. */
function queryOf<Endpoint extends UniversalEndpoint>(kind: UniversalKind, endpoint: Endpoint) {
  const shape: z.ZodRawShape = { ...UNIVERSAL_PARAMETERS[endpoint], ...UNIVERSAL_TIME[kind] };
  return z.object(shape) as unknown as z.ZodObject<(typeof UNIVERSAL_PARAMETERS)[Endpoint]>;
}

const RANGES: Readonly<Record<UniversalKind, (query: unknown) => TimeRange>> = {
  relative: (query) => ({ type: 'relative', ...z.object(UNIVERSAL_TIME.relative).parse(query) }),
  absolute: (query) => ({ type: 'absolute', ...z.object(UNIVERSAL_TIME.absolute).parse(query) }),
  keyword: (query) => ({ type: 'keyword', ...z.object(UNIVERSAL_TIME.keyword).parse(query) }),
};

interface SearchedQuery {
  readonly query: string;
  readonly filter?: string | undefined;
  readonly timezone?: string | undefined;
  readonly allow_partial?: boolean | undefined;
}

function inputOf(kind: UniversalKind, principal: Principal, query: SearchedQuery): SearchInput {
  const streams = streamsOf(principal, query.filter ?? '');
  const { timezone: timeZone, allow_partial: allowPartial } = query;
  return { query: query.query, range: RANGES[kind](query), streams, timeZone, allowPartial };
}

/** The streams of a filter. The caller must be able to read all of them. Empty: all streams the caller may read. */
function streamsOf(principal: Principal, filter: string): string[] {
  if (filter.trim() === '' || filter.trim() === '*') return [];
  const [, list = ''] = /^\s*streams:(.*)$/s.exec(filter) ?? [];
  const ids = list
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
  if (ids.length === 0 || !ids.every((id) => STREAM_ID.test(id))) {
    throw new ForbiddenError(`Not allowed to search with filter: [${filter}]`);
  }
  const forbidden = ids.find((id) => !principal.can('streams:read', id));
  if (forbidden === undefined) return ids;
  throw new ForbiddenError(
    `Not allowed to search with filter: [${filter}]. (Forbidden stream: ${forbidden})`,
    { needs: `streams:read:${forbidden}` },
  );
}

/** Undefined (all fields) if none or `*` is named; `timestamp` is always included. */
function fieldsOf(fields: readonly string[]): string[] | undefined {
  if (fields.length === 0 || fields.includes('*')) return undefined;
  return ['timestamp', ...fields.filter((field) => field !== 'timestamp')];
}

function messageRoutes(search: UniversalSearchRouteDeps, kind: UniversalKind): Route[] {
  const path = `/search/universal/${kind}`;

  async function csv(
    { principal, signal }: { readonly principal: Principal; readonly signal: AbortSignal },
    query: SearchedQuery & ExportParameters,
    headers: Readonly<Record<string, string>> = {},
  ) {
    const input = inputOf(kind, principal, query);
    const fields = fieldsOf(query.fields);
    if (fields === undefined) {
      throw new InvalidError(
        'Missing required parameter `fields`: name the columns, for example source,message.',
      );
    }
    const missing: Record<string, string> = {};
    const stream = await search.exports.open(
      principal,
      {
        ...input,
        format: 'csv',
        fields,
        sort: parseDirectedSort(query.sort ?? ''),
        limit: query.limit > 0 ? query.limit : undefined,
        offset: query.offset,
        escapeFormulas: query.escape_formulas,
      },
      { signal, missing: (servers) => Object.assign(missing, missingServersHeader(servers)) },
    );
    return rawReply(200, EXPORT_CONTENT_TYPES.csv, stream, { ...headers, ...missing });
  }

  return [
    defineRoute({
      ...SHARED,
      path,
      summary: `Search for messages by ${NAMES[kind]}`,
      query: queryOf(kind, 'messages'),
      responses: { 200: messageSearchResultSchema },
      alternatives: { [CSV]: 'All messages found, one per line; needs `fields`.' },
      handler: (request) => {
        const { principal, query, signal, headers } = request;
        if (preferredType(headers.accept?.toString(), ['application/json', CSV]) === CSV) {
          return csv(request, query);
        }
        return search.messages.view(
          principal,
          {
            ...inputOf(kind, principal, query),
            limit: query.limit > 0 ? query.limit : DEFAULT_LIMIT,
            offset: query.offset,
            fields: fieldsOf(query.fields),
            sort: parseDirectedSort(query.sort ?? ''),
            cursor: query.cursor,
          },
          { signal },
        );
      },
    }),
    defineRoute({
      ...SHARED,
      path: `${path}/export`,
      summary: `Export the messages of a search by ${NAMES[kind]}`,
      query: queryOf(kind, 'export'),
      responses: { 200: { contentType: CSV, description: 'All messages found, one per line.' } },
      handler: (request) =>
        csv(request, request.query, {
          'content-disposition': `attachment; filename=${fileName(kind, RANGES[kind](request.query))}`,
        }),
    }),
  ];
}

/** Named as in Graylog, with only characters that are safe in headers and file systems. */
function fileName(kind: UniversalKind, { type: _, ...range }: TimeRange): string {
  const parts = ['graylog-search-result', kind, ...Object.values(range).map(String)];
  return `${parts
    .join('-')
    .replaceAll(/[^\w.-]+/g, '_')
    .slice(0, MAX_FILE_NAME_LENGTH)}.csv`;
}

interface ExportParameters {
  readonly fields: readonly string[];
  readonly sort?: string | undefined;
  readonly limit: number;
  readonly offset: number;
  readonly escape_formulas: boolean;
}

const NAMES: Readonly<Record<UniversalKind, string>> = {
  relative: 'the last seconds',
  absolute: 'a time range',
  keyword: 'a time range in words',
};

function termRoutes(search: UniversalSearchRouteDeps, kind: UniversalKind): Route[] {
  const path = `/search/universal/${kind}`;
  return [
    defineRoute({
      ...SHARED,
      path: `${path}/terms`,
      summary: `Count the values of a field by ${NAMES[kind]}`,
      query: queryOf(kind, 'terms'),
      responses: { 200: termsResultSchema },
      handler: ({ principal, query, signal }) =>
        search.aggregations.terms(
          { principal, signal },
          inputOf(kind, principal, query),
          termsOptions(query),
        ),
    }),
    defineRoute({
      ...SHARED,
      path: `${path}/terms-histogram`,
      summary: `Count the values of a field over time by ${NAMES[kind]}`,
      query: queryOf(kind, 'terms-histogram'),
      responses: { 200: termsHistogramResultSchema },
      handler: ({ principal, query, signal }) =>
        search.aggregations.termsHistogram({ principal, signal }, inputOf(kind, principal, query), {
          ...termsOptions(query),
          interval: query.interval,
        }),
    }),
  ];
}

function termsOptions(query: {
  readonly field: string;
  readonly stacked_fields: readonly string[];
  readonly size: number;
  readonly order?: string | undefined;
}) {
  return {
    field: query.field,
    stackedFields: query.stacked_fields,
    size: query.size,
    ascending: isAscending(query.order),
  };
}

function figureRoutes(search: UniversalSearchRouteDeps, kind: UniversalKind): Route[] {
  const path = `/search/universal/${kind}`;
  return [
    defineRoute({
      ...SHARED,
      path: `${path}/termsstats`,
      summary: `Compute statistics of a field for each value of another by ${NAMES[kind]}`,
      query: queryOf(kind, 'termsstats'),
      responses: { 200: termsStatsResultSchema },
      handler: ({ principal, query, signal }) =>
        search.aggregations.termsStats({ principal, signal }, inputOf(kind, principal, query), {
          keyField: query.key_field,
          valueField: query.value_field,
          order: query.order,
          size: query.size,
        }),
    }),
    defineRoute({
      ...SHARED,
      path: `${path}/stats`,
      summary: `Compute statistics of a field by ${NAMES[kind]}`,
      query: queryOf(kind, 'stats'),
      responses: { 200: fieldStatsResultSchema },
      handler: ({ principal, query, signal }) =>
        search.aggregations.stats({ principal, signal }, inputOf(kind, principal, query), {
          field: query.field,
        }),
    }),
  ];
}

function histogramRoutes(search: UniversalSearchRouteDeps, kind: UniversalKind): Route[] {
  const path = `/search/universal/${kind}`;
  return [
    defineRoute({
      ...SHARED,
      path: `${path}/histogram`,
      summary: `Count messages over time by ${NAMES[kind]}`,
      query: queryOf(kind, 'histogram'),
      responses: { 200: histogramResultSchema },
      handler: ({ principal, query, signal }) =>
        search.aggregations.histogram({ principal, signal }, inputOf(kind, principal, query), {
          interval: query.interval,
        }),
    }),
    defineRoute({
      ...SHARED,
      path: `${path}/fieldhistogram`,
      summary: `Compute statistics of a field over time by ${NAMES[kind]}`,
      query: queryOf(kind, 'fieldhistogram'),
      responses: { 200: fieldHistogramResultSchema },
      handler: ({ principal, query, signal }) =>
        search.aggregations.fieldHistogram({ principal, signal }, inputOf(kind, principal, query), {
          field: query.field,
          interval: query.interval,
          cardinality: query.cardinality,
        }),
    }),
  ];
}

function sourcesRoute(search: UniversalSearchRouteDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/sources',
    tag,
    summary: 'Count the messages of each source',
    permission: 'sources:read',
    query: sourcesQuerySchema,
    responses: { 200: sourcesResultSchema },
    errors: ['search_failed'],
    handler: ({ principal, query, signal }) =>
      search.aggregations.sources({ principal, signal }, query.range, query.allow_partial),
  });
}
