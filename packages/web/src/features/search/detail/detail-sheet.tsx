import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconX } from '@tabler/icons-react';
import { type ReactNode, type TouchEvent, useEffect, useRef } from 'react';
import { useNearEnd } from '../../../components/log-list/list-effects.ts';
import { formatCount } from '../../../lib/format/index.ts';
import { type LogMessage, messageKey } from '../../../lib/messages/index.ts';
import { formatInstant, useTimeZone } from '../../../lib/time/index.ts';
import classes from './detail.module.css';

interface DetailSheetProps {
  /** The key of the message that is open; empty for none. */
  readonly open: string;
  readonly onOpen: (key: string) => void;
  readonly messages: readonly LogMessage[];
  /** All that were found, if only some of them are loaded. */
  readonly total?: number;
  /** The end of what is loaded comes near. */
  readonly onNearEnd?: () => void;
  readonly render: (message: LogMessage) => ReactNode;
}

/** A swipe that is shorter, or more up and down than sideways, is none. */
const SWIPE_PIXELS = 60;

/** On a phone the detail takes the whole screen; a swipe shows the next message. */
export function DetailSheet(props: DetailSheetProps) {
  const { open, onOpen, messages, total = messages.length, render } = props;
  const zone = useTimeZone();
  const sheet = useRef<HTMLDivElement>(null);
  const start = useRef<{ readonly x: number; readonly y: number }>(undefined);
  const at = messages.findIndex((message) => messageKey(message) === open);
  const message = messages[at];
  const isOpen = message !== undefined;
  useNearEnd(props, at);
  useEffect(() => {
    if (isOpen) sheet.current?.focus();
  }, [isOpen]);
  if (message === undefined) return null;
  const go = (by: number) => {
    const next = messages[at + by];
    if (next !== undefined) onOpen(messageKey(next));
  };
  const onTouchEnd = (event: TouchEvent) => {
    const end = event.changedTouches[0];
    if (start.current === undefined || end === undefined) return;
    const [dx, dy] = [end.clientX - start.current.x, end.clientY - start.current.y];
    if (Math.abs(dx) > SWIPE_PIXELS && Math.abs(dx) > 2 * Math.abs(dy)) go(dx < 0 ? 1 : -1);
  };
  return (
    <div
      ref={sheet}
      className={classes.sheet}
      role="dialog"
      aria-label="Message"
      tabIndex={-1}
      onKeyDown={(event) => event.key === 'Escape' && onOpen('')}
      onTouchStart={(event) => {
        const touch = event.touches[0];
        start.current = touch && { x: touch.clientX, y: touch.clientY };
      }}
      onTouchEnd={onTouchEnd}
    >
      <div className={classes.sheetBar}>
        <ActionIcon size={44} aria-label="Previous message" disabled={at === 0} onClick={() => go(-1)}>
          <IconChevronLeft size={20} />
        </ActionIcon>
        <p>
          {formatInstant(message.timestamp, zone, 'millisecond')}
          <span>
            {formatCount(at + 1)} of {formatCount(total)}
          </span>
        </p>
        <ActionIcon
          size={44}
          aria-label="Next message"
          disabled={at === messages.length - 1}
          onClick={() => go(1)}
        >
          <IconChevronRight size={20} />
        </ActionIcon>
        <ActionIcon size={44} aria-label="Close" onClick={() => onOpen('')}>
          <IconX size={20} />
        </ActionIcon>
      </div>
      <div className={classes.sheetBody}>{render(message)}</div>
    </div>
  );
}
