/** biome-ignore-all lint/a11y/useSemanticElements: a table cannot hold a virtual list */
/** biome-ignore-all lint/a11y/useFocusableInteractive: the list has the focus and names its active row */
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { useShortcuts } from '../lib/keys/index.ts';
import { type LogMessage, levelOf, messageKey } from '../lib/messages/index.ts';
import classes from './log-list.module.css';
import { type LogColumn, LogRow } from './log-row.tsx';

export interface LogListProps {
  readonly label: string;
  readonly messages: readonly LogMessage[];
  /** All that were found, of which some are loaded. */
  readonly total: number;
  readonly columns: readonly LogColumn[];
  /** `timestamp:desc`. */
  readonly sort?: string;
  readonly onSort?: (field: string) => void;
  /** Of the row that is open, as `messageKey` writes it. */
  readonly expanded?: string;
  readonly onExpand?: (key: string) => void;
  readonly renderDetail?: (message: LogMessage) => ReactNode;
  /** The end of what is loaded comes near. */
  readonly onNearEnd?: () => void;
  readonly isWrapped: boolean;
  readonly isCompact: boolean;
  /** Two lines for each message instead of columns. */
  readonly isNarrow: boolean;
  /** The range goes over several days, so the time of day is not enough. */
  readonly hasDates: boolean;
  readonly isStale?: boolean;
  /** A row that is pointed out, as `messageKey` writes it. */
  readonly marked?: string;
  /** The keys of the page walk this list: false for a list inside of another. */
  readonly hasKeys?: boolean;
  /** Stays at the last row while it is in sight. */
  readonly isFollowing?: boolean;
  /** Whether the last row came out of sight or into it. */
  readonly onFollowChange?: (isAtEnd: boolean) => void;
  /** Below the last row. */
  readonly footer?: ReactNode;
}

/** Rows that are fetched before they are needed. */
const AHEAD = 60;
const KEYS = 'Messages';

export function LogList(props: LogListProps) {
  const { messages, expanded, renderDetail, isNarrow, isWrapped, footer } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const [active, setActive] = useState<number>();
  const rowHeight = isNarrow ? 52 : props.isCompact ? 22 : 26;
  const virtualizer = useVirtualizer({
    count: messages.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (at) => rowKey(messages[at], at),
    overscan: 10,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other heights make the measured ones wrong
  useEffect(() => virtualizer.measure(), [rowHeight, isWrapped]);
  const items = virtualizer.getVirtualItems();
  useNearEnd(props, items.at(-1)?.index ?? 0);
  useFollowing(props, scroller, virtualizer.getTotalSize());

  const goTo = (at: number) => {
    if (messages.length === 0) return;
    const next = Math.min(messages.length - 1, Math.max(0, at));
    setActive(next);
    virtualizer.scrollToIndex(next, { align: 'auto' });
    scroller.current?.focus({ preventScroll: true });
  };
  const toggle = (at: number) => {
    const message = messages[at];
    if (message === undefined) return;
    setActive(at);
    props.onExpand?.(messageKey(message) === expanded ? '' : messageKey(message));
  };
  useListKeys(messages, active, goTo, props.hasKeys ?? true);
  return (
    <div
      ref={scroller}
      className={classes.list}
      role="grid"
      aria-label={props.label}
      aria-rowcount={props.total + 1}
      aria-colcount={props.columns.length}
      aria-activedescendant={active === undefined ? undefined : `${id}-${active}`}
      tabIndex={0}
      data-stale={props.isStale}
      data-narrow={isNarrow}
      data-wrapped={isWrapped}
      style={{ '--columns': gridColumns(props), '--row-height': `${rowHeight}px` } as CSSProperties}
      onKeyDown={(event) =>
        onGridKey(
          event,
          active,
          Math.floor(virtualizer.scrollRect?.height ?? 0) / rowHeight,
          messages.length,
          goTo,
          toggle,
        )
      }
    >
      <ListHead {...props} />
      <div className={classes.rows} style={{ height: virtualizer.getTotalSize() }} role="presentation">
        {items.map(({ index, start, key }) => {
          const message = messages[index];
          if (message === undefined) return null;
          const isExpanded = renderDetail !== undefined && messageKey(message) === expanded;
          return (
            <div
              key={key}
              ref={isExpanded || isWrapped || isNarrow ? virtualizer.measureElement : undefined}
              data-index={index}
              className={classes.item}
              style={{ transform: `translateY(${start}px)` }}
              role="presentation"
            >
              <LogRow
                id={`${id}-${index}`}
                message={message}
                columns={props.columns}
                rowIndex={index + 2}
                isActive={index === active || messageKey(message) === props.marked}
                isExpanded={isExpanded}
                isExpandable={renderDetail !== undefined}
                isOneLine={!isWrapped && !isNarrow}
                hasDate={props.hasDates}
                onToggle={() => toggle(index)}
              />
              {isExpanded && (
                <div role="row" aria-rowindex={index + 2}>
                  <div role="gridcell" aria-colspan={props.columns.length}>
                    {renderDetail(message)}
                  </div>
                </div>
              )}
            </div>
          );
        })}
      </div>
      {footer !== undefined && (
        <div role="row">
          <div role="gridcell" className={classes.footer}>
            {footer}
          </div>
        </div>
      )}
    </div>
  );
}

function rowKey(message: LogMessage | undefined, at: number): string {
  return message === undefined ? String(at) : `${message.id}@${at}`;
}

function ListHead({ columns, sort = '', onSort, isNarrow }: LogListProps) {
  if (isNarrow) return null;
  const [, sortField, direction] = /^(.*):(asc|desc)$/s.exec(sort) ?? [];
  return (
    <div role="row" className={classes.head} aria-rowindex={1}>
      {columns.map(({ field }) => {
        const isSorted = field === sortField;
        const order = direction === 'asc' ? 'ascending' : 'descending';
        return (
          <div
            key={field}
            role="columnheader"
            aria-sort={isSorted ? order : 'none'}
            className={classes.title}
          >
            {onSort === undefined ? (
              <bdi>{field}</bdi>
            ) : (
              <button type="button" title={`Sort by ${field}`} onClick={() => onSort(field)}>
                <bdi>{field}</bdi>
                {isSorted && <span aria-hidden="true">{direction === 'asc' ? '↑' : '↓'}</span>}
              </button>
            )}
          </div>
        );
      })}
    </div>
  );
}

/** The message takes what is left; without it the last column does. */
function gridColumns({ columns, hasDates }: LogListProps): string {
  const widthOf = ({ field, width }: LogColumn) => {
    if (width !== undefined) return `${width}px`;
    if (field === 'timestamp') return hasDates ? '188px' : '112px';
    if (field === 'level') return '60px';
    return field === 'source' ? '152px' : '168px';
  };
  const flexible = columns.some(({ field }) => field === 'message') ? 'message' : columns.at(-1)?.field;
  return columns
    .map((column) => (column.field === flexible ? 'minmax(200px, 1fr)' : widthOf(column)))
    .join(' ');
}

function useNearEnd({ messages, onNearEnd }: LogListProps, last: number): void {
  const isNear = messages.length > 0 && last >= messages.length - AHEAD;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each number of loaded messages
  useEffect(() => {
    if (isNear) onNearEnd?.();
  }, [isNear, messages.length]);
}

const END_TOLERANCE = 40;

/** Whoever reads an older line is never pushed away; whoever stands at the end stays there. */
function useFollowing(
  { isFollowing = false, onFollowChange }: LogListProps,
  scroller: React.RefObject<HTMLDivElement | null>,
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
    let before = list.scrollTop;
    const onScroll = () => {
      const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < END_TOLERANCE;
      if (isAtEnd) onFollowChange(true);
      else if (list.scrollTop < before) onFollowChange(false);
      before = list.scrollTop;
    };
    list.addEventListener('scroll', onScroll, { passive: true });
    return () => list.removeEventListener('scroll', onScroll);
  }, [onFollowChange, scroller]);
}

