import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useRef } from 'react';
import { useShortcuts } from '../lib/keys/index.ts';
import classes from './find-box.module.css';
import { useTyped } from './use-typed.ts';

const FIND_AFTER_MS = 200;

export interface FindBoxProps {
  /** "Find a stream" */
  readonly label: string;
  /** What is looked through. */
  readonly hint: string;
  /** The page, in the list of keys. */
  readonly group: string;
  readonly find: string;
  readonly onFind: (find: string) => void;
}

/** Narrows a list while somebody types; `/` goes there. */
export function FindBox({ label, hint, group, find, onFind }: FindBoxProps) {
  const { draft, type, flush } = useTyped(find, onFind, FIND_AFTER_MS);
  const box = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: '/', label, group, run: () => box.current?.focus() }]);
  return (
    <TextInput
      ref={box}
      className={classes.find}
      aria-label={label}
      placeholder={hint}
      leftSection={<IconSearch size={16} />}
      value={draft}
      // Who goes on to a row must not be called back to the list a moment later.
      onBlur={flush}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}
