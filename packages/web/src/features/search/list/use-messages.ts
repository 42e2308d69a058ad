import type { MessageSearchResultView } from '@millrace/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { fromFound, type LogMessage } from '../../../lib/messages/index.ts';
import { messagesQuery } from '../queries.ts';
import type { Run } from '../run.ts';
import type { SearchState } from '../use-search.ts';

/** The part of a run that a list that starts at a time shows. Only lists in the order of time can. */
export function runFrom(run: Run, at: number): Run {
  if (at === 0 || !isInTimeOrder(run.sort)) return run;
  const { from, to } = run.span;
  return run.sort.endsWith(':desc')
    ? { ...run, span: { from, to: Math.min(to, Math.max(from, at)) } }
    : { ...run, span: { from: Math.max(from, Math.min(to, at)), to } };
}

export function isInTimeOrder(sort: string): boolean {
  return sort.startsWith('timestamp:');
}

/** Each page is read once, however many follow. */
const known = new WeakMap<MessageSearchResultView, readonly LogMessage[]>();

function messagesOf(page: MessageSearchResultView): readonly LogMessage[] {
  let messages = known.get(page);
  if (messages === undefined) {
    messages = page.messages.map(fromFound);
    known.set(page, messages);
  }
  return messages;
}

/** The messages of the list, as far as they are loaded. */
export function useMessages({ run, values }: SearchState) {
  const columns = values.cols.map(({ field }) => field);
  const query = useInfiniteQuery(messagesQuery(run && runFrom(run, values.at), columns));
  const messages = useMemo(() => (query.data?.pages ?? []).flatMap(messagesOf), [query.data]);
  return { query, messages, total: query.data?.pages[0]?.total_results ?? 0 };
}
