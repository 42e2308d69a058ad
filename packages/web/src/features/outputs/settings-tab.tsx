import { TextInput } from '@mantine/core';
import type { Output, OutputTypeView } from '@millrace/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { DeleteSection } from '../../components/delete-section.tsx';
import { usePermissionReason } from '../../components/disabled.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { SchemaForm } from '../../components/schema-form.tsx';
import { toast } from '../../components/toast.ts';
import { type FormValues, fieldsFromConfiguration } from '../../lib/forms/index.ts';
import { outputTypesQuery } from '../../lib/outputs/index.ts';
import { DeleteQuestion } from './delete-question.tsx';
import type { ListedOutput } from './listed-outputs.ts';
import classes from './outputs.module.css';
import { outputQuery, useChangeOutput } from './queries.ts';
import { formTexts, texts } from './texts.ts';

const MAX_TITLE_LENGTH = 200;

export function SettingsTab({ row }: { readonly row: ListedOutput }) {
  const { output } = row;
  const { data: types } = useQuery(outputTypesQuery);
  const type = types?.[output.type];
  const reason = usePermissionReason('outputs:edit', output.id, texts.thisOutput);
  // Another form begins with what was saved, even if that is the same as before, and with what others have saved.
  const [base, setBase] = useState({ output, round: 0 });
  return (
    <>
      {reason !== undefined && <InlineNotice kind="info">{reason}</InlineNotice>}
      {types !== undefined && type === undefined && (
        <InlineNotice kind="warn">{formTexts.unknownType(output.type)}</InlineNotice>
      )}
      {reason === undefined && type !== undefined && (
        <SettingsForm
          key={base.round}
          output={base.output}
          isAgain={base.round > 0}
          type={type}
          onOutput={(now) => setBase(({ round }) => ({ output: now, round: round + 1 }))}
        />
      )}
      <DeleteOutput row={row} />
    </>
  );
}

interface SettingsFormProps {
  readonly output: Output;
  /** It was saved, or read again. */
  readonly isAgain: boolean;
  readonly type: OutputTypeView;
  readonly onOutput: (output: Output) => void;
}

function SettingsForm({ output, isAgain, type, onOutput }: SettingsFormProps) {
  const client = useQueryClient();
  const [title, setTitle] = useState(output.title);
  const [isTried, setTried] = useState(false);
  const change = useChangeOutput(output.id);
  const fields = useMemo(() => fieldsFromConfiguration(type.requested_configuration), [type]);
  const reload = async () => onOutput(await client.fetchQuery({ ...outputQuery(output.id), staleTime: 0 }));
  const save = (configuration: FormValues, revision: string | undefined) => {
    setTried(true);
    if (title.trim() === '') return;
    change.mutate(
      { title: title.trim(), configuration: { ...configuration }, revision },
      {
        onSuccess: (saved) => {
          toast(formTexts.saved(saved.title));
          onOutput(saved);
        },
      },
    );
  };
  return (
    <>
      <p className={classes.quiet}>{formTexts.queued}</p>
      <SchemaForm
        fields={fields}
        stored={output.effective_configuration}
        submitLabel={formTexts.save}
        isBusy={change.isPending}
        isAgain={isAgain}
        leave={{
          what: formTexts.unsaved,
          isChanged: title !== output.title,
          isSaved: change.isSuccess,
        }}
        error={change.error}
        conflict={{ what: 'output', onReload: reload, onOverwrite: (values) => save(values, undefined) }}
        onSubmit={(configuration) => save(configuration, output.revision)}
      >
        <TextInput
          label={formTexts.title}
          value={title}
          maxLength={MAX_TITLE_LENGTH}
          error={isTried && title.trim() === '' ? formTexts.untitled : undefined}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
      </SchemaForm>
    </>
  );
}

function DeleteOutput({ row }: { readonly row: ListedOutput }) {
  const navigate = useNavigate();
  const reason = usePermissionReason('outputs:terminate', row.output.id, texts.thisOutput);
  return (
    <DeleteSection heading={texts.deleteHeading} label={texts.delete} reason={reason}>
      {(close) => (
        <DeleteQuestion
          row={row}
          onDone={() => void navigate({ to: '/outputs', replace: true, ignoreBlocker: true })}
          onCancel={close}
        />
      )}
    </DeleteSection>
  );
}
