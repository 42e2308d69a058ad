/** Searches for messages: a page of them in any order, and the total number. */
import {
  type IndexRangeView,
  MAX_MESSAGE_LIMIT,
  MAX_MESSAGE_OFFSET,
  type MessageSearchResultView,
  type SqlExplanation,
} from '@millrace/contract';
import { explainQuery, printQuery } from '@millrace/query';
import { type Clock, InvalidError, type Principal } from '#core/index.ts';
import { EXACT_JSON_SETTINGS, onOneServer } from '#storage/index.ts';
import type { PreparedSearch, RunOptions, Searches, SearchInput } from '../execution/index.ts';
import { missingIn } from '../search-caller.ts';
import type { TimeRange } from '../time/index.ts';
import { type Cursor, encodeCursor, invalidCursor, parseCursor } from './cursor.ts';
import { createHighlighter, type HighlightRanges } from './highlight.ts';
import {
  type FoundMessage,
  jsonValue,
  type MessageColumns,
  type MessageRow,
  messageJson,
} from './message-rows.ts';
import { planParts } from './page-parts.ts';
import { pageStatement } from './page-statement.ts';
import { consistentTotal, countStatement, countsLater, createTotalCount, totalOfPage } from './page-total.ts';
import { fitsSortKeys, keyName, type MessageSort, NEWEST_FIRST, type SortKey, sortKeys } from './sort.ts';
import type { UsedIndices } from './used-indices.ts';

export interface MessageSearchRequest extends SearchInput {
  readonly limit: number;
  readonly offset?: number | undefined;
  /** Newest first by default. */
  readonly sort?: MessageSort | undefined;
  /** Only these fields; all by default. */
  readonly fields?: readonly string[] | undefined;
  /** The end of the last page. Its order and time range replace those of the request. */
  readonly cursor?: string | undefined;
}

export interface FoundMessages {
  readonly search: PreparedSearch;
  readonly messages: readonly (FoundMessage & { readonly highlightRanges?: HighlightRanges })[];
  /** Exact. */
  readonly totalResults: number;
  /** For the next page; undefined on the last page. */
  readonly cursor: string | undefined;
  readonly tookMs: number;
}

export interface FoundPart {
  /** What this part of the time range adds to the page. */
  readonly messages: MessageSearchResultView['messages'];
  /** The range has been searched from here to its end. */
  readonly searchedFrom: number;
}

export interface MessageSearchOptions extends Pick<RunOptions, 'signal' | 'progress'> {
  /**
   * Told what is found while a page of the newest messages takes long. Other orders have no parts: any message may
   * be the first one.
   */
  readonly partial?: ((part: FoundPart) => void) | undefined;
}

/** Rejects as `Searches` does, and with `InvalidError` for an invalid limit, offset or cursor. */
export interface MessageSearch {
  find(
    principal: Principal,
    request: MessageSearchRequest,
    options?: MessageSearchOptions,
  ): Promise<FoundMessages>;
  /** The same in Graylog's shape. */
  view(
    principal: Principal,
    request: MessageSearchRequest,
    options?: MessageSearchOptions,
  ): Promise<MessageSearchResultView>;
  /** The statements of `find`, and the query in words. */
  explain(principal: Principal, request: MessageSearchRequest): Promise<SqlExplanation>;
}

export interface MessageSearchDeps {
  readonly searches: Searches;
  readonly usedIndices: UsedIndices;
  readonly clock: Clock;
}

export interface MessageSearchSettings {
  /** A page that takes longer is read in parts, if the caller wants to hear of them. */
  readonly patienceMs: number;
}

const DEFAULT_SETTINGS: MessageSearchSettings = { patienceMs: 500 };

/** Larger pages are not highlighted: it takes time, and they are for programs. */
const MAX_HIGHLIGHTED = 500;

