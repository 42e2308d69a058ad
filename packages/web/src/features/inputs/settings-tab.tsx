import type { Input, InputType } from '@millrace/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { DeleteSection } from '../../components/delete-section.tsx';
import { usePermissionReason } from '../../components/disabled.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { Held, useReadAgain } from '../../components/read-again.tsx';
import { SchemaForm } from '../../components/schema-form.tsx';
import { toast } from '../../components/toast.ts';
import { useCan } from '../../lib/account/index.ts';
import { type FormValues, fieldsFromConfiguration, isSame } from '../../lib/forms/index.ts';
import { inputTypesQuery, problemsOf } from '../../lib/inputs/index.ts';
import { DeleteQuestion } from './delete-question.tsx';
import { CommonFields, commonOf } from './input-form.tsx';
import classes from './inputs.module.css';
import type { ListedInput } from './listed-inputs.ts';
import { inputQuery, requestOf, useChangeInput } from './queries.ts';
import { formTexts, texts } from './texts.ts';

export function SettingsTab(row: ListedInput) {
  const { input } = row;
  const { data: types } = useQuery(inputTypesQuery);
  const type = types?.[input.type];
  const reason = usePermissionReason('inputs:edit', input.id, texts.thisInput);
  // Another form begins with what was saved, even if that is the same as before, and with what others have saved.
  const [base, setBase] = useState({ input, round: 0 });
  return (
    <>
      {reason !== undefined && <InlineNotice kind="info">{reason}</InlineNotice>}
      {types !== undefined && type === undefined && (
        <InlineNotice kind="warn">{formTexts.unknownType(input.type)}</InlineNotice>
      )}
      {reason === undefined && type !== undefined && (
        <SettingsForm
          key={base.round}
          input={base.input}
          isAgain={base.round > 0}
          type={type}
          onInput={(now) => setBase(({ round }) => ({ input: now, round: round + 1 }))}
        />
      )}
      <DeleteInput {...row} />
    </>
  );
}

interface SettingsFormProps {
  readonly input: Input;
  /** It was saved, or read again. */
  readonly isAgain: boolean;
  readonly type: InputType;
  readonly onInput: (input: Input) => void;
}

function SettingsForm({ input, isAgain, type, onInput }: SettingsFormProps) {
  const client = useQueryClient();
  const [common, setCommon] = useState(() => commonOf(input));
  const [isTried, setTried] = useState(false);
  const change = useChangeInput(input.id);
  const mayValidate = useCan('inputs:create');
  const fields = useMemo(() => fieldsFromConfiguration(type.requested_configuration), [type]);
  const reload = async () => onInput(await client.fetchQuery({ ...inputQuery(input.id), staleTime: 0 }));
  const saved = useReadAgain(reload);
  const save = (configuration: FormValues, revision: string | undefined) => {
    setTried(true);
    const title = common.title.trim();
    if (title === '') return;
    const request = requestOf(input, { ...common, title, configuration: { ...configuration } });
    change.mutate(
      { ...request, revision },
      {
        onSuccess: () => {
          toast(formTexts.saved(title));
          saved.start();
        },
      },
    );
  };
  return (
    <>
      <p className={classes.quiet}>{formTexts.restarts}</p>
      <Held saved={saved}>
        <SchemaForm
          fields={fields}
          stored={input.effective_attributes}
          submitLabel={formTexts.save}
          isBusy={change.isPending || saved.isPending}
          isAgain={isAgain}
          leave={{
            what: formTexts.unsaved,
            isChanged: !isSame(common, commonOf(input)),
            isSaved: change.isSuccess,
          }}
          error={change.error}
          conflict={{ what: 'input', onReload: reload, onOverwrite: (values) => save(values, undefined) }}
          {...(mayValidate && { validate: (values: FormValues) => problemsOf(type.type, values) })}
          onSubmit={(configuration) => save(configuration, input.revision)}
        >
          <CommonFields values={common} onChange={setCommon} isTried={isTried} />
        </SchemaForm>
      </Held>
      {saved.notice}
    </>
  );
}

function DeleteInput(row: ListedInput) {
  const navigate = useNavigate();
  const reason = usePermissionReason('inputs:terminate', row.input.id, texts.thisInput);
  return (
    <DeleteSection heading={texts.deleteHeading} label={texts.delete} reason={reason}>
      {(close) => (
        <DeleteQuestion
          {...row}
          onDone={() => void navigate({ to: '/inputs', replace: true, ignoreBlocker: true })}
          onCancel={close}
        />
      )}
    </DeleteSection>
  );
}
