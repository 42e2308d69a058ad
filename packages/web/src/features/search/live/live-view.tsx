import { Button } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { copyText } from '../../../components/copy.ts';
import { EmptyState } from '../../../components/empty-state.tsx';
import { LogList } from '../../../components/log-list/log-list.tsx';
import { usePreferences } from '../../../lib/account/index.ts';
import { formatCount } from '../../../lib/format/index.ts';
import type { LogMessage } from '../../../lib/messages/index.ts';
import { serverNow } from '../../../lib/time/index.ts';
import { DetailSheet } from '../detail/detail-sheet.tsx';
import { RowDetail } from '../detail/lazy-row-detail.ts';
import { useMessageSteps } from '../detail/use-message-steps.ts';
import { FindBar } from '../list/find-bar.tsx';
import { useHighlightRules } from '../list/highlight-menu.tsx';
import { MarksPanel } from '../list/marks-panel.tsx';
import { useFind } from '../list/use-find.ts';
import { useHighlights } from '../list/use-highlights.ts';
import { useMarks } from '../list/use-marks.ts';
import classes from '../search.module.css';
import { DEFAULT_COLUMNS } from '../search-params.ts';
import { texts } from '../texts.ts';
import type { SearchState } from '../use-search.ts';
import { searchOf, untilStored } from './gap.ts';
import { LiveBar } from './live-bar.tsx';
import { LiveNotices } from './live-notices.tsx';
import type { TailState } from './tail-state.ts';
import { useTail } from './use-tail.ts';

const FIRST_RATE = 100;

/** Messages as they come, the newest at the bottom like in a terminal. */
export function LiveView({ search, isNarrow }: { readonly search: SearchState; readonly isNarrow: boolean }) {
  const { values, zone, change, commit } = search;
  const [{ density, wrapLines }] = usePreferences();
  const [rate, setRate] = useState(FIRST_RATE);
  const tail = useTail({ query: values.q, streams: values.s, zone, rate });
  const { state } = tail;
  const stop = useStop(search, state);
  const [expandedRow, setExpandedRow] = useState('');
  const openInSteps = useMessageSteps(search);
  const view = useHeldView(state);
  const marks = useMarks();
  const highlights = useHighlights(useHighlightRules(search), zone);
  const showHighlights = highlights.show;
  const shown = view.messages;
  const [isFinding, setFinding] = useState(values.find !== '');
  const { hits, isDone } = useFind(shown, values.cols, values.find);
  const onVisible = useCallback(
    (first: number, last: number) => showHighlights(shown.slice(first, last + 1)),
    [shown, showHighlights],
  );
  // Where it takes the whole screen, Back closes it, and does not leave what is followed.
  const expanded = isNarrow ? values.msg : expandedRow;
  const expand = (key: string) => {
    if (isNarrow) openInSteps(key);
    else setExpandedRow(key);
    view.hold();
  };
  const renderDetail = (message: LogMessage) => (
    <RowDetail key={message.id} message={message} search={search} marks={marks} />
  );
  return (
    <div className={classes.live}>
      <LiveBar tail={tail} isStopping={stop.isStopping} onStop={stop.run} />
      <LiveNotices
        state={state}
        rate={rate}
        onRate={setRate}
        onShowGap={({ from, to }) => commit({ live: false, t: { type: 'absolute', from, to } })}
      />
      <FindBar
        find={values.find}
        hits={isDone ? hits.length : undefined}
        loaded={shown.length}
        isOpen={isFinding}
        onFind={(find) => change({ find })}
        onOpenChange={setFinding}
      />
      {shown.length === 0 ? (
        <div className={classes.state}>
          {state.phase !== 'ended' && (
            <EmptyState title="Waiting for messages that match">
              They are shown here the moment they arrive, before they are stored.
            </EmptyState>
          )}
        </div>
      ) : (
        <LogList
          label={texts.messages}
          messages={shown}
          total={shown.length}
          columns={isNarrow ? DEFAULT_COLUMNS : values.cols}
          expanded={expanded}
          onExpand={expand}
          renderDetail={isNarrow ? undefined : renderDetail}
          isWrapped={wrapLines}
          isCompact={density === 'compact'}
          isNarrow={isNarrow}
          hasDates={false}
          isFollowing={view.isFollowing}
          onFollowChange={view.onFollowChange}
          onVisible={onVisible}
          find={values.find}
          hits={hits}
          highlightOf={highlights.highlightOf}
          isMarked={marks.has}
          hasMarks={marks.messages.length > 0}
          onMark={marks.toggle}
          onCopy={(message) => void copyText(String(message.fields.message ?? ''))}
        />
      )}
      <MarksPanel marks={marks} />
      {isNarrow && <DetailSheet open={expanded} onOpen={expand} messages={shown} render={renderDetail} />}
      {!view.isFollowing && (
        <Button
          className={classes.pill}
          variant="filled"
          rightSection={<IconArrowDown size={16} />}
          onClick={view.follow}
        >
          {view.unseen === 0 ? 'To the newest' : `${formatCount(view.unseen)} new`}
        </Button>
      )}
    </div>
  );
}

interface Held {
  readonly messages: readonly LogMessage[];
  readonly received: number;
}

/** Whoever scrolls up reads a list that stands still, whatever comes meanwhile and whatever is forgotten. */
function useHeldView(state: TailState) {
  const [held, setHeld] = useState<Held>();
  const latest = useRef(state);
  latest.current = state;
  const hold = useCallback(
    () => setHeld((now) => now ?? { messages: latest.current.messages, received: latest.current.received }),
    [],
  );
  const follow = useCallback(() => setHeld(undefined), []);
  const onFollowChange = useCallback((isAtEnd: boolean) => (isAtEnd ? follow() : hold()), [follow, hold]);
  return {
    messages: held?.messages ?? state.messages,
    isFollowing: held === undefined,
    unseen: held === undefined ? 0 : state.received - held.received,
    hold,
    follow,
    onFollowChange,
  };
}

/** Searches for all that was seen, once it is stored. */
function useStop({ values, zone, commit }: SearchState, state: TailState) {
  const [startedAt] = useState(serverNow);
  const [stopping, setStopping] = useState<AbortController>();
  const latest = useRef(state);
  latest.current = state;
  const followed = JSON.stringify([values.q, values.s, zone]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is followed now was not stopped
  useEffect(() => {
    if (stopping === undefined) return;
    return () => {
      stopping.abort();
      setStopping(undefined);
    };
  }, [stopping, followed]);
  const span = () => {
    const { seen } = latest.current;
    return {
      from: Math.min(startedAt, seen?.from ?? startedAt),
      to: Math.max(serverNow(), seen?.to ?? 0),
    };
  };
  return {
    isStopping: stopping !== undefined,
    async run() {
      const controller = new AbortController();
      setStopping(controller);
      const search = searchOf({ query: values.q, streams: values.s, zone });
      // More may be shown meanwhile: only what was there now is waited for.
      const seen = { span: span(), count: latest.current.received };
      await untilStored(search, seen, controller.signal);
      if (!controller.signal.aborted) commit({ live: false, at: 0, t: { type: 'absolute', ...span() } });
    },
  };
}
