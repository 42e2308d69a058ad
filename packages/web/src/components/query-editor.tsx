import type { QueryProblem } from '@millrace/query';
import { type KeyboardEvent, type Ref, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import { lazyPart } from '../lib/lazy-part.tsx';
import classes from './query-editor.module.css';

export interface QueryEditorHandle {
  readonly focus: () => void;
}

/** What could stand at the cursor. */
export interface Suggestion {
  readonly kind: 'field' | 'value' | 'operator';
  readonly text: string;
  readonly label: string;
  readonly detail: string;
  readonly from: number;
  readonly to: number;
}

export interface QueryEditorProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Enter: the text as it stands there. */
  readonly onRun: (text: string) => void;
  /** Down, when there is no suggestion to go to. */
  readonly onDown?: () => void;
  /** A pasted text that is no query was put in quotes: the whole text without them, and with them. */
  readonly onQuoted?: (before: string, after: string) => void;
  readonly complete: (text: string, cursor: number, signal: AbortSignal) => Promise<readonly Suggestion[]>;
  readonly problems: readonly QueryProblem[];
  /** Id of the element that explains the query or says what is wrong with it. */
  readonly describedBy: string;
  readonly ref?: Ref<QueryEditorHandle>;
}

/** Where the cursor was in the plain box, if it had the focus: the rich one goes on from there. */
export interface Cursor {
  readonly anchor: number;
  readonly head: number;
}

export interface QueryBoxProps extends QueryEditorProps {
  readonly cursor: { current: Cursor | undefined };
}

/** A quarter of all code of the search page, so it comes after the first paint. */
const QueryBox = lazyPart<QueryBoxProps>(async () => (await import('./rich-query-box.tsx')).RichQueryBox, {
  Meanwhile: PlainQueryBox,
});

/** The query box: one line that grows, with colours, suggestions, and lines under what is wrong. */
export function QueryEditor(props: QueryEditorProps) {
  const cursor = useRef<Cursor>(undefined);
  return (
    <div className={classes.frame}>
      <QueryBox {...props} cursor={cursor} />
    </div>
  );
}

/** Types, runs and opens what was used last, until the rich box is there. */
function PlainQueryBox(props: QueryBoxProps) {
  const { label, placeholder, value, onChange, onRun, onDown, describedBy, cursor, ref } = props;
  const box = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => ({ focus: () => box.current?.focus() }), []);
  useLayoutEffect(() => {
    const element = box.current;
    return () => {
      if (element === null || element !== document.activeElement) return;
      const { selectionStart, selectionEnd, selectionDirection } = element;
      cursor.current =
        selectionDirection === 'backward'
          ? { anchor: selectionEnd, head: selectionStart }
          : { anchor: selectionStart, head: selectionEnd };
    };
  }, [cursor]);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      onRun(event.currentTarget.value);
    }
    if (event.key === 'ArrowDown' && !event.currentTarget.value.includes('\n')) onDown?.();
    if (event.key === 'Escape') event.currentTarget.blur();
  };
  return (
    <textarea
      ref={box}
      className={classes.plain}
      rows={1}
      aria-label={label}
      aria-describedby={describedBy}
      placeholder={placeholder}
      spellCheck={false}
      autoCapitalize="off"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}
