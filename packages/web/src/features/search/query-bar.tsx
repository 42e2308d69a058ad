import { Button, Tooltip } from '@mantine/core';
import type { QueryProblem } from '@millrace/query';
import { IconAlertTriangle, IconCircleX, IconPlayerPlay, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { QueryEditor, type QueryEditorHandle } from '../../components/query-editor.tsx';
import { StreamPicker } from '../../components/stream-picker.tsx';
import { TimePicker } from '../../components/time-picker.tsx';
import { call, messageOf } from '../../lib/api/index.ts';
import { useShortcuts } from '../../lib/keys/index.ts';
import { shiftSpan, zoomOut } from '../../lib/time/index.ts';
import { HistoryMenu } from './history-menu.tsx';
import { streamListQuery } from './queries.ts';
import { meaningOfWords, timeRangeOf } from './run.ts';
import classes from './search.module.css';
import { texts } from './texts.ts';
import { useQueryProblems } from './use-query-problems.ts';
import type { SearchState } from './use-search.ts';

const GROUP = 'Search';

/** Streams, query, time and Run; below them what the query means or what is wrong with it. */
export function QueryBar({ search }: { readonly search: SearchState }) {
  const { values, zone, run, isRunning, commit, change, cancel } = search;
  const [draft, setDraft] = useState(shownQuery(values.q));
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const editor = useRef<QueryEditorHandle>(null);
  const streamButton = useRef<HTMLButtonElement>(null);
  const timeButton = useRef<HTMLButtonElement>(null);
  const helpId = useId();
  useEffect(() => setDraft(shownQuery(values.q)), [values.q]);
  const reading = useQueryProblems(draft, values.s, zone);
  const { data: streams } = useQuery(streamListQuery);
  const runText = (text: string) => {
    setHistoryOpen(false);
    if (reading.problems.some(({ severity }) => severity === 'error') && text === draft) return;
    commit({ q: text.trim() === '' ? '*' : text.trim() });
  };
  const shift = (direction: -1 | 1) =>
    run !== undefined && commit({ t: { type: 'absolute', ...shiftSpan(run.span, direction) } });
  const widen = () => run !== undefined && commit({ t: zoomOut(values.t, run.span) });
  useShortcuts([
    { keys: '/', label: 'Type a query', group: GROUP, run: () => editor.current?.focus() },
    { keys: 'mod+Enter', label: texts.run, group: GROUP, run: () => runText(draft) },
    { keys: 't', label: 'Choose the time', group: GROUP, run: () => timeButton.current?.click() },
    { keys: 's', label: 'Choose streams', group: GROUP, run: () => streamButton.current?.click() },
    { keys: '[', label: 'Earlier', group: GROUP, run: () => shift(-1) },
    { keys: ']', label: 'Later', group: GROUP, run: () => shift(1) },
    { keys: 'z', label: 'Twice the time', group: GROUP, run: widen },
    { keys: 'u', label: 'Undo the last step', group: GROUP, run: () => history.back() },
    { keys: 'U', label: 'Redo the step', group: GROUP, run: () => history.forward() },
  ]);
  return (
    <search className={classes.bar}>
      <div className={classes.inputs}>
        <StreamPicker
          ref={streamButton}
          streams={streams?.streams ?? []}
          chosen={values.s}
          onChange={(s) => commit({ s })}
        />
        <div className={classes.queryBox}>
          <QueryEditor
            ref={editor}
            label={texts.query}
            placeholder={texts.queryPlaceholder}
            value={draft}
            onChange={setDraft}
            onRun={runText}
            onDown={() => setHistoryOpen(true)}
            complete={(query, cursor, signal) => complete(search, query, cursor, signal)}
            problems={reading.problems}
            describedBy={helpId}
          />
          <HistoryMenu
            search={search}
            isOpen={isHistoryOpen}
            onOpenChange={setHistoryOpen}
            onChoose={runText}
          />
        </div>
        <TimePicker
          ref={timeButton}
          range={values.t}
          span={run?.span}
          onChange={(t) => commit({ t })}
          onShift={shift}
          onZoomOut={widen}
          onZoneChange={(tz) => change({ tz })}
          meaningOf={(words, signal) => meaningOfWords(words, zone, signal)}
        />
        <RunButton isRunning={isRunning} onRun={() => runText(draft)} onCancel={cancel} />
      </div>
      <div id={helpId} className={classes.help}>
        <QueryHelp
          search={search}
          problem={reading.problems[0]}
          meaning={reading.meaning}
          draft={draft}
          onFix={setDraft}
        />
      </div>
    </search>
  );
}

function shownQuery(query: string): string {
  return query === '*' ? '' : query;
}

async function complete({ values, run }: SearchState, query: string, cursor: number, signal: AbortSignal) {
  const body = { query, cursor, streams: [...values.s], timerange: run && timeRangeOf(run) };
  return (await call('POST /search/complete', { body, signal })).items;
}

interface RunButtonProps {
  readonly isRunning: boolean;
  readonly onRun: () => void;
  readonly onCancel: () => void;
}

const CANCEL_AFTER_MS = 300;

/** Becomes Cancel when a search takes longer than a blink. Both have the same size, so nothing moves. */
function RunButton({ isRunning, onRun, onCancel }: RunButtonProps) {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    if (!isRunning) return;
    const timer = setTimeout(() => setSlow(true), CANCEL_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isRunning]);
  return isRunning && isSlow ? (
    <Button className={classes.run} leftSection={<IconX size={16} />} onClick={onCancel}>
      {texts.cancel}
    </Button>
  ) : (
    <Tooltip label={`${texts.run} (Enter)`}>
      <Button
        className={classes.run}
        variant="filled"
        leftSection={<IconPlayerPlay size={16} />}
        onClick={onRun}
      >
        {texts.run}
      </Button>
    </Tooltip>
  );
}

interface QueryHelpProps {
  readonly search: SearchState;
  readonly problem: QueryProblem | undefined;
  readonly meaning: string | undefined;
  readonly draft: string;
  readonly onFix: (text: string) => void;
}

/** One line, always there. */
function QueryHelp({ search, problem, meaning, draft, onFix }: QueryHelpProps) {
  const { runError, wrong } = search;
  if (problem !== undefined) {
    const Icon = problem.severity === 'error' ? IconCircleX : IconAlertTriangle;
    return (
      <p className={classes.problem} data-severity={problem.severity}>
        <Icon size={14} aria-hidden="true" />
        <span>
          {problem.message} {problem.suggestion}
        </span>
        {problem.replacement !== undefined && (
          <Button size="compact-xs" onClick={() => onFix(problem.replacement ?? draft)}>
            {texts.fix}
          </Button>
        )}
      </p>
    );
  }
  if (runError !== null)
    return (
      <p className={classes.problem} data-severity="error">
        {messageOf(runError)}
      </p>
    );
  if (wrong.length > 0) {
    return (
      <p className={classes.problem} data-severity="warning">
        {texts.wrongParams(wrong)}
      </p>
    );
  }
  return <p className={classes.meaning}>{draft.trim() === '' ? 'All messages.' : meaning}</p>;
}
