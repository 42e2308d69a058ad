import { useDeferredValue, useMemo } from 'react';
import { findPattern } from '../../../lib/log-text/index.ts';
import { fieldText, type LogMessage } from '../../../lib/messages/index.ts';
import type { ListColumn } from '../search-params.ts';

const NONE: readonly number[] = [];

/** The loaded rows whose columns contain a text. */
export function findRows(
  messages: readonly LogMessage[],
  columns: readonly ListColumn[],
  find: string,
): readonly number[] {
  if (find === '') return NONE;
  const pattern = findPattern(find, 'iu');
  const fields = columns.map(({ field }) => field).filter((field) => field !== 'timestamp');
  const rows: number[] = [];
  for (let at = 0; at < messages.length; at += 1) {
    const message = messages[at];
    if (message !== undefined && fields.some((field) => pattern.test(fieldText(message.fields[field])))) {
      rows.push(at);
    }
  }
  return rows;
}

/** Later than the typing, never in its way: until `isDone` the rows are those of what was typed before. */
export function useFind(messages: readonly LogMessage[], columns: readonly ListColumn[], find: string) {
  const text = useDeferredValue(find);
  const hits = useMemo(() => findRows(messages, columns, text), [messages, columns, text]);
  return { hits, isDone: text === find };
}
