import { type KeyboardEvent, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import { lazyPart } from '../lib/lazy-part.tsx';
import type { Cursor, QueryBoxProps, QueryEditorProps } from './query-box-props.ts';
import classes from './query-editor.module.css';

/** A quarter of all code of the search page, so it comes after the first paint. */
const QueryBox = lazyPart<QueryBoxProps>(async () => (await import('./rich-boxes.ts')).RichQueryBox, {
  Meanwhile: PlainQueryBox,
  isOptional: true,
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
