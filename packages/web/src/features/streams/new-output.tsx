import { Select, TextInput } from '@mantine/core';
import type { Stream } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { SchemaForm } from '../../components/schema-form.tsx';
import { fieldsFromConfiguration } from '../../lib/forms/index.ts';
import { outputTypesQuery, useCreateAttachedOutput } from '../../lib/outputs/index.ts';
import { outputTexts as texts } from './alert-texts.ts';
import classes from './tabs.module.css';

/** Makes an output and sends the messages of the stream there. */
export function NewOutput({ stream, onDone }: { readonly stream: Stream; readonly onDone: () => void }) {
  const { data: types = {}, error, refetch } = useQuery(outputTypesQuery);
  const [chosen, setChosen] = useState<string | null>(null);
  const [title, setTitle] = useState('');
  const [isTried, setTried] = useState(false);
  const create = useCreateAttachedOutput(stream.id);
  const typeId = chosen ?? Object.keys(types)[0];
  const type = typeId === undefined ? undefined : types[typeId];
  const fields = useMemo(
    () => (type === undefined ? [] : fieldsFromConfiguration(type.requested_configuration)),
    [type],
  );
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (type === undefined) return null;
  const isUntitled = title.trim() === '';
  return (
    <section className={classes.form} aria-label={texts.newOutput}>
      <h2>{texts.newOutput}</h2>
      <Select
        label={texts.type}
        description={type.description}
        data={Object.values(types).map(({ type: value, human_name: label }) => ({ value, label }))}
        value={type.type}
        onChange={setChosen}
      />
      <TextInput
        label={texts.title}
        value={title}
        error={isTried && isUntitled ? texts.untitled : undefined}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <SchemaForm
        type={type.type}
        fields={fields}
        submitLabel={texts.create}
        isBusy={create.isPending}
        error={create.error}
        leave={{ what: texts.unsaved, isChanged: title !== '', isSaved: create.isSuccess }}
        onCancel={onDone}
        onSubmit={(configuration) => {
          setTried(true);
          if (isUntitled) return;
          create.mutate(
            { title: title.trim(), type: type.type, configuration: { ...configuration } },
            { onSuccess: onDone },
          );
        }}
      />
    </section>
  );
}
