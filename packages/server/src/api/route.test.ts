import { booleanParameter, entityIdParameter, integerParameter } from '@millrace/contract';
import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { emptyReply, rawReply, reply } from './reply.ts';
import { defineRoute, isAnyReply } from './route.ts';

test('handlers receive the types of their schemas', () => {
  const route = defineRoute({
    method: 'PUT',
    path: '/things/:thingId',
    tag: 'Things',
    summary: 'Change a thing',
    permission: 'streams:edit',
    instance: (params) => params.thingId,
    params: z.object({ thingId: entityIdParameter }),
    query: z.object({ limit: integerParameter({ min: 1 }).default(10), all: booleanParameter().optional() }),
    body: z.strictObject({ title: z.string() }),
    responses: { 200: z.strictObject({ id: z.string() }), 202: null },
    errors: ['not_found'],
    handler: async ({ params, query, body, principal }) => {
      expectTypeOf(params).toEqualTypeOf<{ thingId: string }>();
      expectTypeOf(query.limit).toEqualTypeOf<number>();
      expectTypeOf(query.all).toEqualTypeOf<boolean | undefined>();
      expectTypeOf(body).toEqualTypeOf<{ title: string }>();
      expectTypeOf(principal.username).toEqualTypeOf<string>();
      return query.limit > 1 ? reply(202, undefined) : { id: params.thingId };
    },
  });
  expect(route.instance?.({ thingId: 'a' })).toBe('a');
});

test('a public route has no principal and a route without a body returns nothing', () => {
  defineRoute({
    method: 'DELETE',
    path: '/things',
    tag: 'Things',
    summary: 'Delete all',
    permission: { kind: 'public' },
    responses: { 204: null },
    errors: [],
    handler: async ({ principal }) => {
      expectTypeOf(principal).toEqualTypeOf<undefined>();
      await Promise.resolve();
    },
  });
  defineRoute({
    method: 'GET',
    path: '/things',
    tag: 'Things',
    summary: 'Wrong answer',
    permission: { kind: 'authenticated' },
    responses: { 200: z.strictObject({ id: z.string() }) },
    errors: [],
    // @ts-expect-error the declared body has an id
    handler: () => ({ name: 'x' }),
  });
  defineRoute({
    method: 'GET',
    path: '/things',
    tag: 'Things',
    summary: 'Wrong status',
    permission: { kind: 'authenticated' },
    responses: { 200: { contentType: 'text/csv', description: 'table' } },
    errors: [],
    // @ts-expect-error 201 is not declared
    handler: () => rawReply(201, 'text/csv', 'a,b'),
  });
  expect(isAnyReply(emptyReply(204))).toBe(true);
  expect(isAnyReply({ isReply: 'no' })).toBe(false);
});
