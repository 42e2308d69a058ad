import { Button, TextInput } from '@mantine/core';
import type { Stream } from '@millrace/contract';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useQuestionFocus } from '../../components/use-question-focus.ts';
import { useCloneStream } from './queries.ts';
import classes from './streams.module.css';
import { texts } from './texts.ts';

/** Asks for the title of the copy, in place. */
export function CloneForm({ stream, onCancel }: { readonly stream: Stream; readonly onCancel: () => void }) {
  const [title, setTitle] = useState(texts.copyOf(stream.title));
  const clone = useCloneStream();
  const form = useRef<HTMLFormElement>(null);
  useQuestionFocus(form, { isWanted: true, isBusy: clone.isPending });
  const navigate = useNavigate();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    clone.mutate(
      { stream, title: title.trim() },
      {
        onSuccess: ({ stream_id: id }) => void navigate({ to: '/streams/$id/rules', params: { id } }),
      },
    );
  };
  return (
    <form
      ref={form}
      className={classes.cloneForm}
      onSubmit={submit}
      onKeyDown={(event) => event.key === 'Escape' && onCancel()}
    >
      <TextInput
        label={texts.cloneTitle}
        description={texts.cloneHelp}
        value={title}
        maxLength={200}
        data-first
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      {clone.error !== null && <ErrorNotice error={clone.error} />}
      <div className={classes.buttons}>
        <Button type="submit" variant="filled" disabled={title.trim() === ''} loading={clone.isPending}>
          {texts.clone}
        </Button>
        <Button onClick={onCancel}>{texts.cancel}</Button>
      </div>
    </form>
  );
}
