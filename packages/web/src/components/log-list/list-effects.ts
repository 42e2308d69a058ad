import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { messageKey } from '../../lib/messages/index.ts';
import type { LogListProps } from './list-props.ts';

/** Rows that are fetched before they are needed: about two screens. */
const AHEAD = 80;

export function useNearEnd(
  { messages, onNearEnd }: Pick<LogListProps, 'messages' | 'onNearEnd'>,
  last: number,
): void {
  const isNear = messages.length > 0 && last >= messages.length - AHEAD;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each list of loaded messages
  useEffect(() => {
    if (isNear) onNearEnd?.();
  }, [isNear, messages]);
}

/** Tells which rows are in sight, without those that are only drawn ahead. */
export function useVisible(
  { onVisible, messages }: LogListProps,
  scroller: RefObject<HTMLDivElement | null>,
  virtualizer: Virtualizer<HTMLDivElement, Element>,
): void {
  const offset = virtualizer.scrollOffset ?? 0;
  const height = virtualizer.scrollRect?.height ?? scroller.current?.clientHeight ?? 0;
  const headHeight = virtualizer.options.scrollMargin;
  useEffect(() => {
    if (onVisible === undefined || messages.length === 0 || height === 0) return;
    const first = virtualizer.getVirtualItemForOffset(offset + headHeight)?.index ?? 0;
    const last = virtualizer.getVirtualItemForOffset(offset + height)?.index ?? messages.length - 1;
    onVisible(first, Math.max(first, last));
  }, [onVisible, offset, height, headHeight, messages, virtualizer]);
}

/** Shows another list from its top, as soon as it is there. */
export function useTop({ listKey, isStale }: LogListProps, scroller: RefObject<HTMLDivElement | null>): void {
  const shown = useRef(listKey);
  useLayoutEffect(() => {
    if (isStale || shown.current === listKey) return;
    shown.current = listKey;
    if (scroller.current !== null) scroller.current.scrollTop = 0;
  }, [listKey, isStale, scroller]);
}

/** Goes to a row once it is there; each wish is granted once. */
export function useFocusOn({ focusOn, messages, isStale }: LogListProps, goTo: (at: number) => void): void {
  const granted = useRef<string>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is wished and what is loaded matter
  useEffect(() => {
    if (focusOn === undefined) granted.current = undefined;
    if (focusOn === undefined || focusOn === granted.current || isStale) return;
    const at = messages.findIndex((message) => messageKey(message) === focusOn);
    if (at < 0) return;
    granted.current = focusOn;
    goTo(at);
  }, [focusOn, messages, isStale]);
}

const END_TOLERANCE = 40;

/** Whoever reads an older line is never pushed away; whoever stands at the end stays there. */
export function useFollowing(
  { isFollowing = false, onFollowChange }: LogListProps,
  scroller: RefObject<HTMLDivElement | null>,
  height: number,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: more height means that rows were added
  useEffect(() => {
    const list = scroller.current;
    if (isFollowing && list !== null) list.scrollTop = list.scrollHeight;
  }, [isFollowing, height]);
  useEffect(() => {
    const list = scroller.current;
    if (onFollowChange === undefined || list === null) return;
    return watchFollowing(list, onFollowChange);
  }, [onFollowChange, scroller]);
}

/**
 * While many rows come in, the list is put back to its end before it hears that somebody has scrolled. So turning the wheel
 * is enough to leave the end, and from then on only what the reader does leads back to it.
 */
function watchFollowing(list: HTMLElement, onFollowChange: (isFollowing: boolean) => void): () => void {
  let before = list.scrollTop;
  let isLeaving = false;
  const isAtEnd = () => list.scrollHeight - list.scrollTop - list.clientHeight < END_TOLERANCE;
  const onScroll = () => {
    const isUpwards = list.scrollTop < before;
    before = list.scrollTop;
    if (!isAtEnd()) {
      isLeaving = false;
      if (isUpwards) onFollowChange(false);
    } else if (!isLeaving) onFollowChange(true);
  };
  const onWheel = ({ deltaY }: WheelEvent) => {
    if (deltaY === 0 || list.scrollHeight <= list.clientHeight) return;
    isLeaving = deltaY < 0;
    if (isLeaving) onFollowChange(false);
    else if (isAtEnd()) onFollowChange(true);
  };
  list.addEventListener('scroll', onScroll, { passive: true });
  list.addEventListener('wheel', onWheel, { passive: true });
  return () => {
    list.removeEventListener('scroll', onScroll);
    list.removeEventListener('wheel', onWheel);
  };
}
