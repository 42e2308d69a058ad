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
  readonly streams: readonly StreamChoice[];
  /** Ids; all streams when it is empty. */
  readonly chosen: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
  readonly ref?: Ref<HTMLButtonElement>;
}

const FIND_FROM = 8;
/** The rest is found by typing; those that are chosen are always there. */
const MOST_SHOWN = 100;

/** Which streams are searched. */
export function StreamPicker({ streams, chosen, onChange, ref }: StreamPickerProps) {
  const [isOpen, setOpen] = useState(false);
  const [find, setFind] = useState('');
  const titleOf = (id: string) => streams.find((stream) => stream.id === id)?.title ?? id;
  const [first] = chosen;
  const label =
    first === undefined ? 'All streams' : chosen.length === 1 ? titleOf(first) : `${chosen.length} streams`;
  const shown = streams.filter(({ title }) => title.toLowerCase().includes(find.trim().toLowerCase()));
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
        {streams.length >= FIND_FROM && (
          <TextInput
            aria-label="Find a stream"
            placeholder="Find a stream"
            value={find}
            onChange={(event) => setFind(event.currentTarget.value)}
            data-autofocus
          />
        )}
        <fieldset className={classes.choices} aria-label="Streams">
          <Checkbox label="All streams" checked={chosen.length === 0} onChange={() => onChange([])} />
          {shown
            .filter(({ id }, at) => at < MOST_SHOWN || chosen.includes(id))
            .map(({ id, title }) => (
              <Checkbox key={id} label={title} checked={chosen.includes(id)} onChange={() => toggle(id)} />
            ))}
          {shown.length > MOST_SHOWN && (
            <p className={classes.more}>
              {countOf(shown.length - MOST_SHOWN, 'more stream')}: type to find them.
            </p>
          )}
        </fieldset>
      </Popover.Dropdown>
    </Popover>
  );
}
