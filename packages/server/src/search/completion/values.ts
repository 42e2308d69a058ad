/** The values of a field that match the input, in one statement. */
import type { SuggestRequest, SuggestResponse } from '@millrace/contract';
import type { Principal } from '#core/index.ts';
import { fieldColumn } from '#storage/index.ts';
import { listOf, textOf } from '../aggregation/field-values.ts';
import { type EntityTitles, entitiesOf } from '../aggregation/index.ts';
import type { Searches } from '../execution/index.ts';
import { type SearchCaller, searchInputOf } from '../search-caller.ts';

/** Suggestions must be fast: they come from at most this many rows. */
const ROW_LIMIT_SETTINGS = { max_rows_to_read: '20000000', read_overflow_mode: 'break' } as const;
/** Longer values are not suggested. */
const MAX_VALUE_LENGTH = 1000;
/** Nearly everything is similar to a shorter input. */
const MIN_CORRECTED_LENGTH = 3;
/** Entities that are found by their titles. */
const MAX_TITLED = 100;

interface ValueRow {
  readonly value: string;
  readonly messages: string;
  readonly total: string;
}

interface ValuesDeps {
  readonly searches: Searches;
  readonly titles: EntityTitles;
}

type Values = Pick<SuggestResponse, 'suggestions' | 'sum_other_docs_count'>;

/** If no value contains the input, those whose beginning is nearly the input: it may be misspelt. */
export async function valuesOf(
  deps: ValuesDeps,
  caller: SearchCaller,
  request: SuggestRequest,
): Promise<Values> {
  const exact = await matchingValues(deps, caller, request, containing);
  const isCorrectable = exact.suggestions.length === 0 && request.input.length >= MIN_CORRECTED_LENGTH;
  return isCorrectable ? matchingValues(deps, caller, request, nearlyStartingWith) : exact;
}

/** SQL over `value`, in lower case. @param written SQL for the input */
type Match = (value: string, written: string) => string;

const containing: Match = (value, written) => `positionUTF8(${value}, ${written}) > 0`;
/** One letter wrong, missing, too many, or two exchanged. */
const nearlyStartingWith: Match = (value, written) =>
  `damerauLevenshteinDistance(substring(${value}, 1, length(${written})), ${written}) <= 1`;

async function matchingValues(
  deps: ValuesDeps,
  { principal, signal }: SearchCaller,
  request: SuggestRequest,
  match: Match,
): Promise<Values> {
  const { field, input } = request;
  const search = await deps.searches.prepare(
    principal,
    searchInputOf({
      query: request.filtering_query ?? '*',
      streams: request.streams ?? [],
      timerange: request.timerange ?? { type: 'relative', range: 300 },
    }),
  );
  const titles = await titlesOf(deps.titles, principal, field);
  const wanted = input.toLowerCase();
  const titled = [...titles]
    .filter(([, title]) => wanted !== '' && title.toLowerCase().includes(wanted))
    .slice(0, MAX_TITLED)
    .map(([id]) => id);
  const written = search.parameters.add(wanted, 'String');
  const ids = search.parameters.add(titled, 'Array(String)');
  // Messages of a readable stream may also belong to streams that the caller may not see.
  const readable = search.parameters.add([...titles.keys()], 'Array(String)');
  const isReadable = field === 'streams' ? ` AND has(${readable}, value)` : '';
  const matches = `(${match('lowerUTF8(value)', written)} OR has(${ids}, value))`;
  const fits = `notEmpty(value) AND lengthUTF8(value) <= ${MAX_VALUE_LENGTH} AND ${matches}${isReadable}`;
  const groups = `SELECT value, count() AS messages FROM ${search.source([`${valueColumn(field)} AS value`])} WHERE ${fits} GROUP BY value`;
  const rows = await deps.searches.rows<ValueRow>(
    search,
    `SELECT value, messages, sum(messages) OVER () AS total FROM (${groups}) ORDER BY startsWith(lowerUTF8(value), ${written}) DESC, messages DESC, value LIMIT ${request.size}`,
    { principal, signal, settings: ROW_LIMIT_SETTINGS },
  );
  const suggestions = rows.map(({ value, messages }) => {
    const title = titles.get(value);
    return { value, occurrence: Number(messages), ...(title === undefined ? {} : { title }) };
  });
  const shown = suggestions.reduce((sum, { occurrence }) => sum + occurrence, 0);
  return { suggestions, sum_other_docs_count: Number(rows[0]?.total ?? 0) - shown };
}

/** `String`: the value, empty if it is missing. For message texts it is each word, because nobody types a whole one. */
function valueColumn(field: string): string {
  if (field === 'message' || field === 'full_message') {
    const words = `tokens(lowerUTF8(${fieldColumn(field).expression}), 'splitByNonAlpha')`;
    return `arrayJoin(arrayDistinct(${words}))`;
  }
  const list = listOf(field);
  return list === undefined ? `ifNull(${textOf(field)}, '')` : `arrayJoin(${list})`;
}

/** Messages hold ids, people know titles. */
async function titlesOf(
  titles: EntityTitles,
  principal: Principal,
  field: string,
): Promise<ReadonlyMap<string, string>> {
  const entities = entitiesOf(field);
  return entities === undefined ? new Map() : titles[entities](principal);
}
