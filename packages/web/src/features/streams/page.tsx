import { Button, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconGitFork, IconPlus, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Disabled, missingPermission } from '../../components/disabled.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { useCan } from '../../lib/account/index.ts';
import { useShortcuts } from '../../lib/keys/index.ts';
import type { SearchParams } from '../../lib/url/index.ts';
import { BulkBar } from './bulk-bar.tsx';
import { type ListValues, listParams } from './list-params.ts';
import { PER_PAGE, streamPageQuery } from './queries.ts';
import { StreamTable } from './stream-table.tsx';
import classes from './streams.module.css';
import { texts } from './texts.ts';

const NOTHING: ReadonlySet<string> = new Set();

export function StreamsPage() {
  const search = useSearch({ strict: false }) as SearchParams;
  const { values } = listParams.read(search);
  const navigate = useNavigate();
  const [selected, setSelected] = useState(NOTHING);
  const { data, error, refetch, isPlaceholderData } = useQuery(streamPageQuery(values));
  const change = (next: Partial<ListValues>) => {
    setSelected(NOTHING);
    void navigate({ to: '/streams', search: listParams.write(next, search), replace: true });
  };
  const streams = data?.elements ?? [];
  const isEmpty = data !== undefined && data.total === 0 && !isPlaceholderData;
  return (
    <Page>
      <PageHeader title={texts.title} about={texts.about} actions={<NewStream />} />
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {(data !== undefined || values.find !== '') && (
        <FindStream find={values.find} onFind={(find) => change({ find, page: 1 })} />
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
      {data !== undefined && data.total > PER_PAGE && (
        <Pages page={values.page} total={data.total} onPage={(page) => change({ page })} />
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

const FIND_AFTER_MS = 200;

function FindStream({ find, onFind }: { readonly find: string; readonly onFind: (find: string) => void }) {
  const [draft, setDraft] = useState(find);
  const box = useRef<HTMLInputElement>(null);
  const later = useDebouncedCallback(onFind, FIND_AFTER_MS);
  useEffect(() => setDraft(find), [find]);
  useShortcuts([{ keys: '/', label: texts.find, group: texts.title, run: () => box.current?.focus() }]);
  return (
    <TextInput
      ref={box}
      className={classes.find}
      aria-label={texts.find}
      placeholder={texts.findHint}
      leftSection={<IconSearch size={16} />}
      value={draft}
      onChange={(event) => {
        setDraft(event.currentTarget.value);
        later(event.currentTarget.value);
      }}
    />
  );
}

interface PagesProps {
  readonly page: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
}

function Pages({ page, total, onPage }: PagesProps) {
  const last = Math.ceil(total / PER_PAGE);
  const from = (page - 1) * PER_PAGE + 1;
  return (
    <nav className={classes.pages} aria-label="Pages of the list">
      <span role="status">
        {texts.pageOf(Math.min(from, total), Math.min(page * PER_PAGE, total), total)}
      </span>
      <Button disabled={page <= 1} onClick={() => onPage(Math.min(page, last + 1) - 1)}>
        {texts.previous}
      </Button>
      <Button disabled={page >= last} onClick={() => onPage(page + 1)}>
        {texts.next}
      </Button>
    </nav>
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
