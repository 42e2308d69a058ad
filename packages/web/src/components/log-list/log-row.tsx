/** biome-ignore-all lint/a11y/useSemanticElements: a table cannot hold a virtual list */
/** biome-ignore-all lint/a11y/useFocusableInteractive: the list has the focus and names its active row */
import { memo } from 'react';
import { findRanges, joinRanges } from '../../lib/log-text/index.ts';
import { fieldText, isErrorLevel, type LogMessage, levelOf } from '../../lib/messages/index.ts';
import { formatClock, formatInstant, formatUtc, useTimeZone } from '../../lib/time/index.ts';
import { LevelLabel } from '../level-label.tsx';
import { LogText } from '../log-text.tsx';
import type { LogColumn } from './columns.ts';
import classes from './log-list.module.css';
import { ROW_CHARACTERS } from './row-heights.ts';

export interface LogRowProps {
  readonly id: string;
  readonly message: LogMessage;
  readonly columns: readonly LogColumn[];
  readonly rowIndex: number;
  readonly isActive: boolean;
  readonly isExpanded: boolean;
  readonly isExpandable: boolean;
  readonly look: 'line' | 'wrapped' | 'narrow';
  readonly isMarked: boolean;
  readonly highlight: number | undefined;
  readonly find: string;
  readonly hasDate: boolean;
  readonly onToggle: () => void;
}

export const LogRow = memo(LogRowContent, (before, after) => {
  const { onToggle: _before, ...one } = before;
  const { onToggle: _after, ...other } = after;
  return Object.entries(one).every(([key, value]) => value === other[key as keyof typeof other]);
});

function LogRowContent(props: LogRowProps) {
  const { id, message, columns, rowIndex, isActive, isExpanded, isExpandable, onToggle } = props;
  const level = levelOf(message);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the list, which has the focus
    <div
      id={id}
      role="row"
      className={classes.row}
      aria-rowindex={rowIndex}
      aria-selected={isExpandable ? isExpanded : undefined}
      data-active={isActive}
      data-severe={isErrorLevel(level)}
      data-look={props.look}
      data-marked={props.isMarked}
      data-highlight={props.highlight}
      onClick={(event) => {
        const hasSelection = (window.getSelection()?.toString() ?? '') !== '';
        if (!hasSelection && !(event.target as HTMLElement).closest('a, button')) onToggle();
      }}
    >
      {columns.map(({ field }) => (
        <div key={field} role="gridcell" className={classes.cell} data-field={field}>
          <Cell field={field} {...props} />
        </div>
      ))}
    </div>
  );
}

interface CellProps extends LogRowProps {
  readonly field: string;
}

function Cell({ field, message, look, hasDate, find }: CellProps) {
  const zone = useTimeZone();
  const value = message.fields[field];
  if (field === 'timestamp') {
    const { timestamp } = message;
    return (
      <time dateTime={formatUtc(timestamp)} title={formatUtc(timestamp)}>
        {hasDate
          ? formatInstant(timestamp, zone, 'millisecond')
          : formatClock(timestamp, zone, 'millisecond')}
      </time>
    );
  }
  if (field === 'level' && typeof value === 'number') return <LevelLabel level={value} />;
  const text = fieldText(value);
  if (text === '') return null;
  const marks = joinRanges(message.marks[field], findRanges(text, find, ROW_CHARACTERS));
  return <LogText text={text} marks={marks} isOneLine={look === 'line'} limit={ROW_CHARACTERS} />;
}
