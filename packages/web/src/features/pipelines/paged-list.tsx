import type { ReactNode } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { FindList, type FindListProps } from '../../components/find-list.tsx';
import { type ListState, useListValues } from '../../components/use-list-values.ts';
import { type ListValues, listParams, PER_PAGE, SORTS } from './list-params.ts';

/** What the list of the page at `to` shows: all lists of this feature know the same values. */
export function usePagedList(to: string): ListState<ListValues> {
  return useListValues(to, listParams);
}

export interface PagedListProps<Row> extends Pick<FindListProps, 'result' | 'total' | 'empty'> {
  readonly texts: FindListProps['texts'] & { readonly one: string; readonly many?: string };
  readonly list: ListState<ListValues>;
  /** Undefined until the first answer. */
  readonly rows: readonly Row[] | undefined;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  readonly onOpen?: (row: Row) => void;
  readonly below: (row: Row) => ReactNode;
}

/** A table that the server searches, sorts and cuts into pages. */
export function PagedList<Row>(props: PagedListProps<Row>) {
  const { texts, list, result, rows = [], total, columns, rowKey, onOpen, below, empty } = props;
  const { values, change } = list;
  return (
    <FindList {...{ texts, list, result, total, empty }} perPage={PER_PAGE} one={texts.one} many={texts.many}>
      {rows.length > 0 && (
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
    </FindList>
  );
}
