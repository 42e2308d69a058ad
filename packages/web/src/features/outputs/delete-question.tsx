import { ConfirmInline } from '../../components/confirm-inline.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { toast } from '../../components/toast.ts';
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
  const remove = useDeleteOutput();
  const confirm = () =>
    remove.mutate(output.id, {
      onSuccess: () => {
        toast(texts.deleted(output.title));
        onDone();
      },
    });
  return (
    <>
      <ConfirmInline
        question={texts.deleteQuestion(output.title, {
          queued,
          isStateKnown,
          streams: streams?.length,
          seesAll,
        })}
        action={texts.delete}
        {...((queued > 0 || !isStateKnown) && { typeToConfirm: output.title })}
        isBusy={remove.isPending}
        onConfirm={confirm}
        onCancel={onCancel}
      />
      {remove.error !== null && <ErrorNotice error={remove.error} />}
    </>
  );
}
