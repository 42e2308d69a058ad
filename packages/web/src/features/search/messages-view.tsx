import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { LogList } from '../../components/log-list.tsx';
import { MessageDetail } from '../../components/message-detail.tsx';
import { usePreferences } from '../../lib/account/index.ts';
import { useShortcuts } from '../../lib/keys/index.ts';
import { fromFound, type LogMessage } from '../../lib/messages/index.ts';
import { formatInstant } from '../../lib/time/index.ts';
import { Around } from './around.tsx';
import { NothingFound } from './nothing-found.tsx';
import { MAX_ROWS, messagesQuery } from './queries.ts';
import type { Run } from './run.ts';
import classes from './search.module.css';
import { texts } from './texts.ts';
import { useEntityTitles } from './use-entity-titles.ts';
import type { SearchState } from './use-search.ts';

export interface MessagesViewProps {
  readonly search: SearchState;
  readonly isNarrow: boolean;
}

/** The messages that were found. */
export function MessagesView({ search, isNarrow }: MessagesViewProps) {
  const { run, values, change, commit } = search;
  const [{ density, wrapLines }] = usePreferences();
  const query = useInfiniteQuery(messagesQuery(run));
  const { data, error, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchStatus } = query;
  const messages = useMemo(() => (data?.pages ?? []).flatMap((page) => page.messages.map(fromFound)), [data]);
  const total = data?.pages[0]?.total_results ?? 0;
  if (error !== null && messages.length === 0) {
    return (
      <div className={classes.state}>
        <ErrorNotice error={error} onRetry={() => void query.refetch()} />
      </div>
    );
  }
  if (data === undefined || run === undefined) {
    if (run !== undefined && fetchStatus === 'idle') return <Stopped onRun={() => commit({})} />;
    return <div className={classes.state} aria-busy="true" />;
  }
  if (messages.length === 0 && !isPlaceholderData) return <NothingFound search={search} run={run} />;
  return (
    <LogList
      label={texts.messages}
      messages={messages}
      total={total}
      columns={values.cols}
      sort={values.sort}
      onSort={(field) => commit({ sort: nextSort(values.sort, field) })}
      expanded={values.msg}
      onExpand={(msg) => change({ msg })}
      renderDetail={(message) => <Detail key={message.id} message={message} search={search} />}
      onNearEnd={() => hasNextPage && !isFetchingNextPage && !isPlaceholderData && void query.fetchNextPage()}
      isWrapped={wrapLines}
      isCompact={density === 'compact'}
      isNarrow={isNarrow}
      hasDates={spansDays(run)}
      isStale={isPlaceholderData}
      footer={
        <ListEnd
          loaded={messages.length}
          total={total}
          error={query.isFetchNextPageError ? error : null}
          hasMore={hasNextPage}
          onMore={() => void query.fetchNextPage()}
        />
      }
    />
  );
}

export function nextSort(sort: string, field: string): string {
  return sort === `${field}:desc` ? `${field}:asc` : `${field}:desc`;
}

export function spansDays({ span, zone }: Run): boolean {
  return formatInstant(span.from, zone, 'day') !== formatInstant(span.to, zone, 'day');
}

function Stopped({ onRun }: { readonly onRun: () => void }) {
  return (
    <div className={classes.state}>
      <EmptyState
        title={texts.stopped}
        action={
          <Button variant="filled" onClick={onRun}>
            {texts.again}
          </Button>
        }
      >
        {texts.stoppedWhy}
      </EmptyState>
    </div>
  );
}

interface ListEndProps {
  readonly loaded: number;
  readonly total: number;
  readonly error: Error | null;
  readonly hasMore: boolean;
  readonly onMore: () => void;
}

function ListEnd({ loaded, total, error, hasMore, onMore }: ListEndProps) {
  if (error !== null) return <ErrorNotice error={error} onRetry={onMore} />;
  if (hasMore) return <span>{texts.loadingMore}</span>;
  return <span>{loaded < total && loaded >= MAX_ROWS ? texts.tooMany : texts.noMore}</span>;
}

function Detail({ message, search }: { readonly message: LogMessage; readonly search: SearchState }) {
  const { values, change, actions } = search;
  const [tab, setTab] = useState('fields');
  const titleOf = useEntityTitles();
  const { index, id } = message;
  const columns = values.cols.map(({ field }) => field);
  const toggleColumn = (field: string) => {
    const rest = values.cols.filter((column) => column.field !== field);
    if (rest.length < values.cols.length) change({ cols: rest });
    else change({ cols: withColumn(values.cols, field) });
  };
  useShortcuts([{ keys: 'a', label: texts.around, group: texts.messages, run: () => setTab('around') }]);
  return (
    <MessageDetail
      message={message}
      actions={actions}
      titleOf={titleOf}
      permalink={index === undefined ? undefined : `/messages/${encodeURIComponent(index)}/${id}`}
      columns={columns}
      onToggleColumn={toggleColumn}
      tab={tab}
      onTabChange={setTab}
      around={index === undefined ? undefined : <Around index={index} id={id} fields={message.fields} />}
    />
  );
}

/** Before the message, which takes the rest of the line. */
export function withColumn(columns: SearchState['values']['cols'], field: string) {
  const at = columns.findIndex((column) => column.field === 'message');
  return at < 0 ? [...columns, { field }] : columns.toSpliced(at, 0, { field });
}
