import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { daysOfMonth, monthOf, shiftMonth } from '../lib/time/index.ts';
import classes from './day-grid.module.css';

export interface DayGridProps {
  /** The chosen days, both inclusive, as `2026-11-15`. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly today: string;
  readonly onChoose: (from: string, to: string) => void;
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const title = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** A month: the first click chooses a day, the next one the other end. */
export function DayGrid({ from, to, today, onChoose }: DayGridProps) {
  const [month, setMonth] = useState(monthOf(to ?? today));
  const [anchor, setAnchor] = useState<string>();
  const choose = (day: string) => {
    const [first = day, last = day] = [anchor ?? day, day].sort();
    setAnchor(anchor === undefined ? day : undefined);
    onChoose(first, last);
  };
  const isChosen = (day: string) => from !== undefined && to !== undefined && day >= from && day <= to;
  return (
    <div className={classes.calendar}>
      <div className={classes.head}>
        <ActionIcon size="sm" aria-label="Month before" onClick={() => setMonth(shiftMonth(month, -1))}>
          <IconChevronLeft size={14} />
        </ActionIcon>
        <span aria-live="polite">{title.format(new Date(`${month}-01T00:00:00Z`))}</span>
        <ActionIcon size="sm" aria-label="Month after" onClick={() => setMonth(shiftMonth(month, 1))}>
          <IconChevronRight size={14} />
        </ActionIcon>
      </div>
      <div className={classes.days}>
        {WEEKDAYS.map((name) => (
          <span key={name} className={classes.weekday} aria-hidden="true">
            {name}
          </span>
        ))}
        {daysOfMonth(month).map((day) => (
          <button
            key={day}
            type="button"
            aria-label={day}
            aria-pressed={isChosen(day)}
            data-other={monthOf(day) !== month}
            data-today={day === today}
            onClick={() => choose(day)}
          >
            {Number(day.slice(-2))}
          </button>
        ))}
      </div>
    </div>
  );
}
