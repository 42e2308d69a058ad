import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FindBox } from '../../components/find-box.tsx';
import { Pages } from '../../components/pages.tsx';
import { pageWithin, type SearchParams } from '../../lib/url/index.ts';
import { type ListValues, listParams, PER_PAGE, SORTS } from './list-params.ts';

/** What the list shows, as the address says, and a way to change it. */
export function useListValues(to: string) {
  const search = useSearch({ strict: false }) as SearchParams;
  const { values } = listParams.read(search);
  const navigate = useNavigate();
  const change = (next: Partial<ListValues>) =>
    void navigate({ to, search: listParams.update(next), replace: true });
  return { values, change };
}

export interface PagedListProps<Row> {
  readonly texts: {
    readonly title: string;
    readonly find: string;
    readonly findHint: string;
    readonly one: string;
    readonly many?: string;
    readonly noneFound: (find: string) => string;
    readonly showAll: string;
  };
  readonly list: ReturnType<typeof useListValues>;
  readonly result: Pick<UseQueryResult, 'error' | 'refetch' | 'isPlaceholderData' | 'isFetching'>;
  /** Undefined until the first answer. */
  readonly rows: readonly Row[] | undefined;
  readonly total: number;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  readonly onOpen?: (row: Row) => void;
  readonly below: (row: Row) => ReactNode;
  /** When there is nothing at all. */
  readonly empty: ReactNode;
}

/** A list that the server searches, sorts and cuts into pages. */
export function PagedList<Row>(props: PagedListProps<Row>) {
  const { texts, list, result, rows, total, columns, rowKey, onOpen, below, empty } = props;
  const { values, change } = list;
  const lastPage = pageWithin(values.page, total, PER_PAGE);
  // A page that was empty a while ago may have rows by now: it is asked for again first.
  const isNew = !(result.isPlaceholderData || result.isFetching);
  const isBeyond = rows !== undefined && isNew && values.page > lastPage;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address changes once for each page that is not there
  useEffect(() => {
    if (isBeyond) change({ page: lastPage });
  }, [isBeyond, lastPage]);
  const isEmpty = rows?.length === 0 && !result.isPlaceholderData && values.page <= lastPage;
  const isSearched = values.find.trim() !== '';
  return (
    <>
      {result.error !== null && <ErrorNotice error={result.error} onRetry={() => void result.refetch()} />}
      {(values.find !== '' || (rows !== undefined && !isEmpty)) && (
        <FindBox
          label={texts.find}
          hint={texts.findHint}
          group={texts.title}
          find={values.find}
          onFind={(find) => change({ find, page: 1 })}
        />
      )}
      {rows !== undefined && rows.length > 0 && (
        <DataTable
          label={texts.title}
          columns={columns}
          rows={rows}
          rowKey={rowKey}
          {...(onOpen === undefined ? {} : { onOpen })}
          below={below}
          sort={{ column: values.sort, order: values.order }}
          onSort={({ column, order }) =>
            change({ sort: SORTS.find((known) => known === column) ?? 'title', order, page: 1 })
          }
        />
      )}
      <Pages
        page={values.page}
        perPage={PER_PAGE}
        total={total}
        one={texts.one}
        {...(texts.many === undefined ? {} : { many: texts.many })}
        onPage={(page) => change({ page })}
      />
      {isEmpty &&
        (isSearched ? (
          <EmptyState
            title={texts.noneFound(values.find)}
            action={<Button onClick={() => change({ find: '', page: 1 })}>{texts.showAll}</Button>}
          />
        ) : (
          empty
        ))}
    </>
  );
}
