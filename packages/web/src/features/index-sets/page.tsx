import { ActionIcon, Button } from '@mantine/core';
import type { IndexSetView } from '@millrace/contract';
import { IconChevronDown, IconChevronRight, IconDatabase } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FindList } from '../../components/find-list.tsx';
import { NewButton } from '../../components/new-button.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { TitleLink } from '../../components/title-link.tsx';
import { useListValues } from '../../components/use-list-values.ts';
import { usePermissions } from '../../lib/account/index.ts';
import { formatBytes, formatShort } from '../../lib/format/index.ts';
import classes from './index-sets.module.css';
import { Indices } from './indices.tsx';
import { type ListValues, listParams, SORTS } from './list-params.ts';
import { outlooksQuery, PER_PAGE, setPageQuery } from './queries.ts';
import { texts } from './texts.ts';
import { outlookSentence } from './words.ts';

/** Of an index set in the list; its own page shows all. */
const FEW_INDICES = 5;

export function IndexSetsPage() {
  const list = useListValues('/index-sets', listParams);
  const { values, change } = list;
  const result = useQuery(setPageQuery(values));
  const { data } = result;
  return (
    <Page>
      <PageHeader
        title={texts.title}
        about={texts.about}
        actions={
          <NewButton
            label={texts.newSet}
            group={texts.title}
            to="/index-sets/new"
            permission="indexsets:create"
          />
        }
      />
      <FindList
        {...{ texts, list, result }}
        total={data?.total}
        perPage={PER_PAGE}
        one="index set"
        empty={
          <EmptyState icon={<IconDatabase size={20} />} title={texts.empty}>
            {texts.emptyWhy}
          </EmptyState>
        }
      >
        {data !== undefined && data.index_sets.length > 0 && (
          <SetTable
            sets={data.index_sets}
            stats={data.stats}
            values={values}
            onSort={(sort) => change({ ...sort, page: 1 })}
          />
        )}
      </FindList>
    </Page>
  );
}

interface SetTableProps {
  readonly sets: readonly IndexSetView[];
  readonly stats: Readonly<Record<string, { readonly documents: number; readonly size: number }>>;
  readonly values: ListValues;
  readonly onSort: (sort: Pick<ListValues, 'sort' | 'order'>) => void;
}

function SetTable({ sets, stats, values, onSort }: SetTableProps) {
  const navigate = useNavigate();
  const { data: outlooks } = useQuery(outlooksQuery(sets.map(({ id }) => id)));
  const [opened, setOpened] = useState<ReadonlySet<string>>(
    () => new Set(sets.filter((set) => set.default).map(({ id }) => id)),
  );
  const toggle = (id: string) => {
    const next = new Set(opened);
    if (!next.delete(id)) next.add(id);
    setOpened(next);
  };
  const columns: readonly Column<IndexSetView>[] = [
    {
      key: 'title',
      title: texts.set,
      width: '320px',
      isSortable: true,
      render: (set) => <SetTitle set={set} isOpen={opened.has(set.id)} onToggle={() => toggle(set.id)} />,
    },
    {
      key: 'kept',
      title: texts.kept,
      render: ({ id, writable }) => {
        if (!writable) return texts.readOnlyKeeps;
        const outlook = outlooks?.outlooks[id];
        return outlook === undefined ? '' : outlookSentence(outlook);
      },
    },
    {
      key: 'size',
      title: texts.size,
      align: 'end',
      width: '88px',
      isMinor: true,
      isSortable: true,
      render: ({ id }) => formatBytes(stats[id]?.size ?? 0),
    },
    {
      key: 'documents',
      title: texts.messages,
      align: 'end',
      width: '112px',
      isMinor: true,
      isSortable: true,
      render: ({ id }) => formatShort(stats[id]?.documents ?? 0),
    },
    {
      key: 'actions',
      title: texts.actions,
      width: '96px',
      isActions: true,
      render: (set) => <EditLink set={set} />,
    },
  ];
  return (
    <DataTable
      label={texts.title}
      columns={columns}
      rows={sets}
      rowKey={({ id }) => id}
      onOpen={({ id }) => void navigate({ to: '/index-sets/$id', params: { id } })}
      sort={{ column: values.sort, order: values.order }}
      onSort={({ column, order }) =>
        onSort({ sort: SORTS.find((known) => known === column) ?? 'made', order })
      }
      below={(set) => opened.has(set.id) && <Indices set={set} most={FEW_INDICES} />}
    />
  );
}

function EditLink({ set }: { readonly set: IndexSetView }) {
  const mayEdit = usePermissions().implies('indexsets:edit', set.id);
  return (
    <Button
      renderRoot={(props) => <Link to="/index-sets/$id/settings" params={{ id: set.id }} {...props} />}
      aria-label={`${mayEdit ? texts.edit : texts.see} ${set.title}`}
    >
      {mayEdit ? texts.edit : texts.see}
    </Button>
  );
}

interface SetTitleProps {
  readonly set: IndexSetView;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function SetTitle({ set, isOpen, onToggle }: SetTitleProps) {
  return (
    <div className={classes.titleCell}>
      <ActionIcon
        size="sm"
        aria-label={texts.showIndices(set.title)}
        aria-expanded={isOpen}
        onClick={onToggle}
      >
        {isOpen ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
      </ActionIcon>
      <div className={classes.titles}>
        <span className={classes.titleLine}>
          <TitleLink to="/index-sets/$id" id={set.id} title={set.title} />
          <SetBadges set={set} />
        </span>
        <code className={classes.prefix}>{`${set.index_prefix}_*`}</code>
      </div>
    </div>
  );
}

export function SetBadges({ set }: { readonly set: IndexSetView }) {
  return (
    <>
      {set.default && <StateBadge tone="ok">{texts.isDefault}</StateBadge>}
      {!set.writable && <StateBadge tone="dim">{texts.readOnly}</StateBadge>}
    </>
  );
}
