import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Page } from '../../components/page-header.tsx';
import { ApiError } from '../../lib/api/index.ts';

const NOT_FOUND = 404;

export interface OneOr404Props<Data> {
  readonly result: UseQueryResult<Data>;
  readonly texts: { readonly notFound: string; readonly notFoundWhy: string; readonly showAll: string };
  readonly listPath: string;
  readonly children: (data: Data) => ReactNode;
}

/** The page of one thing, or why it cannot be shown. */
export function OneOr404<Data>({ result, texts, listPath, children }: OneOr404Props<Data>) {
  const { data, error, refetch } = result;
  if (data !== undefined) return children(data);
  if (error === null) return <Page>{null}</Page>;
  if (error instanceof ApiError && error.status === NOT_FOUND) {
    return (
      <Page>
        <EmptyState
          isPage
          title={texts.notFound}
          action={<Button renderRoot={(props) => <Link to={listPath} {...props} />}>{texts.showAll}</Button>}
        >
          {texts.notFoundWhy}
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
    </Page>
  );
}
