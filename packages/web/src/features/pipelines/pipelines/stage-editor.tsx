import { Button, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { InlineNotice } from '../../../components/inline-notice.tsx';
import {
  type DraftStage,
  hasComments,
  nextStageNumber,
  type PipelineDraft,
  printPipeline,
  readPipeline,
} from '../../../lib/rule-language/index.ts';
import classes from '../pipelines.module.css';
import { useRuleIds } from '../queries.ts';
import { pipelineTexts } from '../texts.ts';
import { StageCard } from './stage-card.tsx';

const MAX_NAME_LENGTH = 500;

export interface StageEditorProps {
  readonly source: string;
  readonly onChange: (source: string) => void;
  readonly isReadOnly: boolean;
}

/** A pipeline as a form: its name, and its stages one after the other. */
export function StageEditor({ source, onChange, isReadOnly }: StageEditorProps) {
  const draft = readPipeline(source);
  const ruleIds = useRuleIds(draft?.stages.flatMap(({ rules }) => rules) ?? []);
  if (draft === undefined) return <InlineNotice kind="warn">{pipelineTexts.mendFirst}</InlineNotice>;
  const { name, stages } = draft;
  const change = (next: Partial<PipelineDraft>) => onChange(printPipeline({ ...draft, ...next }));
  const changeStage = (at: number, next: DraftStage | undefined) =>
    change({ stages: stages.flatMap((stage, place) => (place === at ? (next ?? []) : stage)) });
  return (
    <>
      {hasComments(source) && !isReadOnly && (
        <InlineNotice kind="info">{pipelineTexts.commentsAreLost}</InlineNotice>
      )}
      <TextInput
        label={pipelineTexts.name}
        value={name}
        maxLength={MAX_NAME_LENGTH}
        readOnly={isReadOnly}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <ol className={classes.stages}>
        {stages.map((stage, at) => (
          <StageCard
            // A stage keeps its controls while its number is changed.
            // biome-ignore lint/suspicious/noArrayIndexKey: places are what stays
            key={at}
            stage={stage}
            isLast={at === stages.length - 1}
            taken={stages.filter((other) => other !== stage).map(({ number }) => number)}
            ruleIds={ruleIds}
            isReadOnly={isReadOnly}
            onChange={(next) => changeStage(at, next)}
            onRemove={stages.length > 1 ? () => changeStage(at, undefined) : undefined}
          />
        ))}
      </ol>
      {!isReadOnly && (
        <Button
          className={classes.start}
          leftSection={<IconPlus size={16} />}
          onClick={() =>
            change({ stages: [...stages, { number: nextStageNumber(stages), match: 'either', rules: [] }] })
          }
        >
          {pipelineTexts.addStage}
        </Button>
      )}
    </>
  );
}
