import { useDebouncedValue } from '@mantine/hooks';
import { parseQuery } from '@millrace/query';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { ClausePills } from '../../../components/clause-pills.tsx';
import { HelpLink } from '../../../components/help-link.tsx';
import type { QueryEditorHandle } from '../../../components/query-box-props.ts';
import { QueryEditor } from '../../../components/query-editor.tsx';
import { StreamPicker } from '../../../components/stream-picker.tsx';
import { TimePicker } from '../../../components/time-picker.tsx';
import { call } from '../../../lib/api/index.ts';
import { useShortcuts } from '../../../lib/keys/index.ts';
import { foundStreamsQuery, useStreamTitles } from '../../../lib/streams/index.ts';
import { serverNow, shiftSpan, zoomOut } from '../../../lib/time/index.ts';
import { fieldsQuery } from '../queries.ts';
import { meaningOfWords, timeRangeOf } from '../run.ts';
import { HistoryMenu } from '../saved/history-menu.tsx';
import classes from '../search.module.css';
import { texts } from '../texts.ts';
import { useRecentRanges } from '../time/recent-ranges.ts';
import type { SearchState } from '../use-search.ts';
import { QueryHelp } from './query-help.tsx';
import { RunButton } from './run-button.tsx';
import { templatesAt } from './templates.ts';
import { usePills } from './use-pills.ts';
import { useQueryProblems } from './use-query-problems.ts';

const GROUP = 'Search';

/** Streams, query, time and Run; below them the clauses, and what the query means or what is wrong with it. */
export function QueryBar({ search }: { readonly search: SearchState }) {
  'use memo';
  const { values, zone, commit, change, cancel } = search;
  const [draft, setDraft] = useState(shownQuery(values.q));
  const [quoted, setQuoted] = useState<{ readonly before: string; readonly after: string }>();
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const editor = useRef<QueryEditorHandle>(null);
  const helpId = useId();
  useEffect(() => setDraft(shownQuery(values.q)), [values.q]);
  const reading = useQueryProblems(draft, values.s, zone);
  const complete = useCompletion(search);
  const runText = (text: string) => {
    setHistoryOpen(false);
    if (parseQuery(text).query === undefined) return;
    commit({ q: text.trim() === '' ? '*' : text.trim() });
  };
  const isShown = draft.trim() === shownQuery(values.q);
  useShortcuts([
    { keys: '/', label: 'Type a query', group: GROUP, run: () => editor.current?.focus() },
    { keys: 'mod+Enter', label: texts.run, group: GROUP, run: () => runText(draft) },
  ]);
  return (
    <search className={classes.bar}>
      <div className={classes.inputs}>
        <Streams search={search} />
        <div className={classes.queryBox}>
          <QueryEditor
            ref={editor}
            label={texts.query}
            placeholder={texts.queryPlaceholder}
            value={draft}
            onChange={setDraft}
            onRun={runText}
            onDown={() => setHistoryOpen(true)}
            onQuoted={(before, after) => setQuoted({ before, after })}
            complete={complete}
            problems={reading.problems}
            describedBy={helpId}
          />
          <HistoryMenu search={search} isOpen={isHistoryOpen} onOpenChange={setHistoryOpen} />
        </div>
        <Time search={search} onZoneChange={(tz) => change({ tz })} />
        <RunButton onRun={() => runText(draft)} onCancel={cancel} />
      </div>
      <div className={classes.helpLine}>
        <div id={helpId} className={classes.help}>
          {isShown && <Pills search={search} />}
          <QueryHelp
            search={search}
            problem={reading.problems[0]}
            meaning={reading.meaning}
            draft={draft}
            onFix={setDraft}
            onUnquote={quoted?.after === draft ? () => setDraft(quoted.before) : undefined}
          />
        </div>
        <HelpLink />
      </div>
    </search>
  );
}

function shownQuery(query: string): string {
  return query === '*' ? '' : query;
}

function Pills({ search }: { readonly search: SearchState }) {
  'use memo';
  const { pills, flip, toggle, remove, edit } = usePills(search);
  if (pills.length === 0) return null;
  return <ClausePills pills={pills} onFlip={flip} onSwitch={toggle} onRemove={remove} onEdit={edit} />;
}

const OFFERED_STREAMS = 100;
const FIND_AFTER_MS = 200;

function Streams({ search }: { readonly search: SearchState }) {
  'use memo';
  const [find, setFind] = useState('');
  const [settled] = useDebouncedValue(find.trim(), FIND_AFTER_MS);
  const { data: found } = useQuery(foundStreamsQuery({ find: settled, count: OFFERED_STREAMS }));
  const { titles } = useStreamTitles(search.values.s);
  const button = useRef<HTMLButtonElement>(null);
  useShortcuts([{ keys: 's', label: 'Choose streams', group: GROUP, run: () => button.current?.click() }]);
  return (
    <StreamPicker
      ref={button}
      streams={found?.streams ?? []}
      total={found?.total ?? 0}
      find={find}
      onFind={setFind}
      titles={titles}
      chosen={search.values.s}
      onChange={(s) => search.commit({ s })}
    />
  );
}

interface TimeProps {
  readonly search: SearchState;
  readonly onZoneChange: (zone: string) => void;
}

function Time({ search, onZoneChange }: TimeProps) {
  'use memo';
  const { values, zone, run, commit } = search;
  const button = useRef<HTMLButtonElement>(null);
  const [recent] = useRecentRanges();
  const shift = (direction: -1 | 1) =>
    run !== undefined && commit({ t: { type: 'absolute', ...shiftSpan(run.span, direction) } });
  const widen = () => run !== undefined && commit({ t: zoomOut(values.t, run.span) });
  useShortcuts([
    { keys: 't', label: 'Choose the time', group: GROUP, run: () => button.current?.click() },
    { keys: '[', label: 'Earlier', group: GROUP, run: () => shift(-1) },
    { keys: ']', label: 'Later', group: GROUP, run: () => shift(1) },
    { keys: 'z', label: 'Twice the time', group: GROUP, run: widen },
  ]);
  return (
    <TimePicker
      ref={button}
      range={values.t}
      span={run?.span}
      recent={recent}
      onChange={(t) => commit({ t })}
      onShift={shift}
      onZoomOut={widen}
      onZoneChange={onZoneChange}
      meaningOf={(words, signal) => meaningOfWords(words, zone, signal)}
    />
  );
}

function useCompletion({ values, run }: SearchState) {
  const client = useQueryClient();
  return async (query: string, cursor: number, signal: AbortSignal) => {
    const body = { query, cursor, streams: [...values.s], timerange: run && timeRangeOf(run) };
    const [{ items }, fields] = await Promise.all([
      call('POST /search/complete', { body, signal }),
      client.ensureQueryData(fieldsQuery).catch(() => []),
    ]);
    const typeOf = (field: string) => fields.find(({ name }) => name === field)?.type.type;
    return [...items, ...templatesAt(query, cursor, typeOf, serverNow())];
  };
}
