import {
  entityIdParameter,
  exportJobCreatedSchema,
  exportJobRequestSchema,
  exportJobSchema,
  exportQuerySchema,
  storedExportRequestSchema,
} from '@millrace/contract';
import { z } from 'zod';
import { EXPORT_CONTENT_TYPES, type SearchService } from '#search/service.ts';
import { rawReply, reply } from '../reply.ts';
import { defineRoute, type Route } from '../route.ts';
import { exportedFile, missingServersHeader, storedFile, storedSearch } from './message-exports.ts';
import { SEARCH_ERRORS } from './search-errors.ts';

const tag = 'Search';
const anybody = { kind: 'authenticated' } as const;
const job = { tag, permission: anybody, params: z.object({ jobId: entityIdParameter }) } as const;

export type ExportJobRouteDeps = Pick<SearchService, 'exportJobs' | 'storedViews'>;

export function exportJobRoutes(deps: ExportJobRouteDeps): Route[] {
  const { exportJobs } = deps;
  return [
    defineRoute({
      method: 'POST',
      path: '/views/export',
      tag,
      summary: 'Create an export whose progress can be watched',
      description:
        'Counts the messages. Download the file with GET /views/search/messages/job/{jobId}/{filename}: it is made while it is downloaded. Only its creator can see an export, on the node that created it.',
      permission: anybody,
      query: exportQuerySchema,
      strictBody: true,
      body: exportJobRequestSchema,
      responses: { 201: exportJobCreatedSchema },
      errors: SEARCH_ERRORS,
      handler: async ({ principal, body, query, signal }) => {
        const request = {
          ...exportedFile(body),
          format: body.format,
          escapeFormulas: query.escape_formulas,
        };
        const created = await exportJobs.create(principal, request, { signal });
        return reply(201, created, { location: `/api/views/export/${created.id}` });
      },
    }),
    defineRoute({
      ...job,
      method: 'GET',
      path: '/views/export/:jobId',
      summary: 'Get the progress of an export',
      responses: { 200: exportJobSchema },
      errors: ['not_found'],
      handler: ({ principal, params }) => exportJobs.status(principal, params.jobId),
    }),
    defineRoute({
      ...job,
      method: 'DELETE',
      path: '/views/export/:jobId',
      summary: 'Cancel an export',
      description: 'Stops the download and the search, and forgets the export. Returns what it was then.',
      responses: { 200: exportJobSchema },
      errors: ['not_found'],
      handler: ({ principal, params }) => exportJobs.remove(principal, params.jobId),
    }),
    defineRoute({
      ...job,
      method: 'GET',
      path: '/views/search/messages/job/:jobId/:filename',
      params: z.object({ jobId: entityIdParameter, filename: z.string().min(1).max(200) }),
      summary: 'Download the file of an export',
      responses: {
        200: { contentType: 'text/csv', description: 'The messages, in the format of the export' },
      },
      errors: ['not_found', 'conflict', ...SEARCH_ERRORS],
      handler: async ({ principal, params, signal }) => {
        const { file, format, missing } = await exportJobs.open(principal, params.jobId, { signal });
        return rawReply(200, EXPORT_CONTENT_TYPES[format], file, {
          'content-disposition': attachment(params.filename),
          ...missingServersHeader(missing),
        });
      },
    }),
    ...['/views/export/:searchId', '/views/export/:searchId/:searchTypeId'].map((path) =>
      storedSearchJobRoute(deps, path),
    ),
  ];
}

/** As Graylog has it: scripts put the whole answer into the address of the file. */
function storedSearchJobRoute({ exportJobs, storedViews }: ExportJobRouteDeps, path: string): Route {
  const { isPart, params } = storedSearch(path);
  return defineRoute({
    method: 'POST',
    path,
    tag,
    summary: `Create an export of ${isPart ? 'a part of ' : ''}a stored search`,
    description:
      'Answers with its id alone. Download the file, a CSV, with GET /views/search/messages/job/{jobId}/{filename}.',
    permission: anybody,
    params,
    query: exportQuerySchema,
    body: storedExportRequestSchema.optional(),
    responses: { 200: { contentType: 'text/plain', description: 'The id of the export' } },
    errors: ['not_found', ...SEARCH_ERRORS],
    handler: async (request) => {
      const { principal, query, signal } = request;
      const file = await storedFile(storedViews, request);
      const wanted = { ...file, format: 'csv', escapeFormulas: query.escape_formulas } as const;
      const { id } = await exportJobs.create(principal, wanted, { signal });
      return rawReply(200, 'text/plain; charset=utf-8', id);
    },
  });
}

/** The name as every browser reads it, whatever characters it has. */
function attachment(name: string): string {
  const plain = name.replace(/[^\w .-]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
