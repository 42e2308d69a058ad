import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '../lib/api/index.ts';
import { EmptyState } from './empty-state.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { Page } from './page-header.tsx';

const FORBIDDEN = 403;
const NOT_FOUND = 404;

export interface OneOrWhyNotProps<Data> {
  readonly result: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>;
  readonly notFound: string;
  readonly notFoundWhy: string;
  /** What is missing to see it, where the page knows. */
  readonly forbidden?: string;
  /** The way out: the page that lists all of them. */
  readonly listPath: string;
  readonly toList: string;
  readonly children: (data: Data) => ReactNode;
}

/** The page of one thing, or why it cannot be shown. */
export function OneOrWhyNot<Data>(props: OneOrWhyNotProps<Data>) {
  const { result, notFound, notFoundWhy, forbidden, listPath, toList, children } = props;
  const { data, error, refetch } = result;
  if (data !== undefined) return children(data);
  if (error === null) return <Page>{null}</Page>;
  const status = error instanceof ApiError ? error.status : undefined;
  const isForbidden = status === FORBIDDEN && forbidden !== undefined;
  return (
    <Page>
      {status === NOT_FOUND || isForbidden ? (
        <EmptyState
          isPage
          title={isForbidden ? forbidden : notFound}
          action={<Button renderRoot={(rest) => <Link to={listPath} {...rest} />}>{toList}</Button>}
        >
          {isForbidden ? undefined : notFoundWhy}
        </EmptyState>
      ) : (
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  );
}
