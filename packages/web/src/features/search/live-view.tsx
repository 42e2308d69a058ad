import { Button } from '@mantine/core';
import { IconArrowDown, IconPlayerPause, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { LogList } from '../../components/log-list/log-list.tsx';
import { MessageDetail } from '../../components/message-detail.tsx';
import { Rate } from '../../components/rate.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { usePreferences } from '../../lib/account/index.ts';
import { countOf, formatCount } from '../../lib/format/index.ts';
import { useShortcuts } from '../../lib/keys/index.ts';
import { serverNow } from '../../lib/time/index.ts';
import classes from './search.module.css';
import type { TailState } from './tail-state.ts';
import { texts } from './texts.ts';
import { useEntityTitles } from './use-entity-titles.ts';
import type { SearchState } from './use-search.ts';
import { type Tail, useTail } from './use-tail.ts';

const PHASES = {
  connecting: { tone: 'info', label: 'Connecting' },
  following: { tone: 'ok', label: 'Following' },
  paused: { tone: 'warn', label: 'Paused' },
  lost: { tone: 'danger', label: 'Connecting again' },
  ended: { tone: 'dim', label: 'Ended' },
} as const;

/** Messages as they come, the newest at the bottom like in a terminal. */
export function LiveView({ search, isNarrow }: { readonly search: SearchState; readonly isNarrow: boolean }) {
  const { values, zone, commit } = search;
  const [{ density, wrapLines }] = usePreferences();
  const tail = useTail({ query: values.q, streams: values.s, zone });
  const { state } = tail;
  const [startedAt] = useState(serverNow);
  const [expanded, setExpanded] = useState('');
  const [isAtEnd, setAtEnd] = useState(true);
  const seen = useRef(0);
  if (isAtEnd) seen.current = state.messages.length;
  const stop = () => commit({ live: false, t: { type: 'absolute', from: startedAt, to: serverNow() } });
  const unseen = Math.max(0, state.messages.length - seen.current);
  return (
    <div className={classes.live}>
      <LiveBar tail={tail} onStop={stop} />
      <Notices state={state} />
      {state.messages.length === 0 ? (
        <div className={classes.state}>
          <EmptyState title="Waiting for messages that match">
            They are shown here the moment they arrive, before they are stored.
          </EmptyState>
        </div>
      ) : (
        <LogList
          label={texts.messages}
          messages={state.messages}
          total={state.messages.length}
          columns={values.cols}
          expanded={expanded}
          onExpand={(key) => {
            setExpanded(key);
            setAtEnd(false);
          }}
          renderDetail={(message) => <LiveDetail message={message} search={search} />}
          isWrapped={wrapLines}
          isCompact={density === 'compact'}
          isNarrow={isNarrow}
          hasDates={false}
          isFollowing={isAtEnd}
          onFollowChange={setAtEnd}
        />
      )}
      {!isAtEnd && (
        <Button
          className={classes.pill}
          variant="filled"
          rightSection={<IconArrowDown size={16} />}
          onClick={() => setAtEnd(true)}
        >
          {unseen === 0 ? 'To the newest' : `${formatCount(unseen)} new`}
        </Button>
      )}
    </div>
  );
}

function LiveBar({ tail, onStop }: { readonly tail: Tail; readonly onStop: () => void }) {
  const { state, pause, resume } = tail;
  const { tone, label } = PHASES[state.phase];
  const isPaused = state.phase === 'paused';
  const toggle = isPaused ? resume : pause;
  const canPause = isPaused || state.phase === 'following';
  useShortcuts([
    {
      keys: ' ',
      label: isPaused ? texts.resume : texts.pause,
      group: texts.live,
      run: () => canPause && toggle(),
    },
  ]);
  return (
    <div className={classes.liveBar}>
      <StateBadge tone={tone}>{label}</StateBadge>
      <span className={classes.liveFigures}>
        {state.status !== undefined && <Rate perSecond={state.status.matched_per_second} />}
        {isPaused &&
          state.status !== undefined &&
          ` ${formatCount(state.status.new_messages)} new since the pause`}
      </span>
      <Button
        size="xs"
        disabled={!canPause}
        leftSection={isPaused ? <IconPlayerPlay size={14} /> : <IconPlayerPause size={14} />}
        onClick={toggle}
      >
        {isPaused ? texts.resume : texts.pause}
      </Button>
      <Button size="xs" leftSection={<IconPlayerStop size={14} />} onClick={onStop}>
        {texts.stopLive}
      </Button>
    </div>
  );
}

const REASONS: Readonly<Record<string, string>> = {
  stopping: 'The node stops.',
  unauthenticated: 'The session has ended.',
  forbidden: 'There is nothing left here that you may read.',
  unchecked: 'Permissions could not be checked for 20 seconds.',
};

/** No loss is silent. */
function Notices({ state }: { readonly state: TailState }) {
  const { status, phase, reason = '', missed } = state;
  const lines = [
    ...(phase === 'ended' ? [`Live has ended. ${REASONS[reason] ?? reason}`] : []),
    ...(missed > 0
      ? [`${countOf(missed, 'message')} that came meanwhile are not shown here: stop to search them.`]
      : []),
    ...((status?.dropped ?? 0) > 0
      ? [
          `${countOf(status?.dropped ?? 0, 'message')} not shown: at most ${status?.rate} a second are. Narrow the query to see all.`,
        ]
      : []),
    ...((status?.skipped ?? 0) > 0
      ? [`About ${countOf(status?.skipped ?? 0, 'message')} not looked at, to keep the intake fast.`]
      : []),
    ...(status?.stalled
      ? ['Messages wait in the journal: they are shown as soon as they are processed.']
      : []),
    ...((status?.missing_nodes.length ?? 0) > 0
      ? [`These nodes cannot be followed: ${status?.missing_nodes.join(', ')}.`]
      : []),
  ];
  if (lines.length === 0) return null;
  return (
    <div className={classes.notice}>
      <InlineNotice kind="warn">{lines.join(' ')}</InlineNotice>
    </div>
  );
}

interface LiveDetailProps {
  readonly message: TailState['messages'][number];
  readonly search: SearchState;
}

function LiveDetail({ message, search }: LiveDetailProps) {
  const [tab, setTab] = useState('fields');
  const titleOf = useEntityTitles();
  return (
    <MessageDetail
      message={message}
      actions={search.actions}
      titleOf={titleOf}
      tab={tab}
      onTabChange={setTab}
    />
  );
}
