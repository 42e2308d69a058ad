import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../api/index.ts';
import { parseJson } from '../exact-json.ts';
import { fromFields, type LogMessage } from './log-message.ts';

/** The newest messages that a query finds, of any time. */
export function foundQuery(query: string, limit: number, streams: readonly string[] = []) {
  return queryOptions({
    queryKey: ['tried-messages', query, limit, ...streams],
    queryFn: ({ signal }) =>
      call('POST /messages/search', {
        body: {
          query: query.trim() === '' ? '*' : query,
          streams: [...streams],
          timerange: { type: 'relative', range: 0 },
          limit,
        },
        signal,
      }),
    select: ({ messages }) => messages,
    placeholderData: keepPreviousData,
    retry: false,
  });
}

/** The names of GELF, as senders write it, and what they become. */
const GELF_NAMES = new Map([
  ['short_message', 'message'],
  ['host', 'source'],
]);

/** A message as it is stored or as GELF; undefined for text that is no JSON object. */
export function readPasted(text: string): LogMessage | undefined {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value);
  const isGelf = 'short_message' in value;
  const named = entries.map(([name, field]): [string, unknown] => [isGelf ? plainName(name) : name, field]);
  return fromFields({ _id: 'pasted', ...Object.fromEntries(named) });
}

function plainName(name: string): string {
  return GELF_NAMES.get(name) ?? (name.startsWith('_') && name !== '_id' ? name.slice(1) : name);
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
