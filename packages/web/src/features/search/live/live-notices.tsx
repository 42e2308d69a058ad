import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { InlineNotice } from '../../../components/inline-notice.tsx';
import { countOf, formatCount } from '../../../lib/format/index.ts';
import classes from '../search.module.css';
import type { OfferedGap, TailState } from './tail-state.ts';

const REASONS: Readonly<Record<string, string>> = {
  stopping: 'The node stops.',
  unauthenticated: 'The session has ended.',
  forbidden: 'There is nothing left here that you may read.',
  unchecked: 'Permissions could not be checked for 20 seconds.',
};
const MAX_RATE = 1000;

interface LiveNoticesProps {
  readonly state: TailState;
  readonly rate: number;
  readonly onRate: (rate: number) => void;
  readonly onShowGap: (gap: OfferedGap) => void;
}

/** No loss is silent. */
export function LiveNotices({ state, rate, onRate, onShowGap }: LiveNoticesProps) {
  const { status, phase, reason = '', offered } = state;
  const perSecond = status?.matched_per_second ?? 0;
  const lines: { readonly text: string; readonly action?: ReactNode }[] = [
    ...(phase === 'ended' ? [{ text: `Live has ended. ${REASONS[reason] ?? reason}` }] : []),
    ...(offered === undefined
      ? []
      : [
          {
            text: gapText(offered),
            action: <Action label="Show" onClick={() => onShowGap(offered)} />,
          },
        ]),
    ...(perSecond > rate
      ? [
          {
            text: `Showing ${formatCount(rate)} of ${formatCount(perSecond)} a second. Narrow the query to see all.`,
            action: rate < MAX_RATE && (
              <Action label={`Show ${formatCount(MAX_RATE)}`} onClick={() => onRate(MAX_RATE)} />
            ),
          },
        ]
      : (status?.dropped ?? 0) > 0
        ? [{ text: `${countOf(status?.dropped ?? 0, 'message')} so far not shown: too many a second.` }]
        : []),
    ...((status?.skipped ?? 0) > 0
      ? [{ text: `~${countOf(status?.skipped ?? 0, 'message')} not looked at, to keep the intake fast.` }]
      : []),
    ...(status?.stalled
      ? [{ text: 'Messages wait in the journal: they are shown as soon as they are processed.' }]
      : []),
    ...((status?.missing_nodes.length ?? 0) > 0
      ? [{ text: `These nodes cannot be followed: ${status?.missing_nodes.join(', ')}.` }]
      : []),
  ];
  if (lines.length === 0) return null;
  return (
    <div className={classes.notice}>
      <InlineNotice kind="warn">
        {lines.map(({ text, action }) => (
          <span key={text.replace(/\d+/g, '')} className={classes.liveNotice}>
            {text} {action}
          </span>
        ))}
      </InlineNotice>
    </div>
  );
}

function gapText({ total, expected }: OfferedGap): string {
  if (total === undefined) return 'What came meanwhile could not be searched for.';
  if (expected !== undefined && total < expected)
    return `${formatCount(expected)} came meanwhile, ${formatCount(total)} of them were found.`;
  return `${formatCount(total)} came meanwhile.`;
}

function Action({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <Button size="compact-xs" onClick={onClick}>
      {label}
    </Button>
  );
}
