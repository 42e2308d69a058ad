import { Button } from '@mantine/core';
import { useCallback, useContext, useEffect, useRef, useState } from 'react';
import { copyText } from '../../../components/copy.ts';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import type { Direction, Severity } from '../../../components/log-list/list-keys.ts';
import { LogList } from '../../../components/log-list/log-list.tsx';
import { toast } from '../../../components/toast.ts';
import { usePreferences } from '../../../lib/account/index.ts';
import { messageOf } from '../../../lib/api/index.ts';
import { formatInstant, useTimeZone } from '../../../lib/time/index.ts';
import { DetailSheet } from '../detail/detail-sheet.tsx';
import { RowDetail } from '../detail/lazy-row-detail.ts';
import { useMessageSteps } from '../detail/use-message-steps.ts';
import { ExportButton } from '../export/export-button.tsx';
import { NothingFound } from '../nothing-found.tsx';
import { MAX_ROWS } from '../queries.ts';
import type { Run } from '../run.ts';
import classes from '../search.module.css';
import { DEFAULT_COLUMNS } from '../search-params.ts';
import { texts } from '../texts.ts';
import type { SearchState } from '../use-search.ts';
import { VisibleSpanContext } from '../visible-span.ts';
import { FindBar } from './find-bar.tsx';
import { useHighlightRules } from './highlight-menu.tsx';
import own from './list.module.css';
import { MarksPanel } from './marks-panel.tsx';
import { type SoughtMessage, seek } from './seek.ts';
import { useFind } from './use-find.ts';
import { useHighlights } from './use-highlights.ts';
import { useMarks } from './use-marks.ts';
import { isInTimeOrder, useMessages } from './use-messages.ts';

export interface MessagesViewProps {
  readonly search: SearchState;
  readonly isNarrow: boolean;
}

/** The messages that were found, or why there are none. */
export function MessagesView(props: MessagesViewProps) {
  'use memo';
  const { search } = props;
  const { run, commit } = search;
  const { query, messages } = useMessages(search);
  const { data, error, isPlaceholderData, fetchStatus } = query;
  if (error !== null && messages.length === 0) {
    return (
      <div className={classes.state}>
        <ErrorNotice error={error} onRetry={() => void query.refetch()} />
      </div>
    );
  }
  const isUnanswered = data === undefined || isPlaceholderData;
  if (data === undefined || run === undefined || (isUnanswered && search.isStopped)) {
    if (run !== undefined && fetchStatus === 'idle') return <Stopped onRun={() => commit({})} />;
    return <div className={classes.state} aria-busy="true" />;
  }
  const isSearching = data.pages[0]?.searched_from !== undefined;
  if (messages.length === 0 && !isPlaceholderData && !isSearching) {
    return <NothingFound search={search} run={run} />;
  }
  return <MessageList {...props} run={run} />;
}

