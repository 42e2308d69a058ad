import { Button, Checkbox, Popover, TextInput } from '@mantine/core';
import { IconChevronDown, IconGitFork } from '@tabler/icons-react';
import { type Ref, useState } from 'react';
import { countOf } from '../lib/format/index.ts';
import classes from './pickers.module.css';

export interface StreamChoice {
  readonly id: string;
  readonly title: string;
}

export interface StreamPickerProps {
  /** The first streams that contain what is to be found, and how many there are. */
  readonly streams: readonly StreamChoice[];
  readonly total: number;
  readonly find: string;
  readonly onFind: (find: string) => void;
  /** Titles of those that are chosen, by their ids. */
  readonly titles: Readonly<Record<string, string>>;
  /** Ids; all streams when it is empty. */
  readonly chosen: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
  readonly ref?: Ref<HTMLButtonElement>;
}

const FIND_FROM = 8;

/** Which streams are searched. */
export function StreamPicker(props: StreamPickerProps) {
  const { streams, total, find, onFind, titles, chosen, onChange, ref } = props;
  const [isOpen, setOpen] = useState(false);
  const titleOf = (id: string) => titles[id] ?? id;
  const [first] = chosen;
  const label =
    first === undefined ? 'All streams' : chosen.length === 1 ? titleOf(first) : `${chosen.length} streams`;
  // Those that are chosen are always there.
  const unseen = chosen.filter((id) => streams.every((stream) => stream.id !== id));
  const shown = [...unseen.map((id) => ({ id, title: titleOf(id) })), ...streams];
  const toggle = (id: string) =>
    onChange(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus returnFocus>
      <Popover.Target>
        <Button
          ref={ref}
          className={classes.streams}
          leftSection={<IconGitFork size={16} />}
          rightSection={<IconChevronDown size={14} />}
          aria-label={`Streams: ${label}`}
          onClick={() => setOpen(!isOpen)}
        >
          <span className={classes.clip}>{label}</span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown}>
        {(total >= FIND_FROM || find !== '') && (
          <TextInput
            aria-label="Find a stream"
            placeholder="Find a stream"
            value={find}
            onChange={(event) => onFind(event.currentTarget.value)}
            data-autofocus
          />
        )}
        <fieldset className={classes.choices} aria-label="Streams">
          <Checkbox label="All streams" checked={chosen.length === 0} onChange={() => onChange([])} />
          {shown.map(({ id, title }) => (
            <Checkbox key={id} label={title} checked={chosen.includes(id)} onChange={() => toggle(id)} />
          ))}
          {total > streams.length && (
            <p className={classes.more}>
              {countOf(total - streams.length, 'more stream')}: type to find them.
            </p>
          )}
        </fieldset>
      </Popover.Dropdown>
    </Popover>
  );
}
