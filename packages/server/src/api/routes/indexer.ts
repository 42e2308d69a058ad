import {
  allIndicesSchema,
  closedIndicesSchema,
  entityIdParameter,
  failureCountSchema,
  indexerFailuresSchema,
  indexerHealthSchema,
  indexerNameSchema,
  indexerOverviewSchema,
  indexInfoSchema,
  indexNameParameter,
  indexNamesSchema,
  integerParameter,
  openIndicesSchema,
} from '@millrace/contract';
import { z } from 'zod';
import { InvalidError } from '#core/index.ts';
import type { StorageService } from '#storage/service.ts';
import { defineRoute, type Route } from '../route.ts';

export interface IndexerRouteDeps {
  readonly storage: Pick<StorageService, 'indexSets' | 'indices' | 'messages'>;
  /** `clickhouse_database` */
  readonly indexerName: string;
}

const params = z.object({ indexSetId: entityIdParameter });
const instance = ({ indexSetId }: { readonly indexSetId: string }) => indexSetId;
const indexParams = z.object({ index: indexNameParameter });
const indexInstance = ({ index }: { readonly index: string }) => index;
const anybody = { kind: 'authenticated' } as const;

/** Indices and the database that holds them, under Graylog's names. */
export function indexerRoutes(deps: IndexerRouteDeps): Route[] {
  return [
    ...listRoutes(deps),
    ...setListRoutes(deps),
    ...singleRoutes(deps),
    ...overviewRoutes(deps),
    ...failureRoutes(deps),
  ];
}

function listRoutes({ storage: { indices } }: IndexerRouteDeps): Route[] {
  const tag = 'Indexer/Indices';
  const description = 'Includes those for which the user has indices:read.';
  return [
    defineRoute({
      method: 'GET',
      path: '/system/indexer/indices',
      tag,
      summary: 'List the indices of all index sets',
      description,
      permission: anybody,
      responses: { 200: allIndicesSchema },
      errors: ['unavailable'],
      handler: ({ principal }) => indices.all(principal),
    }),
    defineRoute({
      method: 'GET',
      path: '/system/indexer/indices/open',
      tag,
      summary: 'List the open indices',
      description,
      permission: anybody,
      responses: { 200: openIndicesSchema },
      errors: ['unavailable'],
      handler: ({ principal }) => indices.open(principal),
    }),
    ...(['closed', 'reopened'] as const).map((state) =>
      defineRoute({
        method: 'GET',
        path: `/system/indexer/indices/${state}`,
        tag,
        summary: `List the ${state} indices`,
        description,
        permission: anybody,
        responses: { 200: closedIndicesSchema },
        errors: [],
        handler: ({ principal }) => indices.inState(principal, state),
      }),
    ),
    defineRoute({
      method: 'POST',
      path: '/system/indexer/indices/multiple',
      tag,
      summary: 'Get several indices',
      description,
      permission: anybody,
      body: indexNamesSchema,
      responses: { 200: openIndicesSchema },
      errors: ['unavailable'],
      handler: ({ principal, body }) => indices.infoOf(principal, body.indices),
    }),
  ];
}

function setListRoutes({ storage: { indices } }: IndexerRouteDeps): Route[] {
  const tag = 'Indexer/Indices';
  return [
    defineRoute({
      method: 'GET',
      path: '/system/indexer/indices/:indexSetId/list',
      tag,
      summary: 'List the indices of an index set',
      permission: 'indexsets:read',
      instance,
      params,
      responses: { 200: allIndicesSchema },
      errors: ['not_found', 'unavailable'],
      handler: (request) => indices.all(request.principal, request.params.indexSetId),
    }),
    defineRoute({
      method: 'GET',
      path: '/system/indexer/indices/:indexSetId/open',
      tag,
      summary: 'List the open indices of an index set',
      permission: 'indexsets:read',
      instance,
      params,
      responses: { 200: openIndicesSchema },
      errors: ['not_found', 'unavailable'],
      handler: (request) => indices.open(request.principal, request.params.indexSetId),
    }),
    ...(['closed', 'reopened'] as const).map((state) =>
      defineRoute({
        method: 'GET',
        path: `/system/indexer/indices/:indexSetId/${state}`,
        tag,
        summary: `List the ${state} indices of an index set`,
        permission: 'indexsets:read',
        instance,
        params,
        responses: { 200: closedIndicesSchema },
        errors: ['not_found'],
        handler: (request) => indices.inState(request.principal, state, request.params.indexSetId),
      }),
    ),
  ];
}

