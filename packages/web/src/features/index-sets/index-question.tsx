import { Button } from '@mantine/core';
import type { IndexSetView } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { ConfirmInline } from '../../components/confirm-inline.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { toast } from '../../components/toast.ts';
import type { IndexQuestionKind, IndexRow } from './index-row.ts';
import { outlookQuery, useIndexAction, useRotate } from './queries.ts';
import { texts } from './texts.ts';
import { effectSentence } from './words.ts';

interface IndexQuestionProps {
  readonly set: IndexSetView;
  readonly index: IndexRow;
  readonly kind: IndexQuestionKind;
  readonly onDone: () => void;
}

/** Says what happens before it happens. */
export function IndexQuestion({ kind, ...props }: IndexQuestionProps) {
  if (kind === 'rotate') return <RotateQuestion {...props} />;
  return <StateQuestion {...props} action={kind} />;
}

/** With one index more the retention may have something to delete. */
function RotateQuestion({ set, index, onDone }: Omit<IndexQuestionProps, 'kind'>) {
  const {
    data: outlook,
    error,
    refetch,
  } = useQuery({
    ...outlookQuery(set.id, { after_rotation: true }),
    staleTime: 0,
  });
  const rotate = useRotate();
  const effect = outlook === undefined ? undefined : effectSentence(outlook);
  // Nobody rotates without knowing what it deletes.
  if (error !== null) {
    return (
      <>
        <ErrorNotice error={error} onRetry={() => void refetch()} />
        <Button onClick={onDone}>{texts.cancel}</Button>
      </>
    );
  }
  return (
    <>
      <ConfirmInline
        question={
          <>
            {texts.rotateQuestion(index.name)} {effect !== undefined && <strong>{effect}</strong>}
          </>
        }
        action={texts.rotate}
        isBusy={rotate.isPending || outlook === undefined}
        onConfirm={() =>
          rotate.mutate(set.id, {
            onSuccess: () => {
              toast(texts.rotated(set.title));
              onDone();
            },
          })
        }
        onCancel={onDone}
      />
      {rotate.error !== null && <ErrorNotice error={rotate.error} />}
    </>
  );
}

interface StateQuestionProps extends Omit<IndexQuestionProps, 'kind'> {
  readonly action: 'close' | 'reopen' | 'delete';
}

function StateQuestion({ index, action, onDone }: StateQuestionProps) {
  const change = useIndexAction();
  const { name, size } = index;
  const question = {
    close: texts.closeQuestion(name, size?.events ?? 0),
    reopen: texts.reopenQuestion(name),
    delete: texts.deleteQuestion(name, size?.events),
  }[action];
  const done = {
    close: texts.closedDone(name),
    reopen: texts.reopenedDone(name),
    delete: texts.deletedDone(name),
  }[action];
  return (
    <>
      <ConfirmInline
        question={question}
        action={{ close: texts.close, reopen: texts.reopen, delete: texts.delete }[action]}
        {...(action === 'delete' && { typeToConfirm: name })}
        isBusy={change.isPending}
        onConfirm={() =>
          change.mutate(
            { index: name, action },
            {
              onSuccess: () => {
                toast(done);
                onDone();
              },
            },
          )
        }
        onCancel={onDone}
      />
      {change.error !== null && <ErrorNotice error={change.error} />}
    </>
  );
}
