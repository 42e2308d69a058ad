import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { MessageRows } from '../../components/message-rows.tsx';
import { type RangeChoice, SamplePicker } from '../../components/sample-picker.tsx';
import { Sparkline } from '../../components/sparkline.tsx';
import type { LogMessage } from '../../lib/messages/index.ts';
import classes from './rules.module.css';
import { ruleTexts } from './texts.ts';
import type { Preview } from './use-preview.ts';

const SAMPLES = [1000, 10_000, 100_000];

export interface PreviewPanelProps {
  readonly preview: Preview;
  readonly sample: number;
  readonly onSample: (sample: number) => void;
  readonly ranges: readonly RangeChoice[];
  readonly range: string;
  readonly onRange: (value: string) => void;
  readonly onTry: (message: LogMessage) => void;
  /** How the result compares with the search it was made from. */
  readonly comparison?: React.ReactNode;
}

/** What the rules would have done to stored messages. */
export function PreviewPanel(props: PreviewPanelProps) {
  const { preview, sample, onSample, ranges, range, onRange, onTry, comparison } = props;
  const { result, error, isStale } = preview;
  const [shown, setShown] = useState<'matched' | 'missed'>('matched');
  return (
    <section className={classes.preview} aria-labelledby="preview-heading" aria-busy={isStale}>
      <div className={classes.previewHead}>
        <h2 id="preview-heading">{ruleTexts.preview}</h2>
        <SamplePicker {...{ samples: SAMPLES, sample, onSample, ranges, range, onRange }} />
      </div>
      {error !== null && <ErrorNotice error={error} onRetry={preview.retry} />}
      {result !== undefined && (
        <div className={classes.result} data-stale={isStale}>
          <Summary result={result} />
          {comparison}
          {result.would_be_disabled && <InlineNotice kind="warn">{ruleTexts.wouldBeDisabled}</InlineNotice>}
          {result.timed_out > 0 && !result.would_be_disabled && (
            <InlineNotice kind="warn">{ruleTexts.slow(result.timed_out)}</InlineNotice>
          )}
          {result.looked_at > 0 && (
            <>
              <SegmentedControl
                aria-label="Which messages"
                className={classes.which ?? ''}
                value={shown}
                onChange={(value) => setShown(value === 'missed' ? 'missed' : 'matched')}
                data={[
                  { value: 'matched', label: ruleTexts.matched },
                  { value: 'missed', label: ruleTexts.missed },
                ]}
              />
              <MessageRows
                messages={result.examples[shown]}
                nothing={shown === 'matched' ? ruleTexts.noneMatched : ruleTexts.noneMissed}
                onTry={onTry}
              />
            </>
          )}
        </div>
      )}
    </section>
  );
}

function Summary({ result }: { readonly result: NonNullable<Preview['result']> }) {
  const { looked_at, matched, is_complete, histogram } = result;
  if (looked_at === 0) return <p role="status">{ruleTexts.previewEmpty}</p>;
  return (
    <div className={classes.summary}>
      <p role="status">
        <strong>{ruleTexts.wouldMatch(matched)}</strong>{' '}
        <span className={classes.dim}>{ruleTexts.ofLooked(matched, looked_at, is_complete)}</span>
      </p>
      {histogram !== null && (
        <Sparkline values={histogram.matched} label={ruleTexts.matchedOverTime} width={180} height={24} />
      )}
    </div>
  );
}
