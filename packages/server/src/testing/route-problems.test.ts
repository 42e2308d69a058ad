import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Route } from '#api/route.ts';
import { routeProblems } from './route-problems.ts';

const good: Route = {
  method: 'PUT',
  path: '/things/:id',
  tag: 'Things',
  summary: 'Change a thing',
  permission: 'streams:edit',
  params: z.object({ id: z.string() }),
  body: z.strictObject({ rules: z.array(z.looseObject({})).optional() }),
  responses: { 204: null },
  errors: [],
  handler: () => {},
};

test('a complete route has no problems', () => {
  expect(routeProblems([good])).toEqual([]);
});

test('everything missing or wrong is reported with the route', () => {
  const f = (change: Record<string, unknown>, problem: string) =>
    expect(routeProblems([{ ...good, ...change }])).toEqual([expect.stringContaining(problem)]);

  f({ summary: '' }, 'PUT /things/:id: the summary');
  f({ summary: 'Change a thing.' }, 'the summary');
  f({ tag: '' }, 'the tag');
  f({ permission: undefined }, 'the permission is missing');
  f({ permission: 'streams' }, 'streams is not a permission');
  f({ permission: { kind: 'public' }, instance: () => 'x' }, 'an instance makes no sense');
  f({ params: undefined }, 'the path has the parameters [id], the schema has []');
  f({ query: z.strictObject({}) }, 'the query schema must not be strict');
  f(
    { body: z.strictObject({ rules: z.array(z.object({})).optional() }) },
    'body.rules silently drops unknown',
  );
  f({ body: z.union([z.string(), z.object({})]) }, 'body silently drops unknown');
  f({ method: 'GET' }, 'a GET request has no body');
  f({ responses: {} }, 'no response is declared');
  f({ responses: { 204: null, 404: null } }, '404 is not a success');
  f({ errors: undefined }, 'the list of error codes is missing');
  f({ errors: ['nonsense'] }, 'nonsense is not in ERROR_CODES');
  f({ path: '/things/:id/' }, 'the path must start with a slash');
});

test('an answer that is not JSON may have any status', () => {
  const dead = { contentType: 'text/plain', description: 'DEAD' };
  expect(routeProblems([{ ...good, responses: { 204: null, 503: dead } }])).toEqual([]);
});

test('the same path and method twice is a problem, whatever the parameters are called', () => {
  const twin = { ...good, path: '/things/:other', params: z.object({ other: z.string() }) };
  expect(routeProblems([good, twin])).toEqual(['PUT /things/:other: declared twice']);
});
