import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useParams } from '@tanstack/react-router';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Page } from '../../../components/page-header.tsx';
import { ApiError, call } from '../../../lib/api/index.ts';
import { addressOf } from '../session/long-query.ts';
import { texts } from '../texts.ts';
import { paramsOfSaved } from './saved-search.ts';

const GONE = new Set([403, 404]);

/** Where a link to a saved search leads: to the search as it is saved now. */
export function SavedSearchPage() {
  const { id = '' } = useParams({ strict: false });
  const { data, error, refetch } = useQuery({
    queryKey: ['saved-search', id],
    staleTime: 0,
    gcTime: 0,
    queryFn: ({ signal }) => call('GET /search/saved/{searchId}', { path: { searchId: id }, signal }),
  });
  if (data !== undefined) {
    const params = { ...paramsOfSaved(data), saved: id };
    return <Navigate to="/search" {...addressOf(params)} replace />;
  }
  if (error instanceof ApiError && GONE.has(error.status)) {
    return (
      <EmptyState
        isPage
        title={texts.savedGone}
        action={
          <Button component={Link} to="/search" variant="filled">
            {texts.title}
          </Button>
        }
      >
        {texts.savedGoneWhy}
      </EmptyState>
    );
  }
  return <Page>{error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}</Page>;
}
