import type { PipelineRuleView } from '@millrace/contract';
import { ConfirmInline } from '../../../components/confirm-inline.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { toast } from '../../../components/toast.ts';
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
  const remove = useDeleteRule();
  const confirm = () =>
    remove.mutate(id ?? '', {
      onSuccess: () => {
        toast(ruleTexts.deleted(title));
        onDone();
      },
    });
  return (
    <>
      <ConfirmInline
        question={ruleTexts.deleteQuestion(
          title,
          used.map((pipeline) => pipeline.title),
        )}
        action={texts.delete}
        isBusy={remove.isPending}
        onConfirm={confirm}
        onCancel={onCancel}
      />
      {remove.error !== null && <ErrorNotice error={remove.error} />}
    </>
  );
}
