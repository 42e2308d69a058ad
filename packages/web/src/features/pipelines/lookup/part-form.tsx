import { Button, Select } from '@mantine/core';
import type { LookupPartView, LookupTypes } from '@millrace/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { usePermissionReason } from '../../../components/disabled.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { InlineNotice } from '../../../components/inline-notice.tsx';
import { SchemaForm } from '../../../components/schema-form.tsx';
import { toast } from '../../../components/toast.ts';
import { type FormValues, fieldsFromConfiguration, isSame } from '../../../lib/forms/index.ts';
import classes from '../pipelines.module.css';
import { texts } from '../texts.ts';
import type { PartKind } from './kinds.ts';
import { type Naming, NamingFields, namingOf, namingProblems } from './naming-fields.tsx';
import { partQuery, typesQuery, useSavePart } from './queries.ts';
import { lookupTexts } from './texts.ts';

export interface PartFormProps {
  readonly kind: PartKind;
  /** Undefined: a new one. */
  readonly part: LookupPartView | undefined;
  readonly onDone: () => void;
}

/** A data adapter or a cache, as its type describes it. */
export function PartForm({ kind, part, onDone }: PartFormProps) {
  // The form keeps what it began with: what others change meanwhile is met when it is saved.
  const [base, setBase] = useState({ part, round: 0 });
  return (
    <StartedForm
      key={base.round}
      kind={kind}
      part={base.part}
      isAgain={base.round > 0}
      onPart={(now) => setBase(({ round }) => ({ part: now, round: round + 1 }))}
      onDone={onDone}
    />
  );
}

interface StartedFormProps extends PartFormProps {
  /** It was read again: the focus goes to its button. */
  readonly isAgain: boolean;
  /** It was read again: another form begins with that. */
  readonly onPart: (part: LookupPartView) => void;
}

function StartedForm({ kind, part, isAgain, onPart, onDone }: StartedFormProps) {
  const { data: types, error, refetch } = useQuery(typesQuery(kind));
  const [naming, setNaming] = useState<Naming>(() => namingOf(part));
  const [chosen, setChosen] = useState<string>();
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (types === undefined) return null;
  const all = Object.values(types);
  const wanted = part === undefined ? chosen : String(part.config.type);
  const type = wanted === undefined ? all[0] : all.find((known) => known.type === wanted);
  // The form of another type would store it as that.
  if (type === undefined) {
    return (
      <InlineNotice kind="warn" actions={<Button onClick={onDone}>{lookupTexts.close}</Button>}>
        {lookupTexts.unknownType(lookupTexts.kinds[kind].many, wanted)}
      </InlineNotice>
    );
  }
  return (
    <TypedForm
      {...{ kind, part, isAgain, type, types: all, naming, onPart, onDone }}
      onNaming={setNaming}
      onType={setChosen}
    />
  );
}

interface TypedFormProps extends StartedFormProps {
  readonly type: LookupTypes[string];
  readonly types: readonly LookupTypes[string][];
  readonly naming: Naming;
  readonly onNaming: (naming: Naming) => void;
  readonly onType: (type: string) => void;
}

function TypedForm(props: TypedFormProps) {
  const { kind, part, isAgain, type, types, naming, onNaming, onType, onPart, onDone } = props;
  const client = useQueryClient();
  const [isTried, setTried] = useState(false);
  const reason = usePermissionReason(
    part === undefined ? 'lookuptables:create' : 'lookuptables:edit',
    part?.id,
  );
  const save = useSavePart(kind, part?.id);
  const fields = useMemo(() => fieldsFromConfiguration(type.requested_configuration), [type]);
  const reload = async () =>
    onPart(await client.fetchQuery({ ...partQuery(kind, part?.id ?? ''), staleTime: 0 }));
  const submit = (config: FormValues, revision: string | undefined) =>
    save.mutate(
      { ...naming, title: naming.title.trim(), config: { ...config, type: type.type }, revision },
      {
        onSuccess: (saved) => {
          toast(lookupTexts.kinds[kind].saved(saved.title));
          onDone();
        },
      },
    );
  return (
    <div className={classes.card}>
      <SchemaForm
        type={type.type}
        fields={fields}
        {...(part === undefined ? {} : { stored: part.config })}
        submitLabel={part === undefined ? lookupTexts.create : lookupTexts.save}
        noSubmitReason={reason}
        isBusy={save.isPending}
        isAgain={isAgain}
        error={save.error}
        conflict={{
          what: lookupTexts.kinds[kind].one,
          onReload: reload,
          onOverwrite: (config) => submit(config, undefined),
        }}
        onTry={() => setTried(true)}
        isIncomplete={namingProblems(naming) !== undefined}
        leave={{
          what: texts.leave(lookupTexts.kinds[kind].one),
          isChanged: !isSame(naming, namingOf(part)),
          isSaved: save.isSuccess,
        }}
        onSubmit={(config) => submit(config, part?.revision)}
        onCancel={onDone}
      >
        <Select
          label={lookupTexts.type}
          description={type.description}
          data={types.map(({ type: value, name: label }) => ({ value, label }))}
          value={type.type}
          allowDeselect={false}
          readOnly={part !== undefined}
          onChange={(next) => next !== null && onType(next)}
        />
        <NamingFields
          {...{ naming, isTried }}
          onChange={onNaming}
          error={save.error}
          isNew={part === undefined}
        />
      </SchemaForm>
    </div>
  );
}
