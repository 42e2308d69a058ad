import { Button } from '@mantine/core';
import type { IndexSetView } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Pages } from '../../components/pages.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { formatBytes, formatShort } from '../../lib/format/index.ts';
import { IndexButtons } from './index-buttons.tsx';
import { IndexQuestion } from './index-question.tsx';
import type { IndexQuestionKind, IndexRow } from './index-row.ts';
import classes from './index-sets.module.css';
import { overviewQuery } from './queries.ts';
import { texts } from './texts.ts';

interface IndicesProps {
  readonly set: IndexSetView;
  /** Only the newest; without it all of them, page by page. */
  readonly most?: number;
}

const PER_PAGE = 100;

/** The indices of a set, newest first. */
export function Indices({ set, most }: IndicesProps) {
  const [page, setPage] = useState(1);
  const limit = most ?? PER_PAGE;
  const { data, error, refetch, isPlaceholderData, isFetching } = useQuery(
    overviewQuery(set.id, { skip: (page - 1) * limit, limit }),
  );
  const [open, setOpen] = useState<{ readonly name: string; readonly kind: IndexQuestionKind }>();
  if (error !== null && data === undefined) {
    return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return null;
  const rows = Object.entries(data.indices).map(([name, summary]) => ({ name, ...summary }));
  const columns = indexColumns(set, (name, kind) => setOpen({ name, kind }));
  return (
    <div className={classes.indices}>
      <DataTable
        label={texts.showIndices(set.title)}
        columns={columns}
        rows={rows}
        rowKey={({ name }) => name}
        below={(row) =>
          open?.name === row.name && (
            // Its own by kind: what was confirmed just before may still be under way, and must not close this one.
            <IndexQuestion
              key={open.kind}
              set={set}
              index={row}
              kind={open.kind}
              onDone={() => setOpen(undefined)}
            />
          )
        }
      />
      {most === undefined && (
        <Pages
          page={page}
          perPage={PER_PAGE}
          total={data.total}
          one="index"
          many="indices"
          isOld={isPlaceholderData || isFetching}
          onPage={setPage}
        />
      )}
      {most !== undefined && data.total > most && (
        <Button
          className={classes.start}
          renderRoot={(props) => <Link to="/index-sets/$id" params={{ id: set.id }} {...props} />}
        >
          {texts.allIndices(data.total)}
        </Button>
      )}
    </div>
  );
}

function indexColumns(
  set: IndexSetView,
  onAsk: (name: string, kind: IndexQuestionKind) => void,
): readonly Column<IndexRow>[] {
  return [
    {
      key: 'index',
      title: texts.index,
      width: '200px',
      render: ({ name }) => <code className={classes.indexName}>{name}</code>,
    },
    { key: 'state', title: texts.state, width: '104px', render: (row) => <IndexState index={row} /> },
    { key: 'range', title: texts.range, isMinor: true, render: (row) => <Range index={row} /> },
    {
      key: 'size',
      title: texts.size,
      align: 'end',
      width: '88px',
      isMinor: true,
      render: ({ size }) => (size === null ? '' : formatBytes(size.bytes)),
    },
    {
      key: 'messages',
      title: texts.messages,
      align: 'end',
      width: '88px',
      render: ({ size }) => (size === null ? '' : formatShort(size.events)),
    },
    {
      key: 'actions',
      title: texts.actions,
      width: '176px',
      isActions: true,
      render: (row) => <IndexButtons set={set} index={row} onAsk={(kind) => onAsk(row.name, kind)} />,
    },
  ];
}

function IndexState({ index }: { readonly index: IndexRow }) {
  if (index.is_deflector) return <StateBadge tone="ok">{texts.active}</StateBadge>;
  if (index.is_closed) return <StateBadge tone="warn">{texts.closed}</StateBadge>;
  return index.is_reopened ? (
    <StateBadge tone="info">{texts.reopened}</StateBadge>
  ) : (
    <StateBadge tone="dim">{texts.open}</StateBadge>
  );
}

function Range({ index: { range, size, is_closed: isClosed } }: { readonly index: IndexRow }) {
  if (isClosed) return <span className={classes.dim}>{texts.notSearched}</span>;
  if (range === null || size === null || size.events === 0) {
    return <span className={classes.dim}>{texts.noMessages}</span>;
  }
  return (
    <span className={classes.range}>
      <Timestamp value={range.begin} precision="minute" /> –{' '}
      <Timestamp value={range.end} precision="minute" />
    </span>
  );
}