export function createMessageSearch(
  deps: MessageSearchDeps,
  { patienceMs }: MessageSearchSettings = DEFAULT_SETTINGS,
): MessageSearch {
  const { searches, clock } = deps;

  async function find(
    principal: Principal,
    request: MessageSearchRequest,
    options: MessageSearchOptions = {},
  ): Promise<FoundMessages> {
    const startedAt = clock.now();
    const page = await preparePage(searches, principal, request);
    const { search } = page;
    const slot = await searches.enter({ principal, signal: options.signal });
    const { signal } = options;
    const read = createReader(search, page.columns);
    const total = createTotalCount(
      (stopped) =>
        searches
          .rows<{ total: string }>(search, countStatement(search), {
            principal,
            slot,
            signal: signal === undefined ? stopped : AbortSignal.any([stopped, signal]),
            progress: options.progress,
          })
          .then(([row]) => Number(row?.total ?? 0)),
      { afterMs: countsLater(request, search) ? patienceMs : 0 },
    );
    try {
      const run = (sql: string, statementSignal: AbortSignal | undefined) =>
        searches.rows<MessageRow>(search, sql, {
          principal,
          slot,
          signal: statementSignal,
          settings: EXACT_JSON_SETTINGS,
        });
      const rows = await readPage({ request, page, options, patienceMs, read, clock, run });
      return {
        search,
        messages: read(rows),
        totalResults:
          totalOfPage(request, rows.length) ?? consistentTotal(request, rows.length, await total.read()),
        cursor:
          rows.length < request.limit || request.limit === 0
            ? undefined
            : nextCursor(search, page.sort, page.keys, rows),
        tookMs: Math.max(0, Math.round(clock.now() - startedAt)),
      };
    } finally {
      total.stop();
      slot.release();
    }
  }

  return {
    find,
    async view(principal, request, options) {
      const ranges = deps.usedIndices.refresh();
      const [found] = await Promise.all([find(principal, request, options), ranges]);
      return resultView(deps, principal, found);
    },
    async explain(principal, request) {
      const { search, sql } = await preparePage(searches, principal, request);
      const parameters = jsonParameters(search.parameters.values);
      return {
        statements: [
          { purpose: 'messages', sql: onOneServer(sql), parameters },
          { purpose: 'total_results', sql: onOneServer(countStatement(search)), parameters },
        ],
        query: explainQuery(search.query),
        from: new Date(search.span.from).toISOString(),
        to: new Date(search.span.to).toISOString(),
      };
    },
  };
}

type FoundWithHighlights = FoundMessages['messages'][number];

function createReader(search: PreparedSearch, columns: MessageColumns) {
  const createHighlight = createHighlighter(search.query);
  return (rows: readonly MessageRow[]): FoundWithHighlights[] => {
    const highlight = rows.length > MAX_HIGHLIGHTED ? undefined : createHighlight?.();
    return rows.map((row) => {
      const message = columns.read(row, search);
      const highlightRanges = highlight?.(message);
      return { ...message, ...(highlightRanges && { highlightRanges }) };
    });
  };
}

interface PageReading {
  readonly request: MessageSearchRequest;
  readonly page: Awaited<ReturnType<typeof preparePage>>;
  readonly options: MessageSearchOptions;
  readonly patienceMs: number;
  readonly read: (rows: readonly MessageRow[]) => FoundWithHighlights[];
  readonly clock: Clock;
  readonly run: (sql: string, signal: AbortSignal | undefined) => Promise<MessageRow[]>;
}

/** The whole page in one statement; in parts, if that takes long and somebody wants to see what is found. */
async function readPage(reading: PageReading): Promise<MessageRow[]> {
  const { request, page, options, patienceMs, run } = reading;
  if (request.limit === 0) return [];
  const { field, direction } = page.sort;
  const hasParts = field === NEWEST_FIRST.field && direction === NEWEST_FIRST.direction && !request.offset;
  if (options.partial === undefined || !hasParts) return run(page.sql, options.signal);
  if (patienceMs > 0) {
    const patience = AbortSignal.timeout(patienceMs);
    try {
      return await run(page.sql, AbortSignal.any([patience, ...(options.signal ? [options.signal] : [])]));
    } catch (error) {
      if (!patience.aborted || options.signal?.aborted) throw error;
    }
  }
  return readParts(reading, options.partial);
}

async function readParts(
  { request, page, options, read, clock, run }: PageReading,
  tell: (part: FoundPart) => void,
): Promise<MessageRow[]> {
  const { search, sort, cursor } = page;
  const to = cursor === undefined ? search.span.to : Math.min(search.span.to, cursor.position.timestamp);
  const plan = planParts({ from: search.span.from, to }, search.parameters);
  const rows: MessageRow[] = [];
  for (let part = plan.next(); part !== undefined && rows.length < request.limit; part = plan.next()) {
    const startedAt = clock.now();
    const { sql } = pageStatement(search, {
      ...request,
      sort,
      after: cursor?.position,
      limit: request.limit - rows.length,
      condition: part.condition,
    });
    const found = await run(sql, options.signal);
    plan.took(clock.now() - startedAt);
    rows.push(...found);
    tell({ messages: read(found).map(foundView), searchedFrom: part.from });
  }
  return rows;
}

