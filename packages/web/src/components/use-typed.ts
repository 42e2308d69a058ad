import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

export interface Typed {
  readonly draft: string;
  readonly type: (text: string) => void;
  /** Tells what was typed at once. */
  readonly flush: () => void;
}

/** The text of a box that tells what was typed a moment after the last letter. */
export function useTyped(value: string, onChange: (text: string) => void, afterMs: number): Typed {
  const [draft, setDraft] = useState(value);
  // What was typed comes back a moment later, when there may be more letters: only news from elsewhere replaces them.
  const told = useRef<string[]>([]);
  const later = useDebouncedCallback((text: string) => {
    told.current.push(text);
    onChange(text);
  }, afterMs);
  useEffect(() => {
    const at = told.current.indexOf(value);
    told.current = at === -1 ? [] : told.current.slice(at + 1);
    if (at === -1) setDraft(value);
  }, [value]);
  const type = (text: string) => {
    setDraft(text);
    later(text);
  };
  return { draft, type, flush: () => later.flush() };
}
