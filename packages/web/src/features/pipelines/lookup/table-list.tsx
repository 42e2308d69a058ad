import type { LookupPartView, LookupTableView } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../../components/empty-state.tsx';
import { belowRow, useOpenRow } from '../../../components/open-row.tsx';
import { PagedList, usePagedList } from '../paged-list.tsx';
import classes from '../pipelines.module.css';
import { LookUpForm } from './look-up-form.tsx';
import { errorStatesQuery, tablePageQuery } from './queries.ts';
import { DeleteLookup, lookupColumns } from './row-parts.tsx';
import { TableForm } from './table-form.tsx';
import { lookupTexts } from './texts.ts';

export function TableList() {
  const list = usePagedList('/pipelines/lookup');
  const result = useQuery(tablePageQuery(list.values));
  const rows = result.data?.lookup_tables;
  const { data: states = {} } = useQuery(
    errorStatesQuery(
      'tables',
      (rows ?? []).map(({ name }) => name),
    ),
  );
  const opened = useOpenRow();
  const { caches = {}, data_adapters: adapters = {} } = result.data ?? {};
  const texts = lookupTexts.kinds.tables;
  return (
    <PagedList
      texts={texts}
      list={list}
      result={result}
      rows={rows}
      total={result.data?.total}
      columns={lookupColumns<LookupTableView>({
        opened,
        states,
        about: {
          title: lookupTexts.madeOf,
          render: (table) => (
            <span className={classes.clip}>
              {titleOf(adapters, table.data_adapter_id)}, {titleOf(caches, table.cache_id)}
            </span>
          ),
        },
      })}
      rowKey={({ id }) => id}
      onOpen={({ id }) => opened.edit(id)}
      below={(table) =>
        belowRow(opened, table.id, {
          question: () => <DeleteLookup kind="tables" row={table} onDone={opened.closeQuestion} />,
          form: () => (
            <div className={classes.workbench}>
              <TableForm table={table} onDone={opened.closeForm} />
              <LookUpForm kind="tables" name={table.name} />
            </div>
          ),
        })
      }
      empty={<EmptyState title={texts.empty}>{texts.emptyWhy}</EmptyState>}
    />
  );
}

function titleOf(parts: Readonly<Record<string, LookupPartView>>, id: string): string {
  return parts[id]?.title ?? id;
}
