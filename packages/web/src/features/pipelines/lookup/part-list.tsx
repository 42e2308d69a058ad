import type { LookupPartView } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../../components/empty-state.tsx';
import { belowRow, useOpenRow } from '../../../components/open-row.tsx';
import { pagingOf } from '../list-params.ts';
import { PagedList, usePagedList } from '../paged-list.tsx';
import classes from '../pipelines.module.css';
import type { PartKind } from './kinds.ts';
import { LookUpForm } from './look-up-form.tsx';
import { PartForm } from './part-form.tsx';
import { errorStatesQuery, partPageQuery, typesQuery } from './queries.ts';
import { DeleteLookup, lookupColumns } from './row-parts.tsx';
import { lookupTexts } from './texts.ts';

/** Data adapters, or caches. */
export function PartList({ kind }: { readonly kind: PartKind }) {
  const list = usePagedList('/pipelines/lookup');
  const result = useQuery(partPageQuery(kind, pagingOf(list.values)));
  const { data: types = {} } = useQuery(typesQuery(kind));
  const rows = result.data?.parts;
  const { data: states = {} } = useQuery(
    errorStatesQuery(
      kind,
      (rows ?? []).map(({ name }) => name),
    ),
  );
  const opened = useOpenRow();
  const texts = lookupTexts.kinds[kind];
  return (
    <PagedList
      texts={texts}
      list={list}
      result={result}
      rows={rows}
      total={result.data?.total}
      columns={lookupColumns<LookupPartView>({
        opened,
        states,
        about: {
          title: lookupTexts.type,
          render: ({ config }) => types[String(config.type)]?.name ?? String(config.type),
        },
      })}
      rowKey={({ id }) => id}
      onOpen={({ id }) => opened.edit(id)}
      below={(part) =>
        belowRow(opened, part.id, {
          question: () => <DeleteLookup kind={kind} row={part} onDone={opened.closeQuestion} />,
          form: () => (
            <div className={classes.workbench}>
              <PartForm kind={kind} part={part} onDone={opened.closeForm} />
              {kind === 'adapters' && <LookUpForm kind="adapters" name={part.name} />}
            </div>
          ),
        })
      }
      empty={<EmptyState title={texts.empty}>{texts.emptyWhy}</EmptyState>}
    />
  );
}
