import { ActionIcon, Select, Tooltip } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { describeRule, RULE, type RuleKind, ruleKind } from '../../lib/stream-rules/index.ts';
import { FieldBox, InputBox, ValueBox } from './rule-boxes.tsx';
import type { RuleDraft } from './rule-draft.ts';
import classes from './rules.module.css';
import { ruleTexts } from './texts.ts';
import { useRuleKinds } from './use-rule-kinds.ts';

export interface RuleRowProps {
  readonly rule: RuleDraft;
  readonly onChange: (rule: RuleDraft) => void;
  readonly onRemove: () => void;
  /** Undefined while it is not known. */
  readonly matched: number | undefined;
  readonly lookedAt: number;
  readonly fieldProblem: string | undefined;
  readonly valueProblem: string | undefined;
  readonly isReadOnly: boolean;
}

/** A condition and its negation are two choices, so that a rule reads as a sentence. */
function choicesOf(kinds: readonly RuleKind[]) {
  return kinds.flatMap(({ type, verb, notVerb }) => [
    { value: `${type}`, label: verb },
    ...(type === RULE.always ? [] : [{ value: `${type}!`, label: notVerb }]),
  ]);
}

export function RuleRow(props: RuleRowProps) {
  const { rule, onChange, onRemove, matched, lookedAt, fieldProblem, valueProblem, isReadOnly } = props;
  const kinds = useRuleKinds();
  const kind = kinds.find(({ type }) => type === rule.type) ?? ruleKind(rule.type);
  const { hasField, hasValue } = kind;
  const choice = `${rule.type}${rule.inverted ? '!' : ''}`;
  return (
    <li className={classes.rule}>
      {hasField && (
        <FieldBox
          value={rule.field}
          problem={fieldProblem}
          isReadOnly={isReadOnly}
          onChange={(field) => onChange({ ...rule, field })}
        />
      )}
      <Select
        aria-label={ruleTexts.condition}
        className={classes.condition}
        data={choicesOf(kinds.includes(kind) ? kinds : [...kinds, kind])}
        value={choice}
        readOnly={isReadOnly}
        searchable={false}
        maxDropdownHeight={420}
        onChange={(next) =>
          onChange({
            ...rule,
            type: Number.parseInt(next ?? '', 10) || RULE.exact,
            inverted: next?.endsWith('!') ?? false,
          })
        }
      />
      {hasValue && rule.type === RULE.input && (
        <InputBox
          value={rule.value}
          problem={valueProblem}
          isReadOnly={isReadOnly}
          onChange={(value) => onChange({ ...rule, value })}
        />
      )}
      {hasValue && rule.type !== RULE.input && (
        <ValueBox
          field={rule.field}
          type={rule.type}
          value={rule.value}
          problem={valueProblem}
          isReadOnly={isReadOnly}
          onChange={(value) => onChange({ ...rule, value })}
        />
      )}
      <span className={classes.share}>
        {matched !== undefined && lookedAt > 0 && (
          <Tooltip label={ruleTexts.shareOf(matched, lookedAt)}>
            <span>{ruleTexts.share(matched, lookedAt)}</span>
          </Tooltip>
        )}
      </span>
      {!isReadOnly && (
        <ActionIcon aria-label={ruleTexts.removeRule(describeRule(rule))} onClick={onRemove}>
          <IconX size={16} />
        </ActionIcon>
      )}
    </li>
  );
}
