import { ConfirmDeletion } from '../../components/confirm-deletion.tsx';
import type { ListedOutput } from './listed-outputs.ts';
import { useDeleteOutput, useSeesAllStreams } from './queries.ts';
import { texts } from './texts.ts';

export interface DeleteQuestionProps {
  readonly row: ListedOutput;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** Says what is lost, then deletes. Where messages are lost with it, or may be, its title has to be typed. */
export function DeleteQuestion({ row, onDone, onCancel }: DeleteQuestionProps) {
  const { output, combined, isStateKnown, streams } = row;
  const { queued } = combined;
  const seesAll = useSeesAllStreams();
  return (
    <ConfirmDeletion
      question={texts.deleteQuestion(output.title, {
        queued,
        isStateKnown,
        streams: streams?.length,
        seesAll,
      })}
      action={texts.delete}
      {...((queued > 0 || !isStateKnown) && { typeToConfirm: output.title })}
      remove={useDeleteOutput()}
      id={output.id}
      deleted={texts.deleted(output.title)}
      onDone={onDone}
      onCancel={onCancel}
    />
  );
}
