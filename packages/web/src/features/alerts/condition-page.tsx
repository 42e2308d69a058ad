import { Button } from '@mantine/core';
import type { AlertConditionView } from '@millrace/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { missingPermission } from '../../components/disabled.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { StreamSelect } from '../../components/stream-select.tsx';
import { conditionQuery, conditionTypesQuery } from '../../lib/alerts/index.ts';
import { listParam, type SearchParams } from '../../lib/url/index.ts';
import { ConditionForm } from './condition-form.tsx';
import { useEditableStreams } from './editable-streams.ts';
import { firstStream } from './first-stream.ts';
import { texts } from './texts.ts';

/** A new condition, empty or made from a search: `?q=&s=`. */
export function NewConditionPage() {
  const { q, s = '' } = useSearch({ strict: false }) as SearchParams;
  const [asked] = useState(() => listParam().parse(s) ?? []);
  const [chosen, setChosen] = useState<string>();
  const { data: types, error, refetch } = useQuery(conditionTypesQuery);
  const editable = useEditableStreams(asked);
  const first = firstStream(asked, editable.ids ?? []);
  const streamId = chosen ?? first;
  return (
    <Page>
      <PageHeader title={texts.newTitle} about={texts.about} />
      {asked.length > 1 && <InlineNotice kind="info">{texts.manyStreams}</InlineNotice>}
      {asked.length > 0 &&
        editable.ids !== undefined &&
        editable.ids.length > 0 &&
        !asked.includes(first) && <InlineNotice kind="info">{texts.otherStream}</InlineNotice>}
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {editable.error !== null && <ErrorNotice error={editable.error} onRetry={editable.retry} />}
      {editable.ids?.length === 0 && (
        <InlineNotice kind="info">{missingPermission('streams:edit')}</InlineNotice>
      )}
      {types !== undefined && editable.ids !== undefined && editable.ids.length > 0 && (
        <ConditionForm streamId={streamId} types={types} {...(q === undefined ? {} : { query: q })}>
          <StreamSelect
            label={texts.stream}
            description={texts.streamHelp}
            needs="streams:edit"
            value={streamId}
            allowDeselect={false}
            onChange={(id) => setChosen(id ?? streamId)}
          />
        </ConditionForm>
      )}
    </Page>
  );
}

/** One condition, to be changed. */
export function ConditionPage() {
  const { id = '' } = useParams({ strict: false });
  const { data: condition, error, refetch } = useQuery(conditionQuery(id));
  if (condition === null) {
    return (
      <Page>
        <EmptyState
          isPage
          title={texts.notFound}
          action={
            <Button renderRoot={(props) => <Link to="/streams" {...props} />}>{texts.toStreams}</Button>
          }
        >
          {texts.notFoundWhy}
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page>
      <PageHeader title={condition?.title ?? texts.editTitle} about={texts.about} />
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {condition !== undefined && <StoredCondition key={id} condition={condition} />}
    </Page>
  );
}

function StoredCondition({ condition }: { readonly condition: AlertConditionView }) {
  const { data: types, error, refetch } = useQuery(conditionTypesQuery);
  const client = useQueryClient();
  // The form keeps what it began with: what others change meanwhile is met when it is saved.
  const [base, setBase] = useState({ stored: condition, round: 0 });
  const reload = async () => {
    const stored = await client.fetchQuery({ ...conditionQuery(condition.id), staleTime: 0 });
    // One that is gone is no form any more: the page says so.
    if (stored !== null) setBase({ stored, round: base.round + 1 });
  };
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (types === undefined) return null;
  return (
    <ConditionForm
      key={base.round}
      streamId={condition.stream_id}
      types={types}
      stored={base.stored}
      isAgain={base.round > 0}
      onReload={reload}
    />
  );
}
