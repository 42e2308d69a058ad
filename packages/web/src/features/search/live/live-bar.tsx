import { Button, Tooltip } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { Rate } from '../../../components/rate.tsx';
import { StateBadge } from '../../../components/state-badge.tsx';
import { formatCount } from '../../../lib/format/index.ts';
import { useShortcuts } from '../../../lib/keys/index.ts';
import classes from '../search.module.css';
import { texts } from '../texts.ts';
import { isFillingGap, type TailState } from './tail-state.ts';
import type { Tail } from './use-tail.ts';

const PHASES = {
  connecting: { tone: 'info', label: 'Connecting' },
  following: { tone: 'ok', label: 'Following' },
  paused: { tone: 'warn', label: 'Paused' },
  lost: { tone: 'danger', label: 'Connecting again' },
  ended: { tone: 'dim', label: 'Ended' },
} as const;

interface LiveBarProps {
  readonly tail: Tail;
  readonly isStopping: boolean;
  readonly onStop: () => void;
}

/** Whether it follows, how fast messages come, and the ways to stop. */
export function LiveBar({ tail, isStopping, onStop }: LiveBarProps) {
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
    { keys: 'l', label: texts.stopLive, group: texts.live, run: () => !isStopping && onStop() },
  ]);
  return (
    <div className={classes.liveBar}>
      <StateBadge tone={tone}>{label}</StateBadge>
      <span className={classes.liveFigures}>
        {state.status !== undefined && <Rate perSecond={state.status.matched_per_second} />}
        {isPaused &&
          state.status !== undefined &&
          ` ${formatCount(state.status.new_messages)} new since the pause`}
        {isFillingGap(state) && ` ${fetchingText(state)}`}
      </span>
      <Tooltip label={`${isPaused ? texts.resume : texts.pause} (Space)`}>
        <Button
          size="xs"
          disabled={!canPause}
          leftSection={isPaused ? <IconPlayerPlay size={14} /> : <IconPlayerPause size={14} />}
          onClick={toggle}
        >
          {isPaused ? texts.resume : texts.pause}
        </Button>
      </Tooltip>
      <Tooltip label={`${texts.stopLive} (l)`}>
        <Button size="xs" loading={isStopping} leftSection={<IconPlayerStop size={14} />} onClick={onStop}>
          {texts.stopLive}
        </Button>
      </Tooltip>
    </div>
  );
}

function fetchingText({ missed = 0 }: TailState): string {
  return missed === 0 ? texts.fetchingMissed : texts.fetching(missed);
}
