import { useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import type { QueryBoxProps } from './query-box-props.ts';
import { createQueryView, type QueryView } from './query-editor-view.ts';

/** The query box with colours, suggestions, and lines under what is wrong. */
export function RichQueryBox(props: QueryBoxProps) {
  const { label, placeholder, value, problems, describedBy, cursor, ref } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<QueryView>(undefined);
  const latest = useRef(props);
  latest.current = props;

  // Before the next key, which must not fall between the boxes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is made once and told of changes below
  useLayoutEffect(() => {
    const parent = place.current;
    if (parent === null) return;
    const created = createQueryView(parent, {
      label,
      placeholder,
      describedBy,
      text: value,
      onChange: (text) => latest.current.onChange(text),
      onRun: (text) => latest.current.onRun(text),
      onDown: () => latest.current.onDown?.(),
      onQuoted: (before, after) => latest.current.onQuoted?.(before, after),
      complete: (text, at, signal) => latest.current.complete(text, at, signal),
    });
    view.current = created;
    if (cursor.current !== undefined) created.takeCursor(cursor.current);
    cursor.current = undefined;
    return () => {
      view.current = undefined;
      created.destroy();
    };
  }, []);
  useEffect(() => view.current?.setText(value), [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed text takes the lines away
  useEffect(() => view.current?.setProblems(problems), [problems, value]);
  useImperativeHandle(ref, () => ({ focus: () => view.current?.focus() }), []);

  return <div ref={place} />;
}
