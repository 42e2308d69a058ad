/** biome-ignore-all lint/a11y/useSemanticElements: a table cannot hold a virtual list */
/** biome-ignore-all lint/a11y/useFocusableInteractive: the list has the focus and names its active row */
import { memo } from 'react';
import { fieldText, type LogMessage, levelOf } from '../lib/messages/index.ts';
import { formatClock, formatInstant, formatUtc, useTimeZone } from '../lib/time/index.ts';
import { LevelLabel } from './level-label.tsx';
import classes from './log-list.module.css';
import { LogText } from './log-text.tsx';

export interface LogColumn {
  readonly field: string;
  readonly width?: number;
}

export interface LogRowProps {
  readonly id: string;
  readonly message: LogMessage;
  readonly columns: readonly LogColumn[];
  readonly rowIndex: number;
  readonly isActive: boolean;
  readonly isExpanded: boolean;
  readonly isExpandable: boolean;
  readonly isOneLine: boolean;
  readonly hasDate: boolean;
  readonly onToggle: () => void;
}

/** Characters of a row; the detail has more. */
const SHOWN_CHARACTERS = 2000;

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
      data-severe={level !== undefined && level <= 3 && level !== 1}
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

function Cell({ field, message, isOneLine, hasDate }: LogRowProps & { readonly field: string }) {
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
  return <LogText text={text} marks={message.marks[field]} isOneLine={isOneLine} limit={SHOWN_CHARACTERS} />;
}
