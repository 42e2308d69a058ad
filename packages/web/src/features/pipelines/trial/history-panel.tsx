import { useDebouncedValue } from '@mantine/hooks';
import type { PipelinePreviewRequest, PreviewedMessageView } from '@millrace/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { InlineNotice } from '../../../components/inline-notice.tsx';
import { LogText } from '../../../components/log-text.tsx';
import { DEFAULT_RANGE, RANGES, SamplePicker } from '../../../components/sample-picker.tsx';
import { Timestamp } from '../../../components/timestamp.tsx';
import { call } from '../../../lib/api/index.ts';
import type { LogMessage } from '../../../lib/messages/index.ts';
import { parseInstant } from '../../../lib/time/index.ts';
import classes from '../pipelines.module.css';
import { trialTexts } from '../texts.ts';
import { Changes } from './trace.tsx';
import type { WhatRuns } from './what-runs.ts';

const SAMPLES = [1000, 10_000];
const EXAMPLES = 20;
/** It is a search and a run over thousands of messages: only when nobody types any more. */
const RUN_AFTER_MS = 800;
const SHOWN_CHARACTERS = 300;

export interface HistoryPanelProps {
  /** Undefined while the source has problems. */
  readonly what: WhatRuns | undefined;
  readonly streams: readonly string[];
  readonly onTry: (message: LogMessage) => void;
}

/** What would have happened to the newest stored messages. */
export function HistoryPanel({ what, streams, onTry }: HistoryPanelProps) {
  const [sample, setSample] = useState(1000);
  const [range, setRange] = useState(DEFAULT_RANGE.value);
  const headingId = useId();
  const timerange = (RANGES.find(({ value }) => value === range) ?? DEFAULT_RANGE).timerange;
  const request = JSON.stringify({ ...what, streams, timerange, sample, examples: EXAMPLES });
  const [settled] = useDebouncedValue(request, RUN_AFTER_MS);
  const isSettled = settled === request;
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['pipelines', 'previewed', settled],
    queryFn: ({ signal }) => {
      const body = JSON.parse(settled) as Partial<PipelinePreviewRequest>;
      return call('POST /system/pipelines/preview', { body, signal });
    },
    enabled: what !== undefined && isSettled,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });
  const isStale = isPlaceholderData || !isSettled;
  return (
    <section className={classes.card} aria-labelledby={headingId} aria-busy={isStale}>
      <div className={classes.cardHead}>
        <h2 id={headingId}>{trialTexts.history}</h2>
        <SamplePicker
          samples={SAMPLES}
          sample={sample}
          onSample={setSample}
          ranges={RANGES}
          range={range}
          onRange={setRange}
        />
      </div>
      {what === undefined && <p className={classes.quiet}>{trialTexts.waits}</p>}
      {what !== undefined && error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {what !== undefined && error === null && data !== undefined && (
        <div className={classes.result}>
          <p role="status" data-stale={isStale} className={classes.summary}>
            {trialTexts.summary(data)}
          </p>
          {data.disabled_rules.length > 0 && (
            <InlineNotice kind="warn">{trialTexts.wouldBeDisabled(data.disabled_rules)}</InlineNotice>
          )}
          {data.lookup_tables_left_out.length > 0 && (
            <InlineNotice kind="info">{trialTexts.tablesLeftOut(data.lookup_tables_left_out)}</InlineNotice>
          )}
          <Examples messages={data.messages} onTry={onTry} />
        </div>
      )}
    </section>
  );
}

interface ExamplesProps {
  readonly messages: readonly PreviewedMessageView[];
  readonly onTry: (message: LogMessage) => void;
}

function Examples({ messages, onTry }: ExamplesProps) {
  if (messages.length === 0) return null;
  return (
    <ul className={classes.examples} aria-label={trialTexts.examples}>
      {messages.map((message) => (
        <li key={`${message.index}/${message.id}`}>
          <button
            type="button"
            className={classes.example}
            title={trialTexts.tryThis}
            onClick={() => onTry(tried(message))}
          >
            <span className={classes.quiet}>
              <Timestamp value={message.timestamp} />
            </span>
            <LogText text={message.message} isOneLine limit={SHOWN_CHARACTERS} />
          </button>
          <Changes changes={message.changes} />
          <p className={message.errors.length > 0 ? classes.failure : classes.quiet}>
            {trialTexts.others(message)}
          </p>
        </li>
      ))}
    </ul>
  );
}

function tried({ index, id, timestamp, message }: PreviewedMessageView): LogMessage {
  return { index, id, timestamp: parseInstant(timestamp) ?? 0, fields: { message }, marks: {} };
}
