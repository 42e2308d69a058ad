import { Button } from '@mantine/core';
import type { Stream } from '@millrace/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Conflict, isConflict } from '../../components/conflict.tsx';
import { DeleteSection } from '../../components/delete-section.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { LeaveQuestion } from '../../components/leave-question.tsx';
import { toast } from '../../components/toast.ts';
import { ApiError } from '../../lib/api/index.ts';
import { DeleteQuestion } from './delete-question.tsx';
import { streamQuery, useUpdateStream } from './queries.ts';
import classes from './rules.module.css';
import { SaveError } from './save-error.tsx';
import { isSameSettings, MoreFields, type StreamSettings, TitleField } from './settings-fields.tsx';
import { useEditReason } from './stream-parts.tsx';
import { ruleTexts, texts } from './texts.ts';

const settingsOf = (stream: Stream): StreamSettings => ({
  title: stream.title,
  description: stream.description ?? '',
  indexSetId: stream.index_set_id,
  removeMatches: stream.remove_matches_from_default_stream,
});

export function SettingsTab({ stream }: { readonly stream: Stream }) {
  const [base, setBase] = useState(stream);
  const [values, setValues] = useState(() => settingsOf(stream));
  const reason = useEditReason(stream);
  const update = useUpdateStream(stream.id);
  const client = useQueryClient();
  const startOver = (from: Stream) => {
    setBase(from);
    setValues(settingsOf(from));
    update.reset();
  };
  const reload = async () => startOver(await client.fetchQuery({ ...streamQuery(stream.id), staleTime: 0 }));
  const save = (revision: string | undefined) => {
    const { title, description, indexSetId, removeMatches } = values;
    update.mutate(
      {
        title: title.trim(),
        description,
        index_set_id: indexSetId,
        remove_matches_from_default_stream: removeMatches,
        ...(revision === undefined ? {} : { revision }),
      },
      {
        onSuccess: (saved) => {
          toast(ruleTexts.saved(saved.title));
          startOver(saved);
        },
      },
    );
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (values.title.trim() !== '') save(base.revision);
  };
  const { error } = update;
  const fromServer =
    error instanceof ApiError ? error.problems.find(({ path }) => path === 'title')?.message : undefined;
  const fields = {
    values,
    onChange: setValues,
    // What is stored is shown then: nothing may be typed meanwhile.
    isReadOnly: reason !== undefined || update.isPending,
    titleProblem: values.title.trim() === '' ? texts.untitled : fromServer,
  };
  return (
    <>
      {reason !== undefined && <InlineNotice kind="info">{reason}</InlineNotice>}
      <form className={classes.form} onSubmit={submit}>
        <LeaveQuestion
          isUnsaved={!isSameSettings(values, settingsOf(base)) && !update.isPending}
          what={ruleTexts.unsavedSettings}
        />
        <TitleField {...fields} />
        <MoreFields {...fields} />
        {isConflict(error) ? (
          <Conflict what="stream" onReload={reload} onOverwrite={() => save(undefined)} />
        ) : (
          <SaveError error={error} />
        )}
        {reason === undefined && (
          <div className={classes.buttons}>
            <Button type="submit" variant="filled" loading={update.isPending}>
              {ruleTexts.save}
            </Button>
          </div>
        )}
      </form>
      {reason === undefined && <DeleteStream stream={stream} />}
    </>
  );
}

function DeleteStream({ stream }: { readonly stream: Stream }) {
  const navigate = useNavigate();
  return (
    <DeleteSection heading={ruleTexts.deleteHeading} label={texts.delete} reason={undefined}>
      {(close) => (
        <DeleteQuestion
          stream={stream}
          onDone={() => void navigate({ to: '/streams', replace: true, ignoreBlocker: true })}
          onCancel={close}
        />
      )}
    </DeleteSection>
  );
}