async function preparePage(searches: Searches, principal: Principal, request: MessageSearchRequest) {
  requirePage(request);
  const cursor = request.cursor === undefined ? undefined : parseCursor(request.cursor);
  const range = cursor === undefined ? request.range : absoluteRange(cursor);
  const search = await searches.prepare(principal, { ...request, range });
  const sort = cursor?.sort ?? request.sort ?? NEWEST_FIRST;
  const keys = sortKeys(sort);
  if (cursor !== undefined && !fitsSortKeys(cursor.position, keys)) {
    throw new InvalidError(
      'The cursor belongs to another search. Start with the first page, without a cursor.',
    );
  }
  const page = { ...request, sort, after: cursor?.position };
  return { search, sort, keys, cursor, ...pageStatement(search, page) };
}

function requirePage({ limit, offset = 0, cursor }: MessageSearchRequest): void {
  if (!Number.isInteger(limit) || limit < 0 || limit > MAX_MESSAGE_LIMIT) {
    throw new InvalidError(
      `limit must be a whole number from 0 to ${MAX_MESSAGE_LIMIT}; got ${limit}. Use the cursor to get more messages, or export them.`,
    );
  }
  if (!Number.isInteger(offset) || offset < 0 || offset > MAX_MESSAGE_OFFSET) {
    throw new InvalidError(
      `offset must be a whole number from 0 to ${MAX_MESSAGE_OFFSET}; got ${offset}. Use the cursor to go further.`,
    );
  }
  if (cursor !== undefined && offset > 0)
    throw new InvalidError('Use either a cursor or an offset, not both.');
}

/** The time range of the first page, which is checked against the limits again. */
function absoluteRange({ span }: Cursor): TimeRange {
  if (Math.abs(span.from) > 8.64e15 || Math.abs(span.to) > 8.64e15) {
    throw invalidCursor();
  }
  const text = (time: number) => new Date(time).toISOString();
  return { type: 'absolute', from: text(span.from), to: text(span.to) };
}

/** Integers beyond 2^53 keep all their digits. */
function jsonParameters(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const exact = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(exact);
    return typeof value === 'bigint' ? jsonValue(value) : value;
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, exact(value)]));
}

function nextCursor(
  search: PreparedSearch,
  sort: MessageSort,
  keys: readonly SortKey[],
  rows: readonly MessageRow[],
): string | undefined {
  const last = rows.at(-1);
  if (last === undefined) return undefined;
  return encodeCursor({
    sort,
    span: search.span,
    position: {
      keys: keys.map((_, position) => last[`${keyName(position)}_value`] as string | number | null),
      timestamp: last.time,
      receivedAt: last.received,
      partition: last.id_partition,
      offset: last.id_offset,
    },
  });
}

async function resultView(
  deps: MessageSearchDeps,
  principal: Principal,
  found: FoundMessages,
): Promise<MessageSearchResultView> {
  const { search, messages, cursor } = found;
  const time = (at: number) => new Date(at).toISOString();
  const names = new Set(messages.flatMap(({ fields }) => [...fields.keys()]));
  return {
    query: search.text,
    built_query: printQuery(search.query),
    used_indices: await visibleIndices(deps, principal, found),
    messages: messages.map(foundView),
    fields: [...names].sort(),
    time: found.tookMs,
    total_results: found.totalResults,
    from: time(search.span.from),
    to: time(search.span.to),
    ...(cursor !== undefined && { cursor }),
    ...(search.warnings.length > 0 && { warnings: [...search.warnings] }),
    ...missingIn(search),
  };
}

function foundView(message: FoundWithHighlights): MessageSearchResultView['messages'][number] {
  return {
    ...(message.highlightRanges && { highlight_ranges: message.highlightRanges }),
    message: messageJson(message),
    index: message.index,
  };
}

/**
 * The times of an index are those of all its messages. A caller who may read only some streams gets them with the
 * permission for the index; of other indices they see what the messages of the page say.
 */
async function visibleIndices(
  { usedIndices, clock }: MessageSearchDeps,
  principal: Principal,
  { search, messages }: FoundMessages,
): Promise<IndexRangeView[]> {
  const used = await usedIndices.of(search.targets, search.span);
  if (search.visibleStreams === undefined) return used;
  const permitted = used.filter(({ index_name: name }) => principal.can('indexranges:read', name));
  const names = new Set(permitted.map(({ index_name: name }) => name));
  const times = Map.groupBy(
    messages.filter(({ index }) => !names.has(index)),
    ({ index }) => index,
  );
  const text = (time: number) => new Date(time).toISOString();
  return [
    ...permitted,
    ...[...times].map(([name, ofIndex]) => ({
      index_name: name,
      begin: text(Math.min(...ofIndex.map(({ timestamp }) => timestamp))),
      end: text(Math.max(...ofIndex.map(({ timestamp }) => timestamp))),
      calculated_at: text(clock.now()),
      took_ms: 0,
    })),
  ].sort((one, other) => (one.index_name < other.index_name ? -1 : 1));
}
