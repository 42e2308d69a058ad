import {
  type ExportRequest,
  entityIdParameter,
  exportQuerySchema,
  exportRequestSchema,
  MISSING_SERVERS_HEADER,
  type StoredExportRequest,
  storedExportRequestSchema,
} from '@millrace/contract';
import { z } from 'zod';
import type { Principal } from '#core/index.ts';
import {
  EXPORT_CONTENT_TYPES,
  type ExportFormat,
  type MessageSort,
  requireSort,
  type SearchInput,
  type SearchService,
  viewExportInput,
} from '#search/service.ts';
import { preferredType } from '../accept.ts';
import { rawReply } from '../reply.ts';
import { defineRoute, type Route } from '../route.ts';
import { SEARCH_ERRORS } from './search-errors.ts';

export type MessageExportRouteDeps = Pick<SearchService, 'exports' | 'storedViews'>;

const TYPES = ['text/csv', 'application/x-ndjson', 'text/plain'] as const;
const FORMATS: Readonly<Record<(typeof TYPES)[number], ExportFormat>> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'text/plain': 'text',
};
const DEFAULT_FIELDS = ['timestamp', 'source', 'message'];
const DEFAULT_SECONDS = 300;

const shared = {
  method: 'POST',
  tag: 'Search',
  permission: { kind: 'authenticated' },
  query: exportQuerySchema,
  responses: { 200: { contentType: 'text/csv', description: 'The messages' } },
  alternatives: { 'application/x-ndjson': 'One JSON object per line', 'text/plain': 'Tabbed text' },
  errors: ['not_found', ...SEARCH_ERRORS],
} as const;

export function messageExportRoutes({ exports, storedViews }: MessageExportRouteDeps): Route[] {
  return [
    defineRoute({
      ...shared,
      path: '/views/search/messages',
      summary: 'Export messages',
      description:
        'All messages of a search, streamed: CSV, or one JSON object per line with `Accept: application/x-ndjson`, or tabbed text with `Accept: text/plain`. Line breaks in values are written as \\n, and tabs in tabbed text of several columns as \\t.',
      body: exportRequestSchema,
      handler: (request) => {
        return fileReply(exports, request, exportedFile(request.body));
      },
    }),
    ...['/views/search/messages/:searchId', '/views/search/messages/:searchId/:searchTypeId'].map((path) =>
      storedExportRoute({ exports, storedViews }, path),
    ),
  ];
}

function storedExportRoute({ exports, storedViews }: MessageExportRouteDeps, path: string): Route {
  const { isPart, params } = storedSearch(path);
  return defineRoute({
    ...shared,
    path,
    summary: isPart
      ? 'Export the messages of a part of a stored search'
      : 'Export the messages of a stored search',
    description:
      'The messages of its first query or of the part. A message list also determines the order and the fields.',
    params,
    body: storedExportRequestSchema.optional(),
    handler: async (request) => fileReply(exports, request, await storedFile(storedViews, request)),
  });
}

/** Which stored search a path names, and whether it names a part of it. */
export function storedSearch(path: string) {
  const isPart = path.endsWith(':searchTypeId');
  return {
    isPart,
    params: z.object({
      searchId: entityIdParameter,
      ...(isPart && { searchTypeId: entityIdParameter }),
    }),
  };
}

/** The messages of a stored search or of one of its parts, as a file. */
export async function storedFile(
  storedViews: SearchService['storedViews'],
  request: {
    readonly principal: Principal;
    readonly params: unknown;
    readonly body: StoredExportRequest | undefined;
  },
): Promise<ExportedFile> {
  const { principal, body } = request;
  const { searchId, searchTypeId } = request.params as { searchId: string; searchTypeId?: string };
  const { part, ...input } = viewExportInput(await storedViews.request(principal, searchId), searchTypeId);
  const list = part?.type === 'messages' ? part : undefined;
  const [sort] = list?.sort ?? [];
  return {
    ...input,
    timeZone: body?.time_zone,
    ...(body?.allow_partial !== undefined && { allowPartial: body.allow_partial }),
    fields: body?.fields_in_order ?? (list?.fields?.length ? list.fields : DEFAULT_FIELDS),
    sort: sort && { field: sort.field, direction: sort.order ?? 'desc' },
    limit: body?.limit,
  };
}

interface ExportedFile extends SearchInput {
  readonly fields: readonly string[];
  readonly sort: MessageSort | undefined;
  readonly limit: number | undefined;
}

async function fileReply(
  exports: SearchService['exports'],
  request: {
    readonly principal: Principal;
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
    readonly query: { readonly escape_formulas: boolean };
    readonly signal: AbortSignal;
  },
  search: ExportedFile,
) {
  const type = preferredType(String(request.headers.accept ?? ''), TYPES);
  const format = FORMATS[type];
  const headers: Record<string, string> = {};
  const file = await exports.open(
    request.principal,
    { ...search, format, escapeFormulas: request.query.escape_formulas },
    { signal: request.signal, missing: (servers) => Object.assign(headers, missingServersHeader(servers)) },
  );
  return rawReply(200, EXPORT_CONTENT_TYPES[format], file, headers);
}

export function missingServersHeader(servers: readonly string[] | undefined): Record<string, string> {
  return servers?.length ? { [MISSING_SERVERS_HEADER]: servers.join(', ') } : {};
}

/** What a request to export messages asks for, without its format. */
export function exportedFile(body: ExportRequest): ExportedFile {
  return {
    query: exportedQuery(body),
    range: body.timerange ?? { type: 'relative', range: DEFAULT_SECONDS },
    streams: body.streams,
    timeZone: body.time_zone,
    fields: body.fields_in_order ?? DEFAULT_FIELDS,
    sort: body.sort === undefined ? undefined : requireSort(body.sort),
    limit: body.limit,
    allowPartial: body.allow_partial,
  };
}

function exportedQuery({ query_string: query }: ExportRequest): string {
  return typeof query === 'object' ? query.query_string : (query ?? '*');
}
