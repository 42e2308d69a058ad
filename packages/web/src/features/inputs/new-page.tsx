import { Select } from '@mantine/core';
import type { InputType } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { usePermissionReason } from '../../components/disabled.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { SchemaForm } from '../../components/schema-form.tsx';
import { fieldsFromConfiguration } from '../../lib/forms/index.ts';
import { inputTypesQuery, problemsOf } from '../../lib/inputs/index.ts';
import type { SearchParams } from '../../lib/url/index.ts';
import { CommonFields, type CommonValues } from './input-form.tsx';
import { useCreateInput } from './queries.ts';
import { formTexts, texts } from './texts.ts';

/** A new input: `?type=` chooses its type. */
export function NewInputPage() {
  const params = useSearch({ strict: false }) as SearchParams;
  const navigate = useNavigate();
  const { data: types, error, refetch } = useQuery(inputTypesQuery);
  const reason = usePermissionReason('inputs:create');
  const all = Object.values(types ?? {});
  const type = all.find((known) => known.type === params.type) ?? all[0];
  return (
    <Page>
      <PageHeader title={texts.newInput} about={texts.newAbout} />
      {reason !== undefined && <InlineNotice kind="info">{reason}</InlineNotice>}
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {reason === undefined && type !== undefined && (
        <NewInputForm
          type={type}
          types={all}
          onType={(chosen) =>
            void navigate({
              to: '/inputs/new',
              search: { type: chosen },
              replace: true,
              // Nothing is lost by it.
              ignoreBlocker: true,
            })
          }
        />
      )}
    </Page>
  );
}

interface NewInputFormProps {
  readonly type: InputType;
  readonly types: readonly InputType[];
  readonly onType: (type: string) => void;
}

function NewInputForm({ type, types, onType }: NewInputFormProps) {
  const navigate = useNavigate();
  const create = useCreateInput();
  // A title that nobody typed is the name of the type.
  const [typedTitle, setTypedTitle] = useState<string>();
  const [place, setPlace] = useState<Pick<CommonValues, 'global' | 'node'>>({ global: true, node: null });
  const common = { ...place, title: typedTitle ?? type.name };
  const change = ({ title, ...rest }: CommonValues) => {
    if (title !== common.title) setTypedTitle(title);
    setPlace(rest);
  };
  const [isTried, setTried] = useState(false);
  const fields = useMemo(() => fieldsFromConfiguration(type.requested_configuration), [type]);
  const submit = (configuration: Readonly<Record<string, unknown>>) => {
    setTried(true);
    const title = common.title.trim();
    if (title === '') return;
    create.mutate(
      { ...common, title, type: type.type, configuration },
      { onSuccess: ({ id }) => void navigate({ to: '/inputs/$id', params: { id }, replace: true }) },
    );
  };
  return (
    <SchemaForm
      type={type.type}
      fields={fields}
      submitLabel={formTexts.start}
      isBusy={create.isPending}
      error={create.error}
      leave={{ what: formTexts.unsaved, isChanged: typedTitle !== undefined, isSaved: create.isSuccess }}
      validate={(configuration) => problemsOf(type.type, configuration)}
      onSubmit={submit}
      onCancel={() => void navigate({ to: '/inputs' })}
    >
      <Select
        label={formTexts.type}
        description={type.description}
        data={types.map(({ type: value, name: label }) => ({ value, label }))}
        value={type.type}
        allowDeselect={false}
        searchable
        onChange={(chosen) => chosen !== null && onType(chosen)}
      />
      <CommonFields values={common} onChange={change} isTried={isTried} />
    </SchemaForm>
  );
}
