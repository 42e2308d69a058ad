import { ActionIcon, Button, Popover, Tooltip } from '@mantine/core';
import { IconChevronDown, IconChevronLeft, IconChevronRight, IconZoomOut } from '@tabler/icons-react';
import { type Ref, useState } from 'react';
import {
  describeTimeRange,
  serverNow,
  type TimeRange,
  type TimeSpan,
  useTimeZone,
  zoneName,
} from '../lib/time/index.ts';
import classes from './pickers.module.css';
import { TimePanel } from './time-panel.tsx';

export interface TimePickerProps {
  readonly range: TimeRange;
  /** The instants of the last run: where shifting and zooming begin. */
  readonly span: TimeSpan | undefined;
  /** The ranges that were used last. */
  readonly recent?: readonly TimeRange[];
  readonly onChange: (range: TimeRange) => void;
  readonly onShift: (direction: -1 | 1) => void;
  readonly onZoomOut: () => void;
  readonly onZoneChange: (zone: string) => void;
  /** What words mean; rejects when they mean nothing. */
  readonly meaningOf: (words: string, signal: AbortSignal) => Promise<TimeSpan>;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** Which time is searched: quick choices, words, from and to, and steps to either side. */
export function TimePicker(props: TimePickerProps) {
  const { range, span, onChange, onShift, onZoomOut, ref } = props;
  const [isOpen, setOpen] = useState(false);
  const zone = useTimeZone();
  return (
    <div className={classes.time}>
      <Step label="Earlier" keys="[" isDisabled={span === undefined} onClick={() => onShift(-1)}>
        <IconChevronLeft size={16} />
      </Step>
      <Popover opened={isOpen} onChange={setOpen} trapFocus returnFocus position="bottom-end">
        <Popover.Target>
          <Button
            ref={ref}
            className={classes.range}
            rightSection={<IconChevronDown size={14} />}
            aria-label={`Time: ${describeTimeRange(range, zone)}`}
            onClick={() => setOpen(!isOpen)}
          >
            <span className={classes.clip}>{describeTimeRange(range, zone)}</span>
            <span className={classes.zone}>{zoneName(span?.to ?? serverNow(), zone)}</span>
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          <TimePanel
            range={range}
            span={span}
            recent={props.recent ?? []}
            meaningOf={props.meaningOf}
            onZoneChange={props.onZoneChange}
            onChoose={(chosen) => {
              setOpen(false);
              onChange(chosen);
            }}
          />
        </Popover.Dropdown>
      </Popover>
      <Step label="Later" keys="]" isDisabled={span === undefined} onClick={() => onShift(1)}>
        <IconChevronRight size={16} />
      </Step>
      <Step label="Twice the time" keys="z" isDisabled={span === undefined} onClick={onZoomOut}>
        <IconZoomOut size={16} />
      </Step>
    </div>
  );
}

interface StepProps {
  readonly label: string;
  readonly keys: string;
  readonly isDisabled: boolean;
  readonly onClick: () => void;
  readonly children: React.ReactNode;
}

function Step({ label, keys, isDisabled, onClick, children }: StepProps) {
  return (
    <Tooltip label={`${label} (${keys})`}>
      <ActionIcon
        className={classes.step}
        variant="default"
        aria-label={label}
        disabled={isDisabled}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
