import { ActionIcon, NumberInput, Select, Tooltip } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconTrash, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { FoundSelect } from '../../../components/found-select.tsx';
import type { DraftStage } from '../../../lib/rule-language/index.ts';
import classes from '../pipelines.module.css';
import { ruleSource } from '../queries.ts';
import { pipelineTexts } from '../texts.ts';

/** What the language allows. */
const STAGE_LIMIT = 2_147_483_647;
const MATCHES = ['all', 'either', 'pass'] as const;

export interface StageCardProps {
  readonly stage: DraftStage;
  /** Nothing follows it, so it does not matter when it goes on. */
  readonly isLast: boolean;
  /** Numbers of the other stages. */
  readonly taken: readonly number[];
  /** By title; null for one that does not exist. */
  readonly ruleIds: Readonly<Record<string, string | null>>;
  readonly isReadOnly: boolean;
  readonly onChange: (stage: DraftStage) => void;
  readonly onRemove: (() => void) | undefined;
}

/** One stage: its number, its rules in their order, and when the pipeline goes on after it. */
export function StageCard(props: StageCardProps) {
  const { stage, isLast, taken, ruleIds, isReadOnly, onChange, onRemove } = props;
  const { number, match } = stage;
  return (
    <li className={classes.card}>
      <div className={classes.stageHead}>
        <StageNumber
          number={number}
          taken={taken}
          isReadOnly={isReadOnly}
          onChange={(next) => onChange({ ...stage, number: next })}
        />
        <Select
          label={isLast ? pipelineTexts.goOnLast : pipelineTexts.goOn}
          className={classes.match}
          data={MATCHES.map((value) => ({ value, label: pipelineTexts.match[value] }))}
          value={match}
          allowDeselect={false}
          readOnly={isReadOnly}
          onChange={(value) =>
            onChange({ ...stage, match: MATCHES.find((known) => known === value) ?? match })
          }
        />
        {!isReadOnly && onRemove !== undefined && (
          <Tooltip label={pipelineTexts.removeStage(number)}>
            <ActionIcon
              className={classes.removeStage}
              aria-label={pipelineTexts.removeStage(number)}
              onClick={onRemove}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      <StageRules stage={stage} ruleIds={ruleIds} isReadOnly={isReadOnly} onChange={onChange} />
      {!isReadOnly && (
        <FoundSelect
          aria-label={pipelineTexts.addRule(number)}
          placeholder={pipelineTexts.addRuleHint}
          source={ruleSource}
          without={stage.rules}
          value={null}
          valueLabel={undefined}
          nothingFoundMessage={pipelineTexts.noSuchRule}
          onChange={(title) => title !== null && onChange({ ...stage, rules: [...stage.rules, title] })}
        />
      )}
    </li>
  );
}

interface StageNumberProps extends Pick<StageCardProps, 'taken' | 'isReadOnly'> {
  readonly number: number;
  readonly onChange: (number: number) => void;
}

/** Stages stand in the order of their numbers. One whose number is half typed would leave the box it is typed in. */
function StageNumber({ number, taken, isReadOnly, onChange }: StageNumberProps) {
  const [typed, setTyped] = useState<number | string>();
  // Digits behind a zero are a text.
  const wanted = typed === undefined || typed === '' ? number : Number(typed);
  const isTaken = taken.includes(wanted);
  const finish = () => {
    if (!isTaken && wanted !== number) onChange(wanted);
    setTyped(undefined);
  };
  return (
    <NumberInput
      label={pipelineTexts.stageNumber}
      className={classes.stageNumber}
      value={typed ?? number}
      min={0}
      max={STAGE_LIMIT}
      clampBehavior="strict"
      allowNegative={false}
      allowDecimal={false}
      readOnly={isReadOnly}
      error={isTaken ? pipelineTexts.numberTaken : undefined}
      onChange={setTyped}
      onBlur={finish}
      onKeyDown={(event) => isDone(event) && event.currentTarget.blur()}
    />
  );
}

/** Ctrl+S stores what stands in the box, too. */
function isDone({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === 'Enter' || (key.toLowerCase() === 's' && (ctrlKey || metaKey));
}

function StageRules({
  stage,
  ruleIds,
  isReadOnly,
  onChange,
}: Pick<StageCardProps, 'stage' | 'ruleIds' | 'isReadOnly' | 'onChange'>) {
  const set = (next: readonly string[]) => onChange({ ...stage, rules: next });
  const swap = (at: number) =>
    set(stage.rules.toSpliced(at, 2, stage.rules[at + 1] ?? '', stage.rules[at] ?? ''));
  if (stage.rules.length === 0) return <p className={classes.quiet}>{pipelineTexts.noRules}</p>;
  return (
    <ol className={classes.stageRules}>
      {stage.rules.map((title, at) => {
        const ruleId = ruleIds[title] ?? undefined;
        return (
          <li key={title}>
            {ruleId === undefined ? (
              <span className={classes.unknown}>
                <bdi>{title}</bdi>{' '}
                {ruleIds[title] === null && (
                  <span className={classes.failure}>{pipelineTexts.unknownRule}</span>
                )}
              </span>
            ) : (
              <Link
                to="/pipelines/rules/$id"
                params={{ id: ruleId }}
                className={classes.ruleName}
                title={title}
              >
                <bdi>{title}</bdi>
              </Link>
            )}
            {!isReadOnly && (
              <>
                <Tool label={pipelineTexts.up(title)} isOff={at === 0} onClick={() => swap(at - 1)}>
                  <IconArrowUp size={14} />
                </Tool>
                <Tool
                  label={pipelineTexts.down(title)}
                  isOff={at === stage.rules.length - 1}
                  onClick={() => swap(at)}
                >
                  <IconArrowDown size={14} />
                </Tool>
                <Tool
                  label={pipelineTexts.removeRule(title)}
                  onClick={() => set(stage.rules.toSpliced(at, 1))}
                >
                  <IconX size={14} />
                </Tool>
              </>
            )}
          </li>
        );
      })}
    </ol>
  );
}

interface ToolProps {
  readonly label: string;
  readonly isOff?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function Tool({ label, isOff = false, onClick, children }: ToolProps) {
  return (
    <ActionIcon size={24} aria-label={label} title={label} disabled={isOff} onClick={onClick}>
      {children}
    </ActionIcon>
  );
}
