/** biome-ignore-all lint/a11y/useSemanticElements: a table cannot hold a virtual list */
/** biome-ignore-all lint/a11y/useFocusableInteractive: the list has the focus and names its active row */
import { useElementSize } from '@mantine/hooks';
import { type CSSProperties, type Ref, useId, useRef } from 'react';
import { messageKey } from '../../lib/messages/index.ts';
import { gridColumns } from './columns.ts';
import { useFocusOn, useFollowing, useNearEnd, useTop, useVisible } from './list-effects.ts';
import { ListHead } from './list-head.tsx';
import { onGridKey, useListKeys } from './list-keys.ts';
import { ListMap } from './list-map.tsx';
import type { LogListProps } from './list-props.ts';
import classes from './log-list.module.css';
import { LogRow } from './log-row.tsx';
import { useActive } from './use-active.ts';
import { useRows } from './use-rows.ts';

const NO_HITS: readonly number[] = [];
const never = () => false;

export function LogList(props: LogListProps) {
  const { messages, expanded, isNarrow, hits = NO_HITS, isMarked = never } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const size = useElementSize<HTMLDivElement>();
  const [active, setActive] = useActive(messages);
  const rows = useRows(props, scroller, size.width);
  const { virtualizer, rowHeight } = rows;
  useTop(props, scroller);
  useNearEnd(props, rows.items.at(-1)?.index ?? 0);
  useVisible(props, scroller, virtualizer);
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
  useFocusOn(props, goTo);
  useListKeys(
    {
      messages,
      active,
      goTo,
      hits,
      onSeek: props.onSeek,
      isIncomplete: (props.isStale || props.isPartial) ?? false,
      onMark: props.onMark,
      onCopy: props.onCopy,
    },
    props.hasKeys ?? true,
  );
  return (
    <div className={classes.frame}>
      <Grid
        {...props}
        scroller={scroller}
        sizeRef={size.ref}
        rows={rows}
        active={active}
        onToggle={toggle}
        onKey={(event) => {
          const page = Math.floor((virtualizer.scrollRect?.height ?? 0) / rowHeight);
          onGridKey(event, { active, count: messages.length, page }, goTo, toggle);
        }}
      />
      {!isNarrow && props.onMark !== undefined && (
        <ListMap
          messages={messages}
          hits={hits}
          isMarked={isMarked}
          hasMarks={props.hasMarks ?? false}
          onGo={(share) =>
            virtualizer.scrollToIndex(Math.floor(share * (messages.length - 1)), { align: 'center' })
          }
        />
      )}
    </div>
  );
}

interface GridProps extends LogListProps {
  readonly scroller: Ref<HTMLDivElement>;
  readonly sizeRef: Ref<HTMLDivElement>;
  readonly rows: ReturnType<typeof useRows>;
  readonly active: number | undefined;
  readonly onToggle: (at: number) => void;
  readonly onKey: (event: React.KeyboardEvent) => void;
}

function Grid(props: GridProps) {
  const { messages, columns, rows, active, expanded, renderDetail, isNarrow, isWrapped, footer } = props;
  const id = useId();
  const { virtualizer, items, rowHeight, headHeight, isMeasured } = rows;
  return (
    <div
      ref={props.scroller}
      className={classes.list}
      role="grid"
      aria-label={props.label}
      aria-rowcount={props.total + 1}
      aria-colcount={columns.length}
      aria-activedescendant={
        active !== undefined && items.some(({ index }) => index === active) ? `${id}-${active}` : undefined
      }
      tabIndex={0}
      data-stale={props.isStale}
      style={
        {
          '--columns': gridColumns(columns, props.hasDates),
          '--row-height': `${rowHeight}px`,
        } as CSSProperties
      }
      onKeyDown={props.onKey}
    >
      {!isNarrow && (
        <ListHead
          columns={columns}
          messages={messages}
          sort={props.sort ?? ''}
          hasDates={props.hasDates}
          actions={props.columnActions}
        />
      )}
      <div
        ref={props.sizeRef}
        className={classes.rows}
        style={{ height: virtualizer.getTotalSize() }}
        role="presentation"
      >
        {items.map(({ index, start, key }) => {
          const message = messages[index];
          if (message === undefined) return null;
          const name = messageKey(message);
          const isExpanded = renderDetail !== undefined && name === expanded;
          const isFree = isExpanded || isMeasured(index);
          return (
            <div
              key={key}
              ref={isFree ? virtualizer.measureElement : undefined}
              data-measured={isFree}
              data-index={index}
              className={classes.item}
              style={{ transform: `translateY(${start - headHeight}px)` }}
              role="presentation"
            >
              <LogRow
                id={`${id}-${index}`}
                message={message}
                columns={columns}
                rowIndex={index + 2}
                isActive={index === active || name === props.pointedOut}
                isExpanded={name === expanded}
                isExpandable={props.onExpand !== undefined}
                look={isNarrow ? 'narrow' : isWrapped ? 'wrapped' : 'line'}
                isMarked={props.isMarked?.(message) ?? false}
                highlight={props.highlightOf?.(message)}
                find={props.find ?? ''}
                hasDate={props.hasDates}
                onToggle={() => props.onToggle(index)}
              />
              {isExpanded && (
                <div role="row" aria-rowindex={index + 2}>
                  <div role="gridcell" aria-colspan={columns.length}>
                    {renderDetail(message)}
                  </div>
                </div>
              )}
            </div>
          );
        })}
      </div>
      {footer !== undefined && messages.length > 0 && (
        <div role="row">
          <div role="gridcell" className={classes.footer}>
            {footer}
          </div>
        </div>
      )}
    </div>
  );
}
