import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useShortcuts } from '../lib/keys/index.ts';
import classes from './find-box.module.css';

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
  const [draft, setDraft] = useState(find);
  const box = useRef<HTMLInputElement>(null);
  // What was typed comes back a moment later, when there may be more letters: only news from elsewhere replaces them.
  const told = useRef<string[]>([]);
  const later = useDebouncedCallback((text: string) => {
    told.current.push(text);
    onFind(text);
  }, FIND_AFTER_MS);
  useEffect(() => {
    const at = told.current.indexOf(find);
    told.current = at === -1 ? [] : told.current.slice(at + 1);
    if (at === -1) setDraft(find);
  }, [find]);
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
      onBlur={() => later.flush()}
      onChange={(event) => {
        setDraft(event.currentTarget.value);
        later(event.currentTarget.value);
      }}
    />
  );
}
