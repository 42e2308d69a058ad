import { Button, TextInput } from '@mantine/core';
import type { Stream } from '@millrace/contract';
import { IconGitFork, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Disabled, missingPermission } from '../../components/disabled.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { useCan } from '../../lib/account/index.ts';
import { useShortcuts } from '../../lib/keys/index.ts';
import { streamsQuery, useChangeStream } from './queries.ts';
import classes from './streams.module.css';
import { texts } from './texts.ts';

const TONES = { running: 'ok', paused: 'dim', disabled: 'danger' } as const;

export function StreamsPage() {
  const { data, error, refetch } = useQuery(streamsQuery);
  const [find, setFind] = useState('');
  const findBox = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: '/', label: texts.find, group: texts.title, run: () => findBox.current?.focus() }]);
  const streams = data?.streams ?? [];
  const found = streams.filter(({ title }) => title.toLowerCase().includes(find.trim().toLowerCase()));
  return (
    <Page>
      <PageHeader title={texts.title} about={texts.about} />
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {streams.length > 1 && (
        <TextInput
          ref={findBox}
          className={classes.find}
          aria-label={texts.find}
          placeholder={texts.find}
          leftSection={<IconSearch size={16} />}
          value={find}
          onChange={(event) => setFind(event.currentTarget.value)}
        />
      )}
      {found.length > 0 && <StreamTable streams={found} />}
      {data !== undefined && streams.length === 0 && (
        <EmptyState icon={<IconGitFork size={20} />} title={texts.empty}>
          {texts.emptyWhy}
        </EmptyState>
      )}
      {streams.length > 0 && found.length === 0 && (
        <EmptyState
          title={texts.noneFound(find)}
          action={<Button onClick={() => setFind('')}>{texts.showAll}</Button>}
        />
      )}
    </Page>
  );
}

const COLUMNS: readonly Column<Stream>[] = [
  {
    key: 'state',
    title: 'State',
    width: '112px',
    render: ({ state }) => <StateBadge tone={TONES[state]}>{state}</StateBadge>,
  },
  { key: 'title', title: 'Stream', render: (stream) => <StreamTitle stream={stream} /> },
  {
    key: 'rules',
    title: 'Rules',
    width: '112px',
    isMinor: true,
    render: ({ rules, matching_type }) => texts.rules(rules.length, matching_type === 'AND'),
  },
  {
    key: 'actions',
    title: 'Actions',
    width: '120px',
    isActions: true,
    render: (stream) => <StateButton stream={stream} />,
  },
];

function StreamTable({ streams }: { readonly streams: readonly Stream[] }) {
  return <DataTable label={texts.title} columns={COLUMNS} rows={streams} rowKey={({ id }) => id} />;
}

function StreamTitle({ stream }: { readonly stream: Stream }) {
  return (
    <>
      <div className={classes.title}>{stream.title}</div>
      {stream.state_reason !== null && <div className={classes.reason}>{stream.state_reason}</div>}
      {stream.description !== null && stream.description !== '' && (
        <div className={classes.description}>{stream.description}</div>
      )}
    </>
  );
}

function StateButton({ stream }: { readonly stream: Stream }) {
  const change = useChangeStream();
  const mayChange = useCan('streams:changestate', stream.id);
  const reason = !stream.is_editable
    ? texts.builtIn
    : mayChange
      ? undefined
      : missingPermission('streams:changestate', texts.thisStream);
  const label = { running: texts.pause, paused: texts.resume, disabled: texts.reEnable }[stream.state];
  return (
    <>
      <Disabled reason={reason}>
        <Button onClick={() => change.mutate(stream)}>{label}</Button>
      </Disabled>
      {change.error !== null && <ErrorNotice error={change.error} />}
    </>
  );
}
