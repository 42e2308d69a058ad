import type { QueryFunctionContext } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import {
  alertDeliveriesQuery,
  alertPageQuery,
  alertQuery,
  alertsQuery,
  alertValuesQuery,
  deliveriesQuery,
  queueQuery,
} from './queries.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

test.each([
  ['a page of alerts', alertPageQuery({})],
  ['alerts of a stream', alertsQuery('s', 'unresolved')],
  ['one alert', alertQuery('a')],
  ['its values', alertValuesQuery({ id: 'a', resolved_at: null })],
  ['its notices', alertDeliveriesQuery('a', 1)],
  ['what waits', queueQuery({})],
  ['what was sent', deliveriesQuery({})],
])('a page that asks for %s again and again does not keep the session alive', async (_what, query) => {
  const asked: RequestInit[] = [];
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    asked.push(init);
    return new Response('{}');
  });
  const ask = query.queryFn as (context: Partial<QueryFunctionContext>) => Promise<unknown>;
  await ask({ signal: new AbortController().signal });
  expect(asked.map(({ headers }) => new Headers(headers).get('X-Graylog-No-Session-Extension'))).toEqual([
    'true',
  ]);
});
