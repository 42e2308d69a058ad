import type { Stream } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { ConfirmInline } from '../../components/confirm-inline.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { toast } from '../../components/toast.ts';
import { storedCountQuery, useDeleteStream } from './queries.ts';
import { texts } from './texts.ts';

export interface DeleteQuestionProps {
  readonly stream: Stream;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** Says what is lost and what stays, then deletes. */
export function DeleteQuestion({ stream, onDone, onCancel }: DeleteQuestionProps) {
  const { data: stored } = useQuery(storedCountQuery(stream.id));
  const remove = useDeleteStream();
  const { title, rules, alert_conditions, remove_matches_from_default_stream: isRemoving } = stream;
  const confirm = () =>
    remove.mutate(stream.id, {
      onSuccess: () => {
        toast(texts.deleted(title));
        onDone();
      },
    });
  return (
    <>
      <ConfirmInline
        question={
          <>
            {texts.deleteQuestion(title, rules.length, alert_conditions.length)}{' '}
            {stored !== undefined && texts.deleteStored(stored, isRemoving)}
          </>
        }
        action={texts.delete}
        isBusy={remove.isPending}
        onConfirm={confirm}
        onCancel={onCancel}
      />
      {remove.error !== null && <ErrorNotice error={remove.error} />}
    </>
  );
}
