import { ConfirmInline } from '../../components/confirm-inline.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { toast } from '../../components/toast.ts';
import type { ListedInput } from './listed-inputs.ts';
import { useDeleteInput } from './queries.ts';
import { texts } from './texts.ts';

export interface DeleteQuestionProps extends Pick<ListedInput, 'input' | 'address'> {
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** Says what is lost and what stays, then deletes. */
export function DeleteQuestion({ input, address, onDone, onCancel }: DeleteQuestionProps) {
  const remove = useDeleteInput();
  const confirm = () =>
    remove.mutate(input.id, {
      onSuccess: () => {
        toast(texts.deleted(input.title));
        onDone();
      },
    });
  return (
    <>
      <ConfirmInline
        question={texts.deleteQuestion(input.title, address, Object.keys(input.static_fields).length)}
        action={texts.delete}
        isBusy={remove.isPending}
        onConfirm={confirm}
        onCancel={onCancel}
      />
      {remove.error !== null && <ErrorNotice error={remove.error} />}
    </>
  );
}
