import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconGitFork, IconSettings, IconTrash } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { usePermissionReason } from '../../components/disabled.tsx';
import { Rate } from '../../components/rate.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { TitleLink } from '../../components/title-link.tsx';
import { formatCount, sentence } from '../../lib/format/index.ts';
import { DeleteQuestion } from './delete-question.tsx';
import { type ListValues, SORTS } from './list-params.ts';
import type { ListedOutput } from './listed-outputs.ts';
import { PauseButton } from './output-parts.tsx';
import classes from './outputs.module.css';
import { useSeesAllStreams } from './queries.ts';
import { texts } from './texts.ts';

type Sort = Pick<ListValues, 'sort' | 'order'>;

export interface OutputTableProps {
  readonly rows: readonly ListedOutput[];
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
}

export function OutputTable({ rows, sort, onSort }: OutputTableProps) {
  const navigate = useNavigate();
  const [deleting, setDeleting] = useState<string>();
  const close = () => setDeleting(undefined);
  return (
    <DataTable
      label={texts.title}
      columns={columnsFor((id) => setDeleting(id))}
      rows={rows}
      rowKey={({ output: { id } }) => id}
      sort={{ column: sort.sort, order: sort.order }}
      onSort={({ column, order }) =>
        onSort({ sort: SORTS.find((known) => known === column) ?? 'state', order })
      }
      onOpen={({ output: { id } }) => void navigate({ to: '/outputs/$id', params: { id } })}
      below={(row) =>
        deleting === row.output.id && <DeleteQuestion row={row} onDone={close} onCancel={close} />
      }
    />
  );
}

function columnsFor(onDelete: (id: string) => void): readonly Column<ListedOutput>[] {
  return [
    {
      key: 'state',
      title: texts.columns.state,
      width: '112px',
      isSortable: true,
      render: ({ combined: { tone, word } }) => <StateBadge tone={tone}>{word}</StateBadge>,
    },
    {
      key: 'title',
      title: texts.columns.title,
      isSortable: true,
      render: (row) => <OutputTitle row={row} />,
    },
    {
      key: 'queue',
      title: texts.columns.queue,
      width: '144px',
      isSortable: true,
      align: 'end',
      isMinor: true,
      render: ({ combined }) => <Queue combined={combined} />,
    },
    {
      key: 'rate',
      title: texts.columns.rate,
      width: '80px',
      align: 'end',
      isMinor: true,
      render: ({ combined: { perSecond } }) => <Rate perSecond={perSecond} />,
    },
    {
      key: 'lost',
      title: texts.columns.lost,
      width: '72px',
      align: 'end',
      render: ({ combined: { dropped, refused } }) => (
        <span className={dropped + refused > 0 ? classes.lost : classes.quiet}>
          {formatCount(dropped + refused)}
        </span>
      ),
    },
    {
      key: 'used_by',
      title: texts.columns.usedBy,
      width: '192px',
      isSortable: true,
      isMinor: true,
      render: ({ streams }) => streams !== undefined && <UsedBy streams={streams} />,
    },
    {
      key: 'actions',
      title: texts.columns.actions,
      width: '128px',
      isActions: true,
      render: (row) => (
        <div className={classes.rowButtons}>
          <PauseButton row={row} />
          <OutputMenu row={row} onDelete={() => onDelete(row.output.id)} />
        </div>
      ),
    },
  ];
}

function Queue({ combined: { queued, bytes, oldestMs } }: Pick<ListedOutput, 'combined'>) {
  return (
    <>
      <span className={classes.figure}>{texts.queue(queued, bytes)}</span>
      {oldestMs !== undefined && <div className={classes.quiet}>{texts.age(oldestMs)}</div>}
    </>
  );
}

function UsedBy({ streams }: { readonly streams: NonNullable<ListedOutput['streams']> }) {
  const seesAll = useSeesAllStreams();
  if (streams.length > 0) {
    return <span className={classes.clip}>{texts.usedBy(streams.map(({ title }) => title))}</span>;
  }
  return <span className={classes.quiet}>{seesAll ? texts.unused : texts.unusedByReadable}</span>;
}

function OutputTitle({ row: { output, type, combined } }: { readonly row: ListedOutput }) {
  return (
    <>
      <TitleLink to="/outputs/$id" id={output.id} title={output.title} />
      <div className={classes.quiet}>{type}</div>
      {combined.why !== undefined && <div className={classes.why}>{sentence(combined.why)}</div>}
    </>
  );
}

interface OutputMenuProps {
  readonly row: ListedOutput;
  readonly onDelete: () => void;
}

function OutputMenu({ row: { output }, onDelete }: OutputMenuProps) {
  const reason = usePermissionReason('outputs:terminate', output.id, texts.thisOutput);
  const params = { id: output.id };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={texts.more(output.title)}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconGitFork size={16} />}
          renderRoot={(props) => (
            <Link to="/outputs/$id" params={params} search={{ tab: 'streams' }} {...props} />
          )}
        >
          {texts.streams}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconSettings size={16} />}
          renderRoot={(props) => (
            <Link to="/outputs/$id" params={params} search={{ tab: 'settings' }} {...props} />
          )}
        >
          {texts.settings}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          color="danger"
          leftSection={<IconTrash size={16} />}
          disabled={reason !== undefined}
          title={reason}
          onClick={onDelete}
        >
          {texts.delete}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
