import { Button } from '@mantine/core';
import type { Stream } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Rate } from '../../components/rate.tsx';
import { Sparkline } from '../../components/sparkline.tsx';
import { TitleLink } from '../../components/title-link.tsx';
import { usePermissions } from '../../lib/account/index.ts';
import { CloneForm } from './clone-form.tsx';
import { DeleteQuestion } from './delete-question.tsx';
import type { ListValues } from './list-params.ts';
import { indexSetTitlesQuery } from './queries.ts';
import { useHistories, useRates } from './rates.ts';
import { type RowAction, StreamMenu } from './stream-menu.tsx';
import { StateButton, StreamState, searchLink } from './stream-parts.tsx';
import classes from './streams.module.css';
import { texts } from './texts.ts';

export interface StreamTableProps {
  readonly streams: readonly Stream[];
  readonly sort: Pick<ListValues, 'sort' | 'order'>;
  readonly onSort: (sort: Pick<ListValues, 'sort' | 'order'>) => void;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
}

/** Keys of the columns that the server sorts by. */
const SORT_OF: Readonly<Record<string, ListValues['sort']>> = { state: 'state', title: 'title' };

export function StreamTable({ streams, sort, onSort, selected, onSelect }: StreamTableProps) {
  const navigate = useNavigate();
  const [open, setOpen] = useState<{ readonly id: string; readonly action: RowAction }>();
  const columns = useColumns(streams, (stream, action) => setOpen({ id: stream.id, action }));
  const permissions = usePermissions();
  const close = () => setOpen(undefined);
  return (
    <DataTable
      label={texts.title}
      columns={columns}
      rows={streams}
      rowKey={({ id }) => id}
      onOpen={({ id }) => void navigate({ to: '/streams/$id/rules', params: { id } })}
      sort={{ column: sort.sort, order: sort.order }}
      onSort={({ column, order }) => onSort({ sort: SORT_OF[column] ?? 'title', order })}
      selection={{
        keys: selected,
        onChange: onSelect,
        labelOf: ({ title }) => `Select ${title}`,
        isSelectable: ({ id, is_editable }) => is_editable && permissions.implies('streams:edit', id),
      }}
      below={(stream) => {
        if (open?.id !== stream.id) return undefined;
        return open.action === 'clone' ? (
          <CloneForm stream={stream} onCancel={close} />
        ) : (
          <DeleteQuestion stream={stream} onDone={close} onCancel={close} />
        );
      }}
    />
  );
}

function useColumns(
  streams: readonly Stream[],
  onAction: (stream: Stream, action: RowAction) => void,
): readonly Column<Stream>[] {
  const ids = useMemo(() => streams.map(({ id }) => id), [streams]);
  const rates = useRates(ids);
  const histories = useHistories(ids);
  const { data: sets } = useQuery(indexSetTitlesQuery(streams.map((stream) => stream.index_set_id)));
  const setTitle = (id: string) => sets?.get(id) ?? '';
  const hasConditions = streams.some(({ alert_conditions }) => alert_conditions.length > 0);
  return [
    {
      key: 'state',
      title: 'State',
      width: '96px',
      isSortable: true,
      render: ({ state }) => <StreamState state={state} />,
    },
    {
      key: 'title',
      title: 'Stream',
      minWidth: '240px',
      isSortable: true,
      render: (stream) => <StreamTitle stream={stream} />,
    },
    {
      key: 'rules',
      title: 'Rules',
      width: '96px',
      isMinor: 'small-screen',
      render: ({ rules, matching_type }) => (
        <span className={classes.quiet}>{texts.rules(rules.length, matching_type === 'AND')}</span>
      ),
    },
    {
      key: 'rate',
      title: 'Rate',
      width: '168px',
      isMinor: true,
      render: ({ id, state }) => (
        <StreamRate
          perSecond={rates.size === 0 || state !== 'running' ? rates.get(id) : (rates.get(id) ?? 0)}
          history={histories.get(id)}
        />
      ),
    },
    ...(hasConditions ? [CONDITIONS] : []),
    {
      key: 'index-set',
      title: 'Index set',
      width: '160px',
      isMinor: 'small-screen',
      render: ({ index_set_id }) => (
        <span className={classes.clip} title={setTitle(index_set_id)}>
          {setTitle(index_set_id)}
        </span>
      ),
    },
    {
      key: 'actions',
      title: 'Actions',
      width: '216px',
      isActions: true,
      render: (stream) => <RowButtons stream={stream} onAction={(action) => onAction(stream, action)} />,
    },
  ];
}

const CONDITIONS: Column<Stream> = {
  key: 'conditions',
  title: 'Conditions',
  width: '96px',
  isMinor: true,
  render: ({ alert_conditions }) => texts.conditions(alert_conditions.length),
};

interface RowButtonsProps {
  readonly stream: Stream;
  readonly onAction: (action: RowAction) => void;
}

function RowButtons({ stream, onAction }: RowButtonsProps) {
  return (
    <div className={classes.rowButtons}>
      {stream.state === 'disabled' ? (
        <Button
          renderRoot={(props) => <Link to="/streams/$id/rules" params={{ id: stream.id }} {...props} />}
          className={classes.wideOnly}
        >
          {texts.seeRules}
        </Button>
      ) : (
        <Button
          renderRoot={(props) => <Link {...searchLink(stream)} {...props} />}
          className={classes.wideOnly}
        >
          {texts.search}
        </Button>
      )}
      <StateButton stream={stream} />
      <StreamMenu stream={stream} onAction={onAction} />
    </div>
  );
}

function StreamTitle({ stream }: { readonly stream: Stream }) {
  return (
    <>
      <TitleLink to="/streams/$id/rules" id={stream.id} title={stream.title} />
      {stream.state_reason !== null && <div className={classes.reason}>{stream.state_reason}</div>}
      {stream.description !== null && stream.description !== '' && (
        <div className={classes.description} title={stream.description}>
          <bdi>{stream.description}</bdi>
        </div>
      )}
    </>
  );
}

interface StreamRateProps {
  readonly perSecond: number | undefined;
  readonly history: readonly number[] | undefined;
}

/** Its room is kept while nothing is known yet. */
function StreamRate({ perSecond, history }: StreamRateProps) {
  return (
    <div className={classes.rate}>
      <span className={classes.perSecond}>{perSecond !== undefined && <Rate perSecond={perSecond} />}</span>
      {history !== undefined && <Sparkline values={history} label={texts.lastMinutes} />}
    </div>
  );
}
