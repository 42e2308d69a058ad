import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconSearch, IconSettings, IconTrash } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { usePermissionReason } from '../../components/disabled.tsx';
import { Rate } from '../../components/rate.tsx';
import { TitleLink } from '../../components/title-link.tsx';
import { formatBytes, formatCount } from '../../lib/format/index.ts';
import { DeleteQuestion } from './delete-question.tsx';
import { type FiguresByInput, sumOfFigures, useFigures } from './figures.ts';
import { FailureNotice, InputStateBadge, RunButton } from './input-parts.tsx';
import { isFailed } from './input-state.ts';
import classes from './inputs.module.css';
import { type ListValues, SORTS } from './list-params.ts';
import type { ListedInput } from './listed-inputs.ts';
import { inputSearch } from './search-links.ts';
import { texts } from './texts.ts';

type Sort = Pick<ListValues, 'sort' | 'order'>;

export interface InputTableProps {
  readonly rows: readonly ListedInput[];
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
}

export function InputTable({ rows, sort, onSort }: InputTableProps) {
  const navigate = useNavigate();
  const [deleting, setDeleting] = useState<string>();
  // The states change every two seconds; the inputs whose figures are asked for do not.
  const ids = rows.map(({ input: { id } }) => id).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same ids are the same inputs
  const inputs = useMemo(() => rows.map(({ input: { id, type } }) => ({ id, type })), [ids]);
  const figures = useFigures(inputs);
  return (
    <DataTable
      label={texts.title}
      columns={columnsFor(figures, ({ input: { id } }) => setDeleting(id))}
      rows={rows}
      rowKey={({ input: { id } }) => id}
      sort={{ column: sort.sort, order: sort.order }}
      onSort={({ column, order }) =>
        onSort({ sort: SORTS.find((known) => known === column) ?? 'state', order })
      }
      onOpen={({ input: { id } }) => void navigate({ to: '/inputs/$id', params: { id } })}
      below={(row) =>
        deleting === row.input.id ? (
          <DeleteQuestion
            {...row}
            onDone={() => setDeleting(undefined)}
            onCancel={() => setDeleting(undefined)}
          />
        ) : (
          isFailed(row.combined) && <FailureNotice {...row} />
        )
      }
    />
  );
}

function columnsFor(
  figures: FiguresByInput,
  onDelete: (row: ListedInput) => void,
): readonly Column<ListedInput>[] {
  const of = ({ input: { id } }: ListedInput) => sumOfFigures(figures.get(id));
  const number = { align: 'end', isMinor: true } as const;
  return [
    {
      key: 'state',
      title: texts.columns.state,
      width: '112px',
      isSortable: true,
      render: ({ combined }) => <InputStateBadge combined={combined} />,
    },
    {
      key: 'title',
      title: texts.columns.title,
      isSortable: true,
      render: (row) => <InputTitle row={row} />,
    },
    {
      key: 'address',
      title: texts.columns.address,
      width: '168px',
      isSortable: true,
      isMinor: true,
      render: ({ address }) => <span className="mono">{address}</span>,
    },
    {
      ...number,
      key: 'rate',
      title: texts.columns.rate,
      width: '88px',
      render: (row) => <FigureRate perSecond={of(row)?.perSecond} />,
    },
    {
      ...number,
      key: 'bytes',
      title: texts.columns.bytes,
      width: '96px',
      render: (row) => <span className={classes.figure}>{bytesPerSecond(of(row)?.bytesPerSecond)}</span>,
    },
    {
      ...number,
      key: 'connections',
      title: texts.columns.connections,
      width: '96px',
      // Protocols without connections, such as UDP, have none to count.
      render: (row) => (of(row)?.connections ? formatCount(of(row)?.openConnections ?? 0) : ''),
    },
    {
      key: 'lost',
      title: texts.columns.lost,
      width: '72px',
      align: 'end',
      render: (row) => <Lost row={row} />,
    },
    {
      key: 'actions',
      title: texts.columns.actions,
      width: '112px',
      isActions: true,
      render: (row) => (
        <div className={classes.rowButtons}>
          <RunButton {...row} />
          <InputMenu row={row} onDelete={() => onDelete(row)} />
        </div>
      ),
    },
  ];
}

function bytesPerSecond(bytes: number | undefined): string {
  return bytes === undefined ? '' : `${formatBytes(bytes)}/s`;
}

/** Its room is kept while nothing is known yet. */
function FigureRate({ perSecond }: { readonly perSecond: number | undefined }) {
  return <span className={classes.figure}>{perSecond !== undefined && <Rate perSecond={perSecond} />}</span>;
}

function InputTitle({ row: { input, address } }: { readonly row: ListedInput }) {
  return (
    <>
      <TitleLink to="/inputs/$id" id={input.id} title={input.title} />
      <div className={classes.quiet}>
        {input.name}
        <span className={classes.phoneOnly}> {address}</span>
      </div>
    </>
  );
}

function Lost({ row: { input, combined } }: { readonly row: ListedInput }) {
  if (combined.lost === 0) return <span className={classes.quiet}>0</span>;
  return (
    <Link to="/inputs/$id" params={{ id: input.id }} search={{ tab: 'losses' }} className={classes.lost}>
      {formatCount(combined.lost)}
    </Link>
  );
}

function InputMenu({
  row: { input },
  onDelete,
}: {
  readonly row: ListedInput;
  readonly onDelete: () => void;
}) {
  const reason = usePermissionReason('inputs:terminate', input.id, texts.thisInput);
  const params = { id: input.id };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={texts.more(input.title)}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconSearch size={16} />}
          renderRoot={(props) => <Link {...inputSearch(input.id)} {...props} />}
        >
          {texts.searchIt}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconSettings size={16} />}
          renderRoot={(props) => (
            <Link to="/inputs/$id" params={params} search={{ tab: 'settings' }} {...props} />
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
