import type { PipelineView } from '@millrace/contract';
import { ConfirmInline } from '../../../components/confirm-inline.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { toast } from '../../../components/toast.ts';
import { useDeletePipeline } from '../queries.ts';
import { pipelineTexts, texts } from '../texts.ts';
import { useStreamsOf } from './connections.ts';

export interface DeletePipelineQuestionProps {
  readonly pipeline: PipelineView;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** Names the streams whose messages it no longer changes, then deletes it. */
export function DeletePipelineQuestion({ pipeline, onDone, onCancel }: DeletePipelineQuestionProps) {
  const { id, title } = pipeline;
  const streams = useStreamsOf(id ?? '') ?? [];
  const remove = useDeletePipeline();
  const confirm = () =>
    remove.mutate(id ?? '', {
      onSuccess: () => {
        toast(pipelineTexts.deleted(title));
        onDone();
      },
    });
  return (
    <>
      <ConfirmInline
        question={pipelineTexts.deleteQuestion(
          title,
          streams.map((stream) => stream.title),
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
