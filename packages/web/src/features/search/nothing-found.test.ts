import { MantineProvider } from '@mantine/core';
import type { User } from '@millrace/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { AccountProvider, meQuery } from '../../lib/account/index.ts';
import { NothingFound } from './nothing-found.tsx';
import { RUN_REQUESTS, type Run } from './run.ts';
import { searchParams } from './search-params.ts';
import type { SearchState } from './use-search.ts';

const run: Run = {
  query: '*',
  streams: [],
  span: { from: 0, to: 900_000 },
  zone: 'UTC',
  sort: 'timestamp:desc',
  startedAt: 900_000,
};

function shownTo(...permissions: string[]): string {
  return pageOf(new QueryClient(), permissions);
}

function pageOf(client: QueryClient, permissions: readonly string[]): string {
  client.setQueryData(meQuery.queryKey, { permissions } as unknown as User);
  const search = { values: searchParams.read({}).values, zone: 'UTC' } as SearchState;
  const page = createElement(AccountProvider, null, createElement(NothingFound, { search, run }));
  return renderToStaticMarkup(
    createElement(MantineProvider, null, createElement(QueryClientProvider, { client }, page)),
  );
}

test('whoever may read no stream is told that, and not that nothing matches', () => {
  expect(shownTo('inputs:read')).toContain('You may not read any stream');
  expect(shownTo('inputs:read')).not.toContain('No message matches');
  expect(shownTo('streams:read:000000000000000000000001')).toContain('No message matches');
});

test('messages that have arrived since the search began are no sign of a clock that is ahead', () => {
  const client = new QueryClient();
  pageOf(client, ['*']);
  const counts = client.getQueryCache().findAll({ queryKey: [RUN_REQUESTS, 'count'] });
  const starts = counts.map(({ queryKey }) => (queryKey[3] as { from: number }).from);
  expect(starts.filter((from) => from >= run.startedAt)).toEqual([run.startedAt + 60_000]);
});