function singleRoutes({ storage: { indices } }: IndexerRouteDeps): Route[] {
  const tag = 'Indexer/Indices';
  const common = { tag, instance: indexInstance, params: indexParams } as const;
  return [
    defineRoute({
      ...common,
      method: 'GET',
      path: '/system/indexer/indices/:index',
      summary: 'Get one index',
      permission: 'indices:read',
      responses: { 200: indexInfoSchema },
      errors: ['not_found', 'unavailable'],
      handler: (request) => indices.info(request.params.index),
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: '/system/indexer/indices/:index/close',
      summary: 'Close an index',
      description: 'Its messages are kept but not searched. Refused for the active index.',
      permission: 'indices:changestate',
      responses: { 204: null },
      errors: ['not_found'],
      handler: (request) => indices.close(request, request.params.index),
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: '/system/indexer/indices/:index/reopen',
      summary: 'Reopen a closed index',
      description: 'Retention ignores it from then on.',
      permission: 'indices:changestate',
      responses: { 204: null },
      errors: ['not_found'],
      handler: (request) => indices.reopen(request, request.params.index),
    }),
    defineRoute({
      ...common,
      method: 'DELETE',
      path: '/system/indexer/indices/:index',
      summary: 'Delete an index and its messages',
      description: 'Refused for the active index.',
      permission: 'indices:delete',
      responses: { 204: null },
      errors: ['not_found', 'unavailable'],
      handler: (request) => indices.remove(request, request.params.index),
    }),
  ];
}

function overviewRoutes({ storage: { indices, indexSets }, indexerName }: IndexerRouteDeps): Route[] {
  const tag = 'Indexer/Overview';
  return [
    defineRoute({
      method: 'GET',
      path: '/system/indexer/overview',
      tag,
      summary: 'Get an overview of the default index set',
      permission: 'indexercluster:read',
      responses: { 200: indexerOverviewSchema },
      errors: ['unavailable'],
      handler: () => indices.overview(indexSets.defaultId()),
    }),
    defineRoute({
      method: 'GET',
      path: '/system/indexer/overview/:indexSetId',
      tag,
      summary: 'Get an overview of an index set',
      permission: 'indexsets:read',
      instance,
      params,
      query: z.object({
        skip: integerParameter({ min: 0 }).default(0).describe('So many of the newest indices are left out.'),
        limit: integerParameter({ min: 0 }).default(0).describe('The most indices; 0: all.'),
      }),
      responses: { 200: indexerOverviewSchema },
      errors: ['not_found', 'unavailable'],
      handler: (request) => indices.overview(request.params.indexSetId, request.query),
    }),
    defineRoute({
      method: 'GET',
      path: '/system/indexer/cluster/health',
      tag,
      summary: 'Check whether ClickHouse is available',
      permission: 'indexercluster:read',
      responses: { 200: indexerHealthSchema },
      errors: [],
      handler: () => indices.health(),
    }),
    defineRoute({
      method: 'GET',
      path: '/system/indexer/cluster/name',
      tag,
      summary: 'Get the name of the message database',
      permission: 'indexercluster:read',
      responses: { 200: indexerNameSchema },
      errors: [],
      handler: () => ({ name: indexerName }),
    }),
  ];
}

function failureRoutes({ storage: { messages } }: IndexerRouteDeps): Route[] {
  const tag = 'Indexer/Failures';
  return [
    defineRoute({
      method: 'GET',
      path: '/system/indexer/failures',
      tag,
      summary: 'List the newest messages that could not be decoded or stored',
      description:
        'They are also messages of the stream "Processing failures", with their raw bytes, and can be searched there.',
      permission: 'indices:failures',
      query: z.object({
        limit: integerParameter({ min: 0, max: 10_000 }).default(50),
        offset: integerParameter({ min: 0, max: 1_000_000 }).default(0),
      }),
      responses: { 200: indexerFailuresSchema },
      errors: ['unavailable'],
      handler: ({ query }) => messages.failures(query),
    }),
    defineRoute({
      method: 'GET',
      path: '/system/indexer/failures/count',
      tag,
      summary: 'Count the failures since a point in time',
      permission: 'indices:failures',
      query: z.object({ since: z.string().min(1).max(40).describe('ISO 8601') }),
      responses: { 200: failureCountSchema },
      errors: ['unavailable'],
      handler: async ({ query }) => ({ count: await messages.failureCount(parseInstant(query.since)) }),
    }),
  ];
}

function parseInstant(text: string): number {
  const time = Date.parse(text);
  if (Number.isFinite(time)) return time;
  throw new InvalidError(`since ${JSON.stringify(text)} is not a date such as 2026-01-31T12:00:00.000Z.`);
}
