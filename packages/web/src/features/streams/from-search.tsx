import { IconAlertTriangle, IconEqual } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { call } from '../../lib/api/index.ts';
import type { QueryRules, Remark } from '../../lib/stream-rules/index.ts';
import classes from './rules.module.css';
import { ruleTexts } from './texts.ts';
import type { Preview, PreviewRange } from './use-preview.ts';

/** What of the search the rules do not say. */
export function Remarks({
  rules,
  streams,
}: {
  readonly rules: QueryRules;
  readonly streams: readonly Remark[];
}) {
  const unfit = [...rules.unfit, ...streams];
  if (unfit.length === 0 && rules.nearly.length === 0) return null;
  return (
    <InlineNotice kind="warn" title={ruleTexts.unfitTitle}>
      <ul className={classes.remarks}>
        {unfit.map(({ clause, reason }) => (
          <li key={clause}>
            <code>{clause}</code> has no rule. {reason}
          </li>
        ))}
        {rules.nearly.map(({ clause, reason }) => (
          <li key={clause}>
            <code>{clause}</code>: {reason}
          </li>
        ))}
      </ul>
    </InlineNotice>
  );
}

export interface ComparisonProps {
  readonly query: string;
  readonly streams: readonly string[];
  readonly preview: Preview;
  readonly range: PreviewRange;
}

/** Whether the rules match as many messages as the search finds in the same time. */
export function Comparison({ query, streams, preview, range }: ComparisonProps) {
  const { result, isStale } = preview;
  // When there were more messages than it looked at, both are compared over what it saw.
  const timerange =
    result === undefined || result.is_complete || result.histogram === null
      ? range.timerange
      : ({ type: 'absolute', from: result.histogram.from, to: result.histogram.to } as const);
  const { data } = useQuery({
    queryKey: ['streams', 'comparison', query, streams, timerange],
    queryFn: ({ signal }) =>
      call('POST /messages/search', {
        body: { query, streams: [...streams], timerange, limit: 0 },
        signal,
      }),
    enabled: result !== undefined && !isStale,
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (data === undefined || result === undefined) return <p className={classes.comparison}> </p>;
  const isSame = data.total_results === result.matched;
  const Icon = isSame ? IconEqual : IconAlertTriangle;
  return (
    <p className={classes.comparison} data-same={isSame}>
      <Icon size={14} aria-hidden="true" />{' '}
      {isSame
        ? ruleTexts.searchSame(data.total_results)
        : ruleTexts.searchDiffers(data.total_results, result.matched)}
    </p>
  );
}
