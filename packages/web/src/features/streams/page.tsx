import { Button } from '@mantine/core';
import { IconGitFork, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { Disabled, missingPermission } from '../../components/disabled.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FindBox } from '../../components/find-box.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { Pages } from '../../components/pages.tsx';
import { useCan } from '../../lib/account/index.ts';
import { useShortcuts } from '../../lib/keys/index.ts';
import type { SearchParams } from '../../lib/url/index.ts';
import { BulkBar } from './bulk-bar.tsx';
import { type ListValues, listParams } from './list-params.ts';
import { PER_PAGE, streamPageQuery } from './queries.ts';
import { StreamTable } from './stream-table.tsx';
import { texts } from './texts.ts';

const NOTHING: ReadonlySet<string> = new Set();

export function StreamsPage() {
  const search = useSearch({ strict: false }) as SearchParams;
  const { values } = listParams.read(search);
  const navigate = useNavigate();
  const [selected, setSelected] = useState(NOTHING);
  const { data, error, refetch, isPlaceholderData, isFetching } = useQuery(streamPageQuery(values));
  const change = (next: Partial<ListValues>) => {
    setSelected(NOTHING);
    void navigate({ to: '/streams', search: listParams.update(next), replace: true });
  };
  const streams = data?.elements ?? [];
  const isEmpty = data !== undefined && data.total === 0 && !isPlaceholderData;
  return (
    <Page>
      <PageHeader title={texts.title} about={texts.about} actions={<NewStream />} />
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {(data !== undefined || values.find !== '') && (
        <FindBox
          label={texts.find}
          hint={texts.findHint}
          group={texts.title}
          find={values.find}
          onFind={(find) => change({ find, page: 1 })}
        />
      )}
      {selected.size > 0 && <BulkBar ids={selected} streams={streams} onClear={() => setSelected(NOTHING)} />}
      {streams.length > 0 && (
        <StreamTable
          streams={streams}
          sort={values}
          onSort={(sort) => change({ ...sort, page: 1 })}
          selected={selected}
          onSelect={setSelected}
        />
      )}
      {data !== undefined && (
        <Pages
          page={values.page}
          perPage={PER_PAGE}
          total={data.total}
          one="stream"
          isOld={isPlaceholderData || isFetching}
          onPage={(page) => change({ page })}
        />
      )}
      {isEmpty && <NoStream find={values.find} onShowAll={() => change({ find: '', page: 1 })} />}
    </Page>
  );
}

function NewStream() {
  const mayCreate = useCan('streams:create');
  const reason = mayCreate ? undefined : missingPermission('streams:create');
  useShortcuts(
    mayCreate
      ? [{ keys: 'n', label: texts.newStream, group: texts.title, run: () => button.current?.click() }]
      : [],
  );
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Disabled reason={reason}>
      <Button
        ref={button}
        variant="filled"
        leftSection={<IconPlus size={16} />}
        {...(mayCreate && { renderRoot: (props: object) => <Link to="/streams/new" {...props} /> })}
      >
        {texts.newStream}
      </Button>
    </Disabled>
  );
}

function NoStream({ find, onShowAll }: { readonly find: string; readonly onShowAll: () => void }) {
  if (find.trim() !== '') {
    return (
      <EmptyState
        title={texts.noneFound(find)}
        action={<Button onClick={onShowAll}>{texts.showAll}</Button>}
      />
    );
  }
  return (
    <EmptyState icon={<IconGitFork size={20} />} title={texts.empty}>
      {texts.emptyWhy}
    </EmptyState>
  );
}
