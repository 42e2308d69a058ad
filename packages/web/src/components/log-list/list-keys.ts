import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useShortcuts } from '../../lib/keys/index.ts';
import { isErrorLevel, isWarningLevel, type LogMessage, levelOf } from '../../lib/messages/index.ts';

const GROUP = 'Messages';

export type Direction = -1 | 1;
export type Severity = 'error' | 'warning';

export interface ListKeyOptions {
  readonly messages: readonly LogMessage[];
  readonly active: number | undefined;
  readonly goTo: (at: number) => void;
  /** Nothing of this kind is loaded in this direction. */
  readonly onSeek: ((severity: Severity, direction: Direction) => void) | undefined;
  /** Another list, or more of this one, is on its way: what these messages lack is sought in that one. */
  readonly isIncomplete: boolean;
  /** Rows in which the text was found. */
  readonly hits: readonly number[];
  readonly onMark: ((message: LogMessage) => void) | undefined;
  readonly onCopy: ((message: LogMessage) => void) | undefined;
}

/** The keys of the page that walk a list. */
export function useListKeys(options: ListKeyOptions, isOn: boolean): void {
  const { messages, active, goTo, hits, isIncomplete } = options;
  const waiting = useRef<[Direction, Severity]>(undefined);
  const seek = (direction: Direction, severity: Severity) => {
    const isWanted = severity === 'error' ? isErrorLevel : isWarningLevel;
    for (let at = (active ?? -1) + direction; at >= 0 && at < messages.length; at += direction) {
      const message = messages[at];
      if (message !== undefined && isWanted(levelOf(message))) return goTo(at);
    }
    if (isIncomplete) waiting.current = [direction, severity];
    else options.onSeek?.(severity, direction);
  };
  useEffect(() => {
    if (isIncomplete || waiting.current === undefined) return;
    const pressed = waiting.current;
    waiting.current = undefined;
    seek(...pressed);
  });
  const toHit = (direction: Direction) => {
    const at = active ?? -1;
    const next =
      direction > 0
        ? (hits.find((row) => row > at) ?? hits[0])
        : (hits.findLast((row) => row < at) ?? hits.at(-1));
    if (next !== undefined) goTo(next);
  };
  const withActive = (act: ((message: LogMessage) => void) | undefined) => () => {
    const message = active === undefined ? undefined : messages[active];
    if (message !== undefined) act?.(message);
  };
  const key = (keys: string, label: string, run: () => void) => ({ keys, label, group: GROUP, run });
  useShortcuts(
    isOn
      ? [
          key('j', 'Next message', () => goTo((active ?? -1) + 1)),
          key('k', 'Previous message', () => goTo((active ?? 1) - 1)),
          key('e', 'Next error', () => seek(1, 'error')),
          key('E', 'Previous error', () => seek(-1, 'error')),
          key('w', 'Next warning', () => seek(1, 'warning')),
          key('W', 'Previous warning', () => seek(-1, 'warning')),
          key('n', 'Next found text', () => toHit(1)),
          key('N', 'Previous found text', () => toHit(-1)),
          ...(options.onMark === undefined ? [] : [key('x', 'Mark the message', withActive(options.onMark))]),
          ...(options.onCopy === undefined ? [] : [key('c', 'Copy the message', withActive(options.onCopy))]),
        ]
      : [],
  );
}

/** The keys of the list itself, while it has the focus. */
export function onGridKey(
  event: KeyboardEvent,
  {
    active,
    count,
    page,
  }: { readonly active: number | undefined; readonly count: number; readonly page: number },
  goTo: (at: number) => void,
  toggle: (at: number) => void,
): void {
  if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
  const at = active ?? -1;
  const targets: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + Math.max(1, page - 2),
    PageUp: at - Math.max(1, page - 2),
    Home: 0,
    End: count - 1,
  };
  const target = targets[event.key];
  if (target !== undefined) goTo(target);
  else if (event.key === 'Enter' && active !== undefined) toggle(active);
  else return;
  event.preventDefault();
}
