import { Button, SegmentedControl } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useRef } from 'react';
import { newRule, type RuleDraft, type RulesDraft } from './rule-draft.ts';
import { RuleRow } from './rule-row.tsx';
import classes from './rules.module.css';
import { ruleTexts } from './texts.ts';

export interface RuleEditorProps {
  readonly draft: RulesDraft;
  readonly onChange: (draft: RulesDraft) => void;
  /** How many messages of the preview each rule matches, by its key. */
  readonly matched: ReadonlyMap<string, number>;
  readonly lookedAt: number;
  /** What is wrong with a rule, by its key and the property. */
  readonly problems: ReadonlyMap<string, string>;
  readonly isReadOnly?: boolean;
}

/** Which messages are in the stream. Every rule is edited where it stands. */
export function RuleEditor(props: RuleEditorProps) {
  const { draft, onChange, matched, lookedAt, problems, isReadOnly = false } = props;
  const list = useRef<HTMLUListElement>(null);
  const { rules, matchingType } = draft;
  const change = (rule: RuleDraft) =>
    onChange({ ...draft, rules: rules.map((old) => (old.key === rule.key ? rule : old)) });
  const remove = (key: string) => onChange({ ...draft, rules: rules.filter((rule) => rule.key !== key) });
  const add = () => {
    onChange({ ...draft, rules: [...rules, newRule()] });
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('li:last-child input')?.focus());
  };
  return (
    <section className={classes.editor} aria-labelledby="rules-heading">
      <div className={classes.matching}>
        <h2 id="rules-heading">{ruleTexts.inWhen}</h2>
        <SegmentedControl
          aria-label={ruleTexts.inWhen}
          value={matchingType}
          onChange={(value) => onChange({ ...draft, matchingType: value === 'OR' ? 'OR' : 'AND' })}
          readOnly={isReadOnly}
          data={[
            { value: 'AND', label: ruleTexts.all },
            { value: 'OR', label: ruleTexts.any },
          ]}
        />
        <span>{ruleTexts.of}</span>
      </div>
      <ul ref={list} className={classes.rules}>
        {rules.map((rule) => (
          <RuleRow
            key={rule.key}
            rule={rule}
            onChange={change}
            onRemove={() => remove(rule.key)}
            matched={matched.get(rule.key)}
            lookedAt={lookedAt}
            fieldProblem={problems.get(`${rule.key}.field`)}
            valueProblem={problems.get(`${rule.key}.value`) ?? problems.get(`${rule.key}.type`)}
            isReadOnly={isReadOnly}
          />
        ))}
      </ul>
      {rules.length === 0 && <p className={classes.dim}>{ruleTexts.noRules}</p>}
      {!isReadOnly && (
        <Button className={classes.add} leftSection={<IconPlus size={16} />} onClick={add}>
          {ruleTexts.addRule}
        </Button>
      )}
    </section>
  );
}
