import { ActionIcon, TextInput, Tooltip } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconSearch, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { countOf, formatCount } from '../../../lib/format/index.ts';
import { useKeyMap, useShortcuts } from '../../../lib/keys/index.ts';
import classes from './list.module.css';

interface FindBarProps {
  readonly find: string;
  /** Undefined while the rows are searched. */
  readonly hits: number | undefined;
  readonly loaded: number;
  readonly isOpen: boolean;
  readonly onFind: (text: string) => void;
  readonly onOpenChange: (isOpen: boolean) => void;
}

const WRITE_AFTER_MS = 150;

/** Finds text in the rows that are loaded, without another search. */
export function FindBar({ find, hits, loaded, isOpen, onFind, onOpenChange }: FindBarProps) {
  const [text, setText] = useState(find);
  const [hasFocus, setFocus] = useState(false);
  /** Enter was pressed before the rows were searched, or loaded. */
  const [wanted, setWanted] = useState<'n' | 'N'>();
  const input = useRef<HTMLInputElement>(null);
  const keyMap = useKeyMap();
  useEffect(() => setText(find), [find]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed starts the clock
  useEffect(() => {
    if (text === find) return;
    const timer = setTimeout(() => onFind(text), WRITE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  // Again in the box itself it is the browser's own, which finds in what is drawn.
  useShortcuts(
    hasFocus
      ? []
      : [
          {
            keys: 'mod+f',
            label: 'Find in the results',
            group: 'Messages',
            run: () => {
              onOpenChange(true);
              // It may have to be drawn first.
              requestAnimationFrame(() => input.current?.select());
            },
          },
        ],
  );
  const step = (key: 'n' | 'N') =>
    keyMap
      .list()
      .find(({ keys }) => keys === key)
      ?.run(new KeyboardEvent('keydown', { key }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a step is made once, when there is something to step to
  useEffect(() => {
    if (wanted === undefined || text !== find || !hits) return;
    setWanted(undefined);
    step(wanted);
  }, [wanted, text, find, hits]);
  if (!isOpen) return null;
  const close = () => {
    onFind('');
    onOpenChange(false);
  };
  return (
    <search className={classes.find} aria-label="Find in the results">
      <TextInput
        ref={input}
        size="xs"
        className={classes.findInput}
        aria-label="Find in the results"
        placeholder="Find in the loaded messages"
        leftSection={<IconSearch size={14} />}
        value={text}
        onFocus={() => setFocus(true)}
        onBlur={() => setFocus(false)}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setWanted(undefined);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            onFind(text);
            setWanted(event.shiftKey ? 'N' : 'n');
          } else if (event.key === 'Escape') close();
          else return;
          event.preventDefault();
        }}
      />
      <span className={classes.findCount} role="status">
        {find !== '' && hits !== undefined && `${countOf(hits, 'row')} of ${formatCount(loaded)} loaded`}
      </span>
      <StepButton label="Previous (N)" onClick={() => step('N')} isDisabled={!hits}>
        <IconChevronUp size={16} />
      </StepButton>
      <StepButton label="Next (n)" onClick={() => step('n')} isDisabled={!hits}>
        <IconChevronDown size={16} />
      </StepButton>
      <StepButton label="Close (Esc)" onClick={close}>
        <IconX size={16} />
      </StepButton>
    </search>
  );
}

interface StepButtonProps {
  readonly label: string;
  readonly onClick: () => void;
  readonly isDisabled?: boolean;
  readonly children: React.ReactNode;
}

function StepButton({ label, onClick, isDisabled = false, children }: StepButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon size={24} aria-label={label} disabled={isDisabled} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
