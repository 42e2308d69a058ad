import type { QueryProblem } from '@millrace/query';
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import classes from './query-editor.module.css';
import { createQueryView, type QueryView, type Suggestion } from './query-editor-view.ts';

export interface QueryEditorHandle {
  readonly focus: () => void;
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
  /** What could stand at the cursor. */
  readonly complete: (text: string, cursor: number, signal: AbortSignal) => Promise<readonly Suggestion[]>;
  readonly problems: readonly QueryProblem[];
  /** Id of the element that explains the query or says what is wrong with it. */
  readonly describedBy: string;
  readonly ref?: Ref<QueryEditorHandle>;
}

/** The query box: one line that grows, with colours, suggestions, and lines under what is wrong. */
export function QueryEditor(props: QueryEditorProps) {
  const { label, placeholder, value, problems, describedBy, ref } = props;
  const frame = useRef<HTMLDivElement>(null);
  const view = useRef<QueryView>(undefined);
  const latest = useRef(props);
  latest.current = props;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is made once and told of changes below
  useEffect(() => {
    const parent = frame.current;
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
      complete: (text, cursor, signal) => latest.current.complete(text, cursor, signal),
    });
    view.current = created;
    return () => {
      view.current = undefined;
      created.destroy();
    };
  }, []);
  useEffect(() => view.current?.setText(value), [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed text takes the lines away
  useEffect(() => view.current?.setProblems(problems), [problems, value]);
  useImperativeHandle(ref, () => ({ focus: () => view.current?.focus() }), []);

  return <div ref={frame} className={classes.frame} />;
}
