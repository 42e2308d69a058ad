import type { Stream } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { ConfirmDeletion } from '../../components/confirm-deletion.tsx';
import { streamChannelsQuery } from '../../lib/alerts/index.ts';
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
  const { data: channels } = useQuery(streamChannelsQuery(stream.id));
  const { id, title, rules, alert_conditions, remove_matches_from_default_stream: isRemoving } = stream;
  const parts = {
    rules: rules.length,
    conditions: alert_conditions.length,
    notifications: channels?.length ?? 0,
  };
  return (
    <ConfirmDeletion
      question={
        <>
          {texts.deleteQuestion(title, parts)}{' '}
          {stored !== undefined && texts.deleteStored(stored, isRemoving)}
        </>
      }
      action={texts.delete}
      remove={useDeleteStream()}
      id={id}
      deleted={texts.deleted(title)}
      onDone={onDone}
      onCancel={onCancel}
    />
  );
}