function MessageList({ search, isNarrow, run }: MessagesViewProps & { readonly run: Run }) {
  'use memo';
  const { values, change, commit } = search;
  const [{ density, wrapLines }] = usePreferences();
  const { query, messages, total } = useMessages(search);
  const { hasNextPage, isFetchingNextPage, isPlaceholderData } = query;
  const [isFinding, setFinding] = useState(values.find !== '');
  const marks = useMarks();
  const { hits, isDone } = useFind(messages, values.cols, values.find);
  const highlights = useHighlights(useHighlightRules(search), search.zone);
  const openInSteps = useMessageSteps(search);
  const open = isNarrow ? openInSteps : (msg: string) => change({ msg, around: undefined });
  const jump = useJump(search, run, query.data?.pages.at(-1)?.cursor);
  const visibleSpan = useContext(VisibleSpanContext);
  const showHighlights = highlights.show;
  const onVisible = useCallback(
    (first: number, last: number) => {
      const [one, other] = [messages[first]?.timestamp ?? 0, messages[last]?.timestamp ?? 0];
      visibleSpan.set({ from: Math.min(one, other), to: Math.max(one, other) });
      showHighlights(messages.slice(first, last + 1));
    },
    [messages, visibleSpan, showHighlights],
  );
  const loadMore = () =>
    hasNextPage && !isFetchingNextPage && !isPlaceholderData && void query.fetchNextPage();
  return (
    <div className={own.view}>
      <FindBar
        find={values.find}
        hits={isDone ? hits.length : undefined}
        loaded={messages.length}
        isOpen={isFinding}
        onFind={(find) => change({ find })}
        onOpenChange={setFinding}
      />
      {values.at !== 0 && isInTimeOrder(run.sort) && <ListStart at={values.at} onReset={jump.reset} />}
      <LogList
        label={texts.messages}
        messages={messages}
        listKey={`${run.startedAt} ${values.at}`}
        total={total}
        columns={isNarrow ? DEFAULT_COLUMNS : values.cols}
        sort={values.sort}
        columnActions={{
          onSort: (sort) => commit({ sort, at: 0 }),
          onChange: (cols) => change({ cols }),
          onGroup: (field) => change({ view: 'group', group: [field] }),
        }}
        expanded={values.msg}
        onExpand={open}
        renderDetail={
          isNarrow
            ? undefined
            : (message) => <RowDetail key={message.id} message={message} search={search} marks={marks} />
        }
        onNearEnd={loadMore}
        onVisible={onVisible}
        isWrapped={wrapLines}
        isCompact={density === 'compact'}
        isNarrow={isNarrow}
        hasDates={spansDays(run)}
        isStale={isPlaceholderData}
        isPartial={query.data?.pages[0]?.searched_from !== undefined}
        focusOn={jump.focusOn}
        isMarked={marks.has}
        hasMarks={marks.messages.length > 0}
        onMark={marks.toggle}
        onCopy={(message) => void copyText(String(message.fields.message ?? ''))}
        onSeek={jump.seek}
        find={values.find}
        hits={hits}
        highlightOf={highlights.highlightOf}
        footer={<ListEnd search={search} run={run} />}
      />
      <MarksPanel marks={marks} />
      {isNarrow && (
        <DetailSheet
          open={values.msg}
          onOpen={open}
          messages={messages}
          total={total}
          onNearEnd={loadMore}
          render={(message) => <RowDetail key={message.id} message={message} search={search} marks={marks} />}
        />
      )}
    </div>
  );
}

/** Jumps to the next error or warning that is not loaded: the list starts there. */
function useJump({ values, change }: SearchState, run: Run, cursor: string | undefined) {
  const [target, setTarget] = useState<SoughtMessage>();
  const noun = { error: 'error', warning: 'warning' } as const;
  const shown = useRef<Run>(undefined);
  useEffect(() => {
    shown.current = run;
    return () => {
      shown.current = undefined;
    };
  }, [run]);
  return {
    // Not in the list that is being left, which may have it by now.
    focusOn: target?.timestamp === values.at ? target.key : undefined,
    reset: () => {
      setTarget(undefined);
      change({ at: 0, msg: '' });
    },
    seek: async (severity: Severity, direction: Direction) => {
      if (!isInTimeOrder(run.sort)) return toast(texts.onlyInTimeOrder);
      try {
        const found = await seek(run, severity, direction, { at: values.at, cursor });
        // Somebody searches for something else by now.
        if (shown.current !== run) return;
        if (found === undefined) return toast(texts.noFurther(noun[severity], direction));
        setTarget(found);
        change({ at: found.timestamp, msg: '' });
      } catch (error) {
        toast(messageOf(error));
      }
    },
  };
}

function ListStart({ at, onReset }: { readonly at: number; readonly onReset: () => void }) {
  const zone = useTimeZone();
  return (
    <div className={own.start}>
      <span>The list starts at {formatInstant(at, zone, 'millisecond')}.</span>
      <Button size="compact-xs" onClick={onReset}>
        From the beginning
      </Button>
    </div>
  );
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

function ListEnd({ search, run }: { readonly search: SearchState; readonly run: Run }) {
  const { query, messages, total } = useMessages(search);
  if (query.isFetchNextPageError) {
    return <ErrorNotice error={query.error} onRetry={() => void query.fetchNextPage()} />;
  }
  if (query.data?.pages[0]?.searched_from !== undefined) return null;
  if (query.hasNextPage) return <span>{texts.loadingMore}</span>;
  if (messages.length >= total || messages.length < MAX_ROWS) return <span>{texts.noMore}</span>;
  return (
    <>
      <span>{texts.tooMany}</span>
      <ExportButton search={search} run={run} />
    </>
  );
}
