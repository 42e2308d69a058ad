import { Button, Textarea } from '@mantine/core';
import { useId, useImperativeHandle, useRef } from 'react';
import { lazyPart } from '../lib/lazy-part.tsx';
import { withFix } from '../lib/rule-language/index.ts';
import type { RuleBoxHandle, RuleBoxProps } from './rule-box-props.ts';
import classes from './rule-editor.module.css';

const RuleBox = lazyPart<RuleBoxProps>(async () => (await import('./rich-boxes.ts')).RichRuleBox, {
  Meanwhile: PlainRuleBox,
  isOptional: true,
  isRare: true,
});

export type RuleEditorProps = Omit<RuleBoxProps, 'describedBy' | 'ref'>;

/** The source of a rule or a pipeline: colours, suggestions with their documentation, and what is wrong with it. */
export function RuleEditor(props: RuleEditorProps) {
  const { value, onChange, problems, isReadOnly = false } = props;
  const problemsId = useId();
  const box = useRef<RuleBoxHandle>(null);
  return (
    <div className={classes.editor}>
      <div className={classes.frame}>
        <RuleBox {...props} describedBy={problemsId} ref={box} />
      </div>
      <ul id={problemsId} className={classes.problems} aria-label="Problems" aria-live="polite">
        {problems.map(({ from, line, column, message, hint, fix }) => (
          <li key={`${from} ${message}`}>
            <button type="button" className={classes.place} onClick={() => box.current?.goTo(from)}>
              {`Line ${line}, column ${column}`}
            </button>
            <span>
              {message} {hint !== undefined && <span className={classes.hint}>{hint}</span>}
            </span>
            {fix !== undefined && !isReadOnly && (
              <Button size="xs" onClick={() => onChange(withFix(value, fix))}>
                Fix
              </Button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Types until the rich box is there. */
function PlainRuleBox({ label, value, onChange, isReadOnly = false, describedBy, ref }: RuleBoxProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(
    ref,
    () => ({
      goTo(position) {
        box.current?.focus();
        box.current?.setSelectionRange(position, position);
      },
    }),
    [],
  );
  return (
    <Textarea
      ref={box}
      aria-label={label}
      aria-describedby={describedBy}
      classNames={{ input: 'mono' }}
      autosize
      minRows={14}
      spellCheck={false}
      readOnly={isReadOnly}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
