import {
  entityIdParameter,
  extractorCreatedSchema,
  extractorExportSchema,
  extractorImportRequestSchema,
  extractorImportSchema,
  extractorListSchema,
  extractorOrderRequestSchema,
  extractorRequestSchema,
  extractorSchema,
  extractorsQuerySchema,
  extractorTrialRequestSchema,
  extractorTrialSchema,
  extractorTypesSchema,
} from '@millrace/contract';
import { z } from 'zod';
import type { ExtractorsService } from '#processing/service.ts';
import { reply } from '../reply.ts';
import { defineRoute, type Route } from '../route.ts';

const tag = 'Inputs/Extractors';
const path = '/system/inputs/:inputId/extractors';
const params = z.object({ inputId: entityIdParameter });
const one = z.object({ inputId: entityIdParameter, extractorId: entityIdParameter });
const instance = ({ inputId }: { readonly inputId: string }) => inputId;

export type ExtractorRouteDeps = Pick<ExtractorsService, 'extractors' | 'types' | 'version'>;

/** The extractors of an input. */
export function extractorRoutes(deps: ExtractorRouteDeps): Route[] {
  return [...readRoutes(deps), ...trialRoutes(deps), ...changeRoutes(deps), ...transferRoutes(deps)];
}

function readRoutes({ extractors }: ExtractorRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path,
      tag,
      summary: 'List the extractors of an input',
      description: 'In the order in which they run.',
      permission: 'inputs:read',
      instance,
      params,
      query: extractorsQuerySchema,
      responses: { 200: extractorListSchema },
      errors: ['not_found'],
      handler: (request) => extractors.list(request.params.inputId, request.query),
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/:extractorId`,
      tag,
      summary: 'Get one extractor',
      permission: 'inputs:read',
      instance,
      params: one,
      responses: { 200: extractorSchema },
      errors: ['not_found'],
      handler: ({ params: { inputId, extractorId } }) => extractors.get(inputId, extractorId),
    }),
  ];
}

function trialRoutes({ extractors, types }: ExtractorRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/system/extractors/types',
      tag,
      summary: 'List the types of extractors and the converters',
      description: 'With what each of them needs.',
      permission: { kind: 'authenticated' },
      responses: { 200: extractorTypesSchema },
      errors: [],
      handler: () => types,
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/test`,
      tag,
      summary: 'Try an extractor on a message',
      description:
        'The extractor need not be stored. It runs as it would for a message of the input, with its condition and its converters. Nothing is stored.',
      permission: 'inputs:read',
      instance,
      params,
      body: extractorTrialRequestSchema,
      responses: { 200: extractorTrialSchema },
      errors: ['not_found', 'unavailable'],
      handler: (request) => extractors.try(request.params.inputId, request.body),
    }),
  ];
}

function changeRoutes({ extractors }: ExtractorRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path,
      tag,
      summary: 'Add an extractor to an input',
      permission: 'inputs:edit',
      instance,
      params,
      body: extractorRequestSchema,
      responses: { 201: extractorCreatedSchema },
      errors: ['not_found'],
      handler: async (request) => {
        const { inputId } = request.params;
        const id = await extractors.create(request, inputId, request.body);
        const location = `/api/system/inputs/${encodeURIComponent(inputId)}/extractors/${id}`;
        return reply(201, { extractor_id: id }, { location });
      },
    }),
    defineRoute({
      method: 'PUT',
      path: `${path}/:extractorId`,
      tag,
      summary: 'Replace an extractor',
      description: 'One that was disabled because it took too long runs again.',
      permission: 'inputs:edit',
      instance,
      params: one,
      body: extractorRequestSchema,
      responses: { 200: extractorSchema },
      errors: ['not_found', 'conflict'],
      handler: (request) => {
        const { inputId, extractorId } = request.params;
        return extractors.update(request, inputId, extractorId, request.body);
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/:extractorId`,
      tag,
      summary: 'Delete an extractor',
      permission: 'inputs:edit',
      instance,
      params: one,
      responses: { 204: null },
      errors: ['not_found'],
      handler: (request) => extractors.remove(request, request.params.inputId, request.params.extractorId),
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/order`,
      tag,
      summary: 'Set the order in which the extractors of an input run',
      permission: 'inputs:edit',
      instance,
      params,
      body: extractorOrderRequestSchema,
      responses: { 204: null },
      errors: ['not_found'],
      handler: (request) => extractors.order(request, request.params.inputId, request.body.order),
    }),
  ];
}

function transferRoutes({ extractors, version }: ExtractorRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: `${path}/export`,
      tag,
      summary: 'Export the extractors of an input',
      description: "In the form of Graylog's exports, which Graylog can import, too.",
      permission: 'inputs:read',
      instance,
      params,
      responses: { 200: extractorExportSchema },
      errors: ['not_found'],
      handler: async (request) => ({
        extractors: await extractors.export(request.params.inputId),
        version,
      }),
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/import`,
      tag,
      summary: 'Import extractors into an input',
      description:
        'Takes an export of Millrace or Graylog as it is and adds its extractors to those that are there. Extractors that are not valid are left out; the answer says why.',
      permission: 'inputs:edit',
      instance,
      params,
      body: extractorImportRequestSchema,
      responses: { 200: extractorImportSchema },
      errors: ['not_found'],
      handler: (request) => extractors.import(request, request.params.inputId, request.body.extractors),
    }),
  ];
}