function onGridKey(
  event: KeyboardEvent,
  active: number | undefined,
  page: number,
  count: number,
  goTo: (at: number) => void,
  toggle: (at: number) => void,
): void {
  if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
  const at = active ?? -1;
  const targets: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + Math.max(1, Math.floor(page) - 2),
    PageUp: at - Math.max(1, Math.floor(page) - 2),
    Home: 0,
    End: count - 1,
  };
  const target = targets[event.key];
  if (target !== undefined) goTo(target);
  else if (event.key === 'Enter' && active !== undefined) toggle(active);
  else return;
  event.preventDefault();
}

/** Errors are levels 0, 2 and 3: level 1 is also what has no level. */
const isError = (level: number | undefined) => level !== undefined && level <= 3 && level !== 1;
const isWarning = (level: number | undefined) => level === 4;

function useListKeys(
  messages: readonly LogMessage[],
  active: number | undefined,
  goTo: (at: number) => void,
  hasKeys: boolean,
): void {
  const find = (direction: -1 | 1, isWanted: (level: number | undefined) => boolean) => {
    for (let at = (active ?? -1) + direction; at >= 0 && at < messages.length; at += direction) {
      const message = messages[at];
      if (message !== undefined && isWanted(levelOf(message))) return goTo(at);
    }
  };
  const shortcuts = [
    { keys: 'j', label: 'Next message', group: KEYS, run: () => goTo((active ?? -1) + 1) },
    { keys: 'k', label: 'Previous message', group: KEYS, run: () => goTo((active ?? 1) - 1) },
    { keys: 'e', label: 'Next error', group: KEYS, run: () => find(1, isError) },
    { keys: 'E', label: 'Previous error', group: KEYS, run: () => find(-1, isError) },
    { keys: 'w', label: 'Next warning', group: KEYS, run: () => find(1, isWarning) },
    { keys: 'W', label: 'Previous warning', group: KEYS, run: () => find(-1, isWarning) },
  ];
  useShortcuts(hasKeys ? shortcuts : []);
}
