import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { EmptyState } from './empty-state.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { Pages } from './pages.tsx';

export interface ListFrameProps {
  readonly result: Pick<UseQueryResult, 'error' | 'refetch' | 'isPlaceholderData' | 'isFetching'>;
  /** Undefined until the first answer. */
  readonly total: number | undefined;
  readonly page: number;
  readonly perPage: number;
  readonly onPage: (page: number) => void;
  /** What is listed: "stream". */
  readonly one: string;
  readonly many?: string | undefined;
  /** What finds and sorts. Where nothing is there, nothing is to be found. */
  readonly controls: ReactNode;
  /** Only a part of the list is asked for. */
  readonly isNarrowed: boolean;
  readonly noneFound: string;
  readonly showAll: string;
  readonly onShowAll: () => void;
  /** Where there is nothing at all. */
  readonly empty: ReactNode;
  /** The rows. */
  readonly children: ReactNode;
}

/** Around the rows of a list that the server searches, sorts and cuts into pages. */
export function ListFrame(props: ListFrameProps) {
  const { result, total, page, perPage, onPage, one, many, controls, isNarrowed, empty, children } = props;
  const isEmpty = total === 0 && !result.isPlaceholderData;
  return (
    <>
      {result.error !== null && <ErrorNotice error={result.error} onRetry={() => void result.refetch()} />}
      {(isNarrowed || (total !== undefined && !isEmpty)) && controls}
      {children}
      {total !== undefined && (
        <Pages
          {...{ page, perPage, total, one, onPage }}
          {...(many !== undefined && { many })}
          // A page that was empty a while ago may have rows by now: it is asked for again first.
          isOld={result.isPlaceholderData || result.isFetching}
        />
      )}
      {isEmpty && !isNarrowed && empty}
      {isEmpty && isNarrowed && (
        <EmptyState
          title={props.noneFound}
          action={<Button onClick={props.onShowAll}>{props.showAll}</Button>}
        />
      )}
    </>
  );
}
