import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { parseSearch, stringifySearch } from '../lib/url/index.ts';
import { NotFound, PageError } from './page-error.tsx';
import { routeTree } from './routes.tsx';

/** A page that is there within this time shows no sign of loading. */
const PENDING_MS = 300;

export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    parseSearch: parseSearch as (search: string) => Record<string, string>,
    stringifySearch,
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: NotFound,
    defaultPendingMs: PENDING_MS,
    defaultPreload: 'intent',
    scrollRestoration: false,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
