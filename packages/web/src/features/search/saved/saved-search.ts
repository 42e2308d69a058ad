import type { SavedSearch, SavedSearchRequest, TimeRangeRequest } from '@millrace/contract';
import { parseInstant, type TimeRange } from '../../../lib/time/index.ts';
import type { SearchParams } from '../../../lib/url/index.ts';
import { DEFAULT_COLUMNS, DEFAULT_RANGE, type SearchValues, searchParams } from '../search-params.ts';

/** Where the search was, not how it was shown: the state of a saved search does not keep these. */
const MOMENTARY = new Set(['q', 't', 's', 'msg', 'at', 'around', 'find', 'live', 'saved']);

/** What a saved search opens with. Everything that it does not say has its default. */
export function paramsOfSaved(
  saved: Pick<SavedSearch, 'query' | 'timerange' | 'streams' | 'fields' | 'sort' | 'state'>,
): SearchParams {
  const { query, timerange, streams, fields, sort, state } = saved;
  const text = typeof query === 'string' ? query : query.query;
  const searched = searchParams.write({
    q: typeof text === 'string' && text !== '' ? text : '*',
    t: timerange === undefined ? DEFAULT_RANGE : rangeOf(timerange),
    s: streams ?? [],
    cols: fields === undefined || fields.length === 0 ? DEFAULT_COLUMNS : fields.map((field) => ({ field })),
    sort: typeof sort === 'string' ? sort : 'timestamp:desc',
  });
  const shown = Object.entries(state ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && !MOMENTARY.has(entry[0]),
  );
  return { ...searched, ...Object.fromEntries(shown) };
}

/** The search as it is saved, with its range as it was chosen: "the last hour" stays that. */
export function savedSearchOf(title: string, values: SearchValues): SavedSearchRequest {
  const shown = Object.entries(searchParams.write(values)).filter(([name]) => !MOMENTARY.has(name));
  return {
    title,
    query: values.q,
    timerange: timeRangeRequest(values.t),
    streams: [...values.s],
    fields: values.cols.map(({ field }) => field),
    sort: values.sort,
    state: Object.fromEntries(shown),
  };
}

export function rangeOf(range: TimeRangeRequest): TimeRange {
  if (range.type === 'keyword') return { type: 'words', text: range.keyword };
  if (range.type === 'absolute') {
    const [from, to] = [parseInstant(range.from), parseInstant(range.to)];
    return from === undefined || to === undefined ? DEFAULT_RANGE : { type: 'absolute', from, to };
  }
  const from = 'range' in range ? range.range : range.from;
  const to = 'range' in range ? 0 : (range.to ?? 0);
  return from > to ? { type: 'relative', from, to } : DEFAULT_RANGE;
}

/** A range as it was chosen, for the API. */
export function timeRangeRequest(range: TimeRange): TimeRangeRequest {
  if (range.type === 'words') return { type: 'keyword', keyword: range.text };
  if (range.type === 'relative') return { type: 'relative', from: range.from, to: range.to };
  return {
    type: 'absolute',
    from: new Date(range.from).toISOString(),
    to: new Date(range.to).toISOString(),
  };
}
