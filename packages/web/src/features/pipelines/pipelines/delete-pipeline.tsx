import type { PipelineView } from '@millrace/contract';
import { ConfirmDeletion } from '../../../components/confirm-deletion.tsx';
import { useDeletePipeline } from '../queries.ts';
import { pipelineTexts, texts } from '../texts.ts';
import { useSeesAllStreams, useStreamsOf } from './connections.ts';

export interface DeletePipelineQuestionProps {
  readonly pipeline: PipelineView;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** Names the streams whose messages it no longer changes, then deletes it. */
export function DeletePipelineQuestion({ pipeline, onDone, onCancel }: DeletePipelineQuestionProps) {
  const { id, title } = pipeline;
  const seesAll = useSeesAllStreams();
  const streams = useStreamsOf(id ?? '') ?? [];
  return (
    <ConfirmDeletion
      question={pipelineTexts.deleteQuestion(
        title,
        streams.map((stream) => stream.title),
        seesAll,
      )}
      action={texts.delete}
      remove={useDeletePipeline()}
      id={id ?? ''}
      deleted={pipelineTexts.deleted(title)}
      onDone={onDone}
      onCancel={onCancel}
    />
  );
}
