import type { UseMutationResult } from '@tanstack/react-query';
import { ConfirmInline, type ConfirmInlineProps } from './confirm-inline.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { toast } from './toast.ts';

export interface ConfirmDeletionProps
  extends Pick<ConfirmInlineProps, 'question' | 'action' | 'typeToConfirm' | 'onCancel'> {
  readonly remove: Pick<UseMutationResult<unknown, Error, string>, 'mutate' | 'isPending' | 'error'>;
  /** What is deleted, for the request. */
  readonly id: string;
  /** What is said when it is gone. */
  readonly deleted: string;
  readonly onDone: () => void;
}

/** Asks, deletes and says so, or why not. */
export function ConfirmDeletion({ remove, id, deleted, onDone, ...asked }: ConfirmDeletionProps) {
  const confirm = () =>
    remove.mutate(id, {
      onSuccess: () => {
        toast(deleted);
        onDone();
      },
    });
  return (
    <>
      <ConfirmInline {...asked} isBusy={remove.isPending} onConfirm={confirm} />
      {remove.error !== null && <ErrorNotice error={remove.error} />}
    </>
  );
}
