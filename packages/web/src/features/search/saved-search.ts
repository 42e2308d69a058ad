import type { SavedSearch, SavedSearchRequest, TimeRangeRequest } from '@millrace/contract';
import { parseInstant, type TimeRange } from '../../lib/time/index.ts';
import { DEFAULT_COLUMNS, DEFAULT_RANGE, type SearchValues } from './search-params.ts';

/** What a saved search opens with. Everything that it does not say has its default. */
export function paramsOfSaved(
  saved: Pick<SavedSearch, 'query' | 'timerange' | 'streams' | 'fields' | 'sort'>,
) {
  const { query, timerange, streams, fields, sort } = saved;
  const text = typeof query === 'string' ? query : query.query;
  return {
    q: typeof text === 'string' && text !== '' ? text : '*',
    t: timerange === undefined ? DEFAULT_RANGE : rangeOf(timerange),
    s: streams ?? [],
    cols: fields === undefined || fields.length === 0 ? DEFAULT_COLUMNS : fields.map((field) => ({ field })),
    sort: typeof sort === 'string' ? sort : 'timestamp:desc',
  } satisfies Partial<SearchValues>;
}

/** The search as it is saved, with its range as it was chosen: "the last hour" stays that. */
export function savedSearchOf(title: string, values: SearchValues): SavedSearchRequest {
  return {
    title,
    query: values.q,
    timerange: requestOf(values.t),
    streams: [...values.s],
    fields: values.cols.map(({ field }) => field),
    sort: values.sort,
  };
}

function rangeOf(range: TimeRangeRequest): TimeRange {
  if (range.type === 'keyword') return { type: 'words', text: range.keyword };
  if (range.type === 'absolute') {
    const [from, to] = [parseInstant(range.from), parseInstant(range.to)];
    return from === undefined || to === undefined ? DEFAULT_RANGE : { type: 'absolute', from, to };
  }
  const from = 'range' in range ? range.range : range.from;
  const to = 'range' in range ? 0 : (range.to ?? 0);
  return from > to ? { type: 'relative', from, to } : DEFAULT_RANGE;
}

function requestOf(range: TimeRange): TimeRangeRequest {
  if (range.type === 'words') return { type: 'keyword', keyword: range.text };
  if (range.type === 'relative') return { type: 'relative', from: range.from, to: range.to };
  return {
    type: 'absolute',
    from: new Date(range.from).toISOString(),
    to: new Date(range.to).toISOString(),
  };
}
