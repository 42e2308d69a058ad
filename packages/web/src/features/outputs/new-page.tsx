import { Select, TextInput } from '@mantine/core';
import type { OutputTypeView } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { usePermissionReason } from '../../components/disabled.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { SchemaForm } from '../../components/schema-form.tsx';
import { useCan } from '../../lib/account/index.ts';
import { type FormValues, fieldsFromConfiguration } from '../../lib/forms/index.ts';
import { outputTypesQuery } from '../../lib/outputs/index.ts';
import type { SearchParams } from '../../lib/url/index.ts';
import { useCreateOutput } from './queries.ts';
import { formTexts, texts } from './texts.ts';

const MAX_TITLE_LENGTH = 200;

/** A new output: `?type=` chooses its type. */
export function NewOutputPage() {
  const params = useSearch({ strict: false }) as SearchParams;
  const navigate = useNavigate();
  const mayRead = useCan('outputs:read');
  const reason = usePermissionReason('outputs:create');
  const { data: types = {}, error, refetch } = useQuery({ ...outputTypesQuery, enabled: mayRead });
  const all = Object.values(types);
  const type = all.find((known) => known.type === params.type) ?? all[0];
  return (
    <Page>
      <PageHeader title={texts.newOutput} about={texts.newAbout} />
      {reason !== undefined && <InlineNotice kind="info">{reason}</InlineNotice>}
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {reason === undefined && type !== undefined && (
        <NewOutputForm
          type={type}
          types={all}
          onType={(chosen) =>
            void navigate({
              to: '/outputs/new',
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

interface NewOutputFormProps {
  readonly type: OutputTypeView;
  readonly types: readonly OutputTypeView[];
  readonly onType: (type: string) => void;
}

function NewOutputForm({ type, types, onType }: NewOutputFormProps) {
  const navigate = useNavigate();
  const create = useCreateOutput();
  // A title that nobody typed is the name of the type.
  const [typedTitle, setTypedTitle] = useState<string>();
  const title = typedTitle ?? type.human_name;
  const [isTried, setTried] = useState(false);
  const fields = useMemo(() => fieldsFromConfiguration(type.requested_configuration), [type]);
  const submit = (configuration: FormValues) => {
    setTried(true);
    if (title.trim() === '') return;
    create.mutate(
      { title: title.trim(), type: type.type, configuration: { ...configuration } },
      {
        // What it needs next is a stream.
        onSuccess: ({ id }) =>
          void navigate({ to: '/outputs/$id', params: { id }, search: { tab: 'streams' }, replace: true }),
      },
    );
  };
  return (
    <SchemaForm
      type={type.type}
      fields={fields}
      submitLabel={formTexts.create}
      isBusy={create.isPending}
      error={create.error}
      leave={{ what: formTexts.unsaved, isChanged: typedTitle !== undefined, isSaved: create.isSuccess }}
      onSubmit={submit}
      onCancel={() => void navigate({ to: '/outputs' })}
    >
      <Select
        label={formTexts.type}
        description={type.description}
        data={types.map(({ type: value, human_name: label }) => ({ value, label }))}
        value={type.type}
        allowDeselect={false}
        searchable
        onChange={(chosen) => chosen !== null && onType(chosen)}
      />
      <TextInput
        label={formTexts.title}
        value={title}
        maxLength={MAX_TITLE_LENGTH}
        error={isTried && title.trim() === '' ? formTexts.untitled : undefined}
        onChange={(event) => setTypedTitle(event.currentTarget.value)}
      />
    </SchemaForm>
  );
}
