import { Button, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { usePermissions } from '../../lib/account/index.ts';
import { conditionQuery, conditionTypesQuery } from '../../lib/alerts/index.ts';
import { call } from '../../lib/api/index.ts';
import { listParam, type SearchParams } from '../../lib/url/index.ts';
import { ConditionForm } from './condition-form.tsx';
import { texts } from './texts.ts';

/** The stream that every message is in, unless another stream takes it out. */
const ALL_MESSAGES = '000000000000000000000001';

/** A new condition, empty or made from a search: `?q=&s=`. */
export function NewConditionPage() {
  const { q, s = '' } = useSearch({ strict: false }) as SearchParams;
  const [asked] = useState(() => listParam().parse(s) ?? []);
  const [streamId, setStreamId] = useState(asked[0] ?? ALL_MESSAGES);
  const { data: types, error, refetch } = useQuery(conditionTypesQuery);
  return (
    <Page>
      <PageHeader title={texts.newTitle} about={texts.about} />
      {asked.length > 1 && <InlineNotice kind="info">{texts.manyStreams}</InlineNotice>}
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {types !== undefined && (
        <ConditionForm streamId={streamId} types={types} {...(q === undefined ? {} : { query: q })}>
          <StreamChoice streamId={streamId} onChange={setStreamId} />
        </ConditionForm>
      )}
    </Page>
  );
}

interface StreamChoiceProps {
  readonly streamId: string;
  readonly onChange: (streamId: string) => void;
}

function StreamChoice({ streamId, onChange }: StreamChoiceProps) {
  const permissions = usePermissions();
  const { data } = useQuery({
    queryKey: ['streams'],
    queryFn: ({ signal }) => call('GET /streams', { signal }),
  });
  const streams = (data?.streams ?? []).filter(({ id }) => permissions.implies('streams:edit', id));
  return (
    <Select
      label={texts.stream}
      description={texts.streamHelp}
      data={streams.map(({ id, title }) => ({ value: id, label: title }))}
      value={streamId}
      searchable
      limit={100}
      onChange={(id) => onChange(id ?? streamId)}
    />
  );
}

/** One condition, to be changed. */
export function ConditionPage() {
  const { id = '' } = useParams({ strict: false });
  const { data: types } = useQuery(conditionTypesQuery);
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
      {types !== undefined && condition !== undefined && (
        <ConditionForm streamId={condition.stream_id} types={types} stored={condition} />
      )}
    </Page>
  );
}
