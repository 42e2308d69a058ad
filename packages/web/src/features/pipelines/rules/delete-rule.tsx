import type { PipelineRuleView } from '@millrace/contract';
import { ConfirmDeletion } from '../../../components/confirm-deletion.tsx';
import { useCan } from '../../../lib/account/index.ts';
import { useDeleteRule } from '../queries.ts';
import { ruleTexts, texts } from '../texts.ts';

export interface DeleteRuleQuestionProps {
  readonly rule: PipelineRuleView;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** Names the pipelines that go on without the rule, then deletes it. */
export function DeleteRuleQuestion({ rule, onDone, onCancel }: DeleteRuleQuestionProps) {
  const { id, title, used_in_pipelines: used } = rule;
  return (
    <ConfirmDeletion
      question={ruleTexts.deleteQuestion(
        title,
        used.map((pipeline) => pipeline.title),
        useCan('pipeline:read'),
      )}
      action={texts.delete}
      remove={useDeleteRule()}
      id={id ?? ''}
      deleted={ruleTexts.deleted(title)}
      onDone={onDone}
      onCancel={onCancel}
    />
  );
}
