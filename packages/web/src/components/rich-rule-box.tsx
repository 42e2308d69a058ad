import { useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import queryClasses from './query-editor.module.css';
import type { RuleBoxProps } from './rule-box-props.ts';
import { createRuleView, type RuleView } from './rule-editor-view.ts';

/** The editor with colours, suggestions, and lines under what is wrong. */
export function RichRuleBox(props: RuleBoxProps) {
  const { label, value, problems, isReadOnly = false, describedBy, ref } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<RuleView>(undefined);
  const latest = useRef(props);
  latest.current = props;

  // biome-ignore lint/correctness/useExhaustiveDependencies: made anew only when it becomes writable; told of changes below
  useLayoutEffect(() => {
    const parent = place.current;
    if (parent === null) return;
    const created = createRuleView(parent, {
      label,
      describedBy,
      isReadOnly,
      text: latest.current.value,
      onChange: (text) => latest.current.onChange(text),
      words: () => latest.current.words,
    });
    view.current = created;
    return () => {
      view.current = undefined;
      created.destroy();
    };
  }, [isReadOnly]);
  useEffect(() => view.current?.setText(value), [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed text takes the lines away
  useEffect(() => view.current?.setProblems(problems), [problems, value]);
  useImperativeHandle(ref, () => ({ goTo: (position) => view.current?.goTo(position) }), []);

  return <div ref={place} className={queryClasses.frame} />;
}
