import { Button, Select } from '@mantine/core';
import type { LoggerLevel, RecentLogMessages } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { missingPermission } from '../../components/disabled.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useCan } from '../../lib/account/index.ts';
import type { ListedNode } from '../../lib/nodes/index.ts';
import type { StateTone } from '../../lib/states/index.ts';
import { LOG_LEVELS } from './log-levels.ts';
import classes from './overview.module.css';
import { recentLogQuery } from './queries.ts';
import { nodeTexts as texts } from './texts.ts';

type Line = RecentLogMessages['messages'][number];

export function LogTab({ node }: { readonly node: ListedNode }) {
  const mayRead = useCan('loggersmessages:read', node.id);
  if (!mayRead) return <EmptyState title={missingPermission('loggersmessages:read')} />;
  return <RecentLines node={node} />;
}

function RecentLines({ node }: { readonly node: ListedNode }) {
  const [level, setLevel] = useState<LoggerLevel>('all');
  const { data, error, refetch, isFetching } = useQuery(recentLogQuery(node.id, level));
  return (
    <>
      <p className={classes.help}>{texts.logAbout}</p>
      <div className={classes.tools}>
        <Select
          label={texts.atLeast}
          data={LOG_LEVELS.filter((name) => name !== 'off')}
          value={level}
          allowDeselect={false}
          onChange={(chosen) => setLevel(LOG_LEVELS.find((name) => name === chosen) ?? 'all')}
        />
        <Button loading={isFetching} onClick={() => void refetch()}>
          {texts.reload}
        </Button>
      </div>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined && data.length === 0 && <EmptyState title={texts.noLines} />}
      {data !== undefined && data.length > 0 && (
        <DataTable
          label={texts.log}
          columns={COLUMNS}
          rows={data.toReversed().map((line, at) => ({ ...line, key: String(at) }))}
          rowKey={({ key }) => key}
        />
      )}
    </>
  );
}

const TONES: Readonly<Record<string, StateTone>> = {
  FATAL: 'danger',
  ERROR: 'danger',
  WARN: 'warn',
  INFO: 'info',
};

const COLUMNS: readonly Column<Line & { readonly key: string }>[] = [
  {
    key: 'time',
    title: texts.time,
    width: '184px',
    isMinor: true,
    render: ({ timestamp }) => <Timestamp value={timestamp} />,
  },
  {
    key: 'level',
    title: texts.level,
    width: '88px',
    render: ({ level }) => (
      <StateBadge tone={TONES[level.toUpperCase()] ?? 'dim'}>{level.toLowerCase()}</StateBadge>
    ),
  },
  { key: 'from', title: texts.from, width: '120px', isMinor: true, render: ({ class_name }) => class_name },
  {
    key: 'message',
    title: texts.message,
    render: ({ timestamp, message, throwable, context }) => (
      <>
        <span className={classes.phoneTime}>
          <Timestamp value={timestamp} />
        </span>
        <span className={classes.line}>{throwable === null ? message : `${message}\n${throwable}`}</span>
        {Object.keys(context).length > 0 && (
          <span className={`${classes.line} ${classes.context}`}>{contextText(context)}</span>
        )}
      </>
    ),
  },
];

/** `method=GET status=200` */
function contextText(context: Readonly<Record<string, unknown>>): string {
  return Object.entries(context)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
}
