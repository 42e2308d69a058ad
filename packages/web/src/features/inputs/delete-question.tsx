import { ConfirmDeletion } from '../../components/confirm-deletion.tsx';
import type { ListedInput } from './listed-inputs.ts';
import { useDeleteInput } from './queries.ts';
import { texts } from './texts.ts';

export interface DeleteQuestionProps extends Pick<ListedInput, 'input' | 'address'> {
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** Says what is lost and what stays, then deletes. */
export function DeleteQuestion({ input, address, onDone, onCancel }: DeleteQuestionProps) {
  const { id, title, static_fields: fields } = input;
  return (
    <ConfirmDeletion
      question={texts.deleteQuestion(title, address, Object.keys(fields).length)}
      action={texts.delete}
      remove={useDeleteInput()}
      id={id}
      deleted={texts.deleted(title)}
      onDone={onDone}
      onCancel={onCancel}
    />
  );
}
