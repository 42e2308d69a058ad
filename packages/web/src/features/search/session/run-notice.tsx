import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { InlineNotice } from '../../../components/inline-notice.tsx';
import { formatClock, formatInstant, parseInstant, type TimeSpan } from '../../../lib/time/index.ts';
import { messagesQuery } from '../queries.ts';
import classes from '../search.module.css';
import { texts } from '../texts.ts';
import type { SearchState } from '../use-search.ts';

/** Where a search ended before it was done. */
export function RunNotice({ search }: { readonly search: SearchState }) {
  'use memo';
  const { run, zone, values } = search;
  const { data, isPlaceholderData, fetchStatus } = useInfiniteQuery(messagesQuery(run));
  const from = parseInstant(data?.pages[0]?.searched_from ?? '');
  if (run === undefined || from === undefined || isPlaceholderData) return null;
  if (fetchStatus !== 'idle' || values.view !== 'messages') return null;
  return (
    <div className={classes.notice}>
      <InlineNotice
        kind="warn"
        title={texts.stoppedAt(searchedBackTo(from, run.span, zone))}
        actions={<Button onClick={() => search.commit({})}>{texts.again}</Button>}
      >
        {texts.stoppedRest}
      </InlineNotice>
    </div>
  );
}

/** The time of day alone, if the range ends on the same day. */
export function searchedBackTo(from: number, span: TimeSpan, zone: string): string {
  const isSameDay = formatInstant(from, zone, 'day') === formatInstant(span.to, zone, 'day');
  return isSameDay ? formatClock(from, zone) : formatInstant(from, zone);
}
