import { Button } from '@mantine/core';
import type { OutputStateView } from '@millrace/contract';
import { Link } from '@tanstack/react-router';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { Rate } from '../../components/rate.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useCan } from '../../lib/account/index.ts';
import { formatCount, sentence } from '../../lib/format/index.ts';
import { FAILURES_STREAM } from '../../lib/messages/index.ts';
import { combinedOutputState } from '../../lib/outputs/index.ts';
import { formatDuration } from '../../lib/time/index.ts';
import type { ListedOutput } from './listed-outputs.ts';
import classes from './outputs.module.css';
import { tabTexts, texts } from './texts.ts';

/** What it does on every node. */
export function StateTab({ row: { combined } }: { readonly row: ListedOutput }) {
  const errors = combined.nodes.flatMap(({ node_id, last_error }) =>
    last_error === null ? [] : [{ ...last_error, node_id }],
  );
  return (
    <>
      {combined.state === 'PAUSED' && <InlineNotice kind="info">{tabTexts.paused}</InlineNotice>}
      {combined.dropped > 0 && (
        <InlineNotice kind="warn">{tabTexts.droppedAbout(combined.dropped)}</InlineNotice>
      )}
      {combined.refused > 0 && <Refused count={combined.refused} />}
      <DataTable
        label={tabTexts.state}
        columns={COLUMNS}
        rows={combined.nodes}
        rowKey={({ node_id }) => node_id}
      />
      <p className={classes.quiet}>{tabTexts.totals}</p>
      {errors.length > 0 && (
        <section className={classes.section} aria-label={tabTexts.lastError}>
          <h2>{tabTexts.lastError}</h2>
          {errors.map(({ node_id, message, at }) => (
            <p key={node_id} className={classes.error}>
              <span className={classes.quiet}>
                <Timestamp value={at} /> <span className="mono">{node_id.slice(0, 8)}</span>
              </span>{' '}
              <bdi>{sentence(message)}</bdi>
            </p>
          ))}
        </section>
      )}
    </>
  );
}

const number = { align: 'end' } as const;

const COLUMNS: readonly Column<OutputStateView>[] = [
  {
    key: 'state',
    title: texts.columns.state,
    width: '112px',
    render: (state) => {
      const { tone, word } = combinedOutputState([state]);
      return <StateBadge tone={tone}>{word}</StateBadge>;
    },
  },
  {
    key: 'node',
    title: tabTexts.node,
    isMinor: true,
    render: ({ node_id }) => <span className="mono">{node_id.slice(0, 8)}</span>,
  },
  {
    ...number,
    key: 'queue',
    title: tabTexts.queue,
    render: ({ queued_messages, queued_bytes, queue_max_bytes }) => (
      <>
        {formatCount(queued_messages)}
        <div className={classes.quiet}>{tabTexts.full(queued_bytes, queue_max_bytes)}</div>
      </>
    ),
  },
  {
    ...number,
    key: 'oldest',
    title: tabTexts.oldest,
    render: ({ oldest_message_age_ms: age }) => (age === null ? '' : formatDuration(age)),
  },
  {
    ...number,
    key: 'rate',
    title: tabTexts.rate,
    render: ({ messages_per_second }) => <Rate perSecond={messages_per_second} />,
  },
  {
    ...number,
    key: 'sent',
    title: tabTexts.sent,
    render: ({ sent_messages }) => formatCount(sent_messages),
  },
  {
    ...number,
    key: 'dropped',
    title: tabTexts.dropped,
    isMinor: true,
    render: ({ dropped_messages }) => formatCount(dropped_messages),
  },
  {
    ...number,
    key: 'refused',
    title: tabTexts.refused,
    isMinor: true,
    render: ({ refused_messages }) => formatCount(refused_messages),
  },
];

function Refused({ count }: { readonly count: number }) {
  const mayRead = useCan('streams:read', FAILURES_STREAM);
  return (
    <InlineNotice
      kind="warn"
      actions={
        mayRead && (
          <Button
            renderRoot={(props) => <Link to="/search" search={{ s: FAILURES_STREAM, t: '24h' }} {...props} />}
          >
            {tabTexts.showFailures}
          </Button>
        )
      }
    >
      {tabTexts.refusedAbout(count)}
    </InlineNotice>
  );
}
