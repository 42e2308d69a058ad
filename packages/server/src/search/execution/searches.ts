/** From a search request to statements that run within the limits. */
import { randomUUID } from 'node:crypto';
import { parseQuery, type QueryNode, type QueryProblem } from '@millrace/query';
import {
  type AnswerMemory,
  type Clock,
  EVENT_INDEX_SET_ID,
  EVENT_STREAM_ID,
  FAILURE_INDEX_SET_ID,
  FAILURE_STREAM_ID,
  ForbiddenError,
  type Principal,
} from '#core/index.ts';
import type { ClickHouse, ClickHouseSettings, ReadProgress, SearchTarget } from '#storage/index.ts';
import type { CataloguedField } from '#storage/service.ts';
import { createSqlParameters, queryConditions, type SqlParameters, valueProblems } from '../query/index.ts';
import { requireTimeZone, type TimeRange, type TimeSpan, timeSpanOf } from '../time/index.ts';
import { MAX_ANSWER_BYTES, toSearchError } from './failures.ts';
import { createMessageSource, type FieldIds, type MessageSource } from './message-source.ts';
import { asksForFailures, asksForStream, queryParseError, unknownFieldWarnings } from './query-problems.ts';
import type { SearchSlot, SearchSlots } from './slots.ts';

export interface SearchInput {
  /** In the query language; an empty query is `*`. */
  readonly query: string;
  readonly range: TimeRange;
  /** Only messages of these streams. Undefined or empty: of all streams the caller may read, without failures. */
  readonly streams?: readonly string[] | undefined;
  /** Only messages of which one of these fields has a value, with nothing but these ids. Undefined: no such condition. */
  readonly onlyIds?: readonly FieldIds[] | undefined;
  /** For times in the query and the range without a zone; UTC by default. */
  readonly timeZone?: string | undefined;
  /** Whether to answer without the messages of ClickHouse servers that are away. */
  readonly allowPartial?: boolean | undefined;
}

/** What a statement needs to know of its search. */
type RunningSearch = Pick<PreparedSearch, 'parameters' | 'missingServers' | 'targets'>;

/** A search that was parsed and checked against the caller's permissions. Parameters may be added until it runs. */
export interface PreparedSearch extends MessageSource {
  readonly query: QueryNode;
  /** The query as it was written. */
  readonly text: string;
  readonly span: TimeSpan;
  readonly timeZone: string;
  readonly parameters: SqlParameters;
  /** The fields in the field catalogue that the caller may know: those of the streams they may read. */
  readonly fields: readonly CataloguedField[];
  /** The streams that the caller may read; undefined for all. */
  readonly visibleStreams: readonly string[] | undefined;
  readonly warnings: readonly QueryProblem[];
  readonly targets: readonly SearchTarget[];
  /**
   * Servers that were away when a statement of the search ran: their messages are not in its answer. Undefined: such
   * a statement is refused.
   */
  readonly missingServers: Set<string> | undefined;
}

export interface RunOptions {
  readonly principal: Pick<Principal, 'userId'>;
  /** Also stops the statement in the engine. */
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((progress: ReadProgress) => void) | undefined;
  readonly settings?: ClickHouseSettings;
  /** The result of `enter`, for several statements of one search. Without it, each statement takes its own slot. */
  readonly slot?: SearchSlot | undefined;
  /** Replaces `search_timeout`; 0 for no limit. */
  readonly timeoutMs?: number;
}

/**
 * Contract: `prepare` rejects with `InvalidError` (in the shape of a `QueryParseError` for the query) and with
 * `ForbiddenError` for a stream the caller may not read. `rows`, `stream` and `text` reject with
 * `TooManyRequestsError` when the caller has no free slot, with `SearchFailedError` when a limit is exceeded, `rows` with
 * `UnavailableError` when the answers of all searches need too much memory, all with
 * `UnavailableError` or `RetryableError` when the engine is unreachable, and with the reason of the signal.
 */
export interface Searches {
  prepare(principal: Principal, input: SearchInput): Promise<PreparedSearch>;
  /** Takes one slot for several statements. Release it afterwards. */
  enter(options: Pick<RunOptions, 'principal' | 'signal'>): Promise<SearchSlot>;
  /** All rows of a statement, up to `MAX_ANSWER_BYTES`. 64-bit integers are texts unless the settings say otherwise. */
  rows<Row>(search: RunningSearch, sql: string, options: RunOptions): Promise<Row[]>;
  /** The rows of a statement in batches, in constant memory. Leaving the iteration stops the statement. */
  stream<Row>(search: RunningSearch, sql: string, options: RunOptions): AsyncIterable<Row[]>;
  /** The output of a statement that ends with a FORMAT clause; see `ClickHouseServer.text`. */
  text(search: RunningSearch, sql: string, options: RunOptions): AsyncIterable<Buffer>;
}

export interface SearchableStorage {
  clickhouse(): ClickHouse;
  searchTargets(): readonly SearchTarget[];
  /** Of these index sets, or of all; of messages of these streams, or of all. */
  fields(indexSetIds?: readonly string[], streamIds?: readonly string[]): readonly CataloguedField[];
}

export interface SearchesDeps {
  readonly storage: SearchableStorage;
  readonly streams: () => Promise<readonly { readonly id: string; readonly indexSetId: string }[]>;
  readonly slots: SearchSlots;
  readonly answerMemory: AnswerMemory;
  readonly clock: Clock;
}

export interface SearchLimits {
  /** `search_timeout` */
  readonly timeoutMs: number;
  /** `search_max_memory` */
  readonly maxMemoryBytes: number;
  /** `query_time_range_limit`; undefined for no limit. */
  readonly timeRangeLimitMs?: number | undefined;
}

/** A statement that may take longer must report progress: the client gives up on a silent connection. */
const MAX_SILENCE_MS = 100_000;
/** For answers that are held in memory as a whole. */
const ANSWER_SETTINGS: ClickHouseSettings = {
  max_result_bytes: String(MAX_ANSWER_BYTES),
  result_overflow_mode: 'throw',
};

export function createSearches(deps: SearchesDeps, limits: SearchLimits): Searches {
  async function prepare(principal: Principal, input: SearchInput): Promise<PreparedSearch> {
    const now = deps.clock.now();
    const timeZone = requireTimeZone(input.timeZone ?? 'UTC');
    const { query, problems } = requireQuery(input.query, { now, timeZone });
    const span = timeSpanOf(input.range, { now, timeZone, limitMs: limits.timeRangeLimitMs });
    const scope = await streamScope(deps, principal, input.streams ?? [], query);
    const targets = searchedTargets(deps.storage.searchTargets(), scope);
    const allFields = deps.storage.fields();
    const fields =
      scope.visible === undefined
        ? allFields
        : deps.storage.fields(scope.visible.indexSetIds, scope.visible.streamIds);
    const visibleStreams = scope.visible?.streamIds;
    const parameters = createSqlParameters();
    const context = { fields: allFields, visibleStreams, now, timeZone };
    const conditions = queryConditions(query, context, parameters);
    return {
      query,
      text: input.query,
      span,
      timeZone,
      parameters,
      fields,
      visibleStreams,
      warnings: [...problems, ...unknownFieldWarnings(input.query, fields)],
      targets,
      missingServers: input.allowPartial ? new Set() : undefined,
      ...createMessageSource({
        targets,
        span,
        streams: scope.streams,
        visibleStreams,
        onlyIds: input.onlyIds,
        conditions,
        parameters,
      }),
    };
  }

  return {
    prepare,
    enter: ({ principal, signal }) => deps.slots.enter(principal.userId, signal),
    ...createStatements(deps, limits),
  };
}

/** Runs statements within the caller's slots and the limits. */
function createStatements(
  deps: Pick<SearchesDeps, 'slots' | 'storage' | 'answerMemory'>,
  limits: SearchLimits,
): Pick<Searches, 'rows' | 'stream' | 'text'> {
  function statement(search: RunningSearch, options: RunOptions) {
    const timeoutMs = options.timeoutMs ?? limits.timeoutMs;
    const { parameters, missingServers } = search;
    return {
      parameters: parameters.values,
      settings: { ...limitSettings({ ...limits, timeoutMs }), ...options.settings },
      queryId: `search-${randomUUID()}`,
      ...(options.signal && { signal: options.signal }),
      ...(options.progress && { onProgress: options.progress }),
      ...(missingServers && { onMissing: (servers: readonly string[]) => addAll(missingServers, servers) }),
    };
  }

  function failure(error: unknown, { targets }: RunningSearch, options: RunOptions): unknown {
    const tables = new Set(deps.storage.searchTargets().map(({ table }) => table));
    return toSearchError(error, {
      ...limits,
      timeoutMs: options.timeoutMs ?? limits.timeoutMs,
      hasLostTables: targets.some(({ table }) => !tables.has(table)),
    });
  }

  /** Runs a statement in a slot and yields the chunks of its answer. */
  async function* run<Chunk>(
    search: RunningSearch,
    options: RunOptions,
    ask: (clickhouse: ClickHouse, options: ReturnType<typeof statement>) => AsyncIterable<Chunk>,
  ): AsyncGenerator<Chunk, void, undefined> {
    const slot = options.slot ?? (await deps.slots.enter(options.principal.userId, options.signal));
    try {
      yield* ask(deps.storage.clickhouse(), statement(search, options));
    } catch (error) {
      throw failure(error, search, options);
    } finally {
      if (options.slot === undefined) slot.release();
    }
  }

  const stream: Searches['stream'] = <Row>(search: RunningSearch, sql: string, options: RunOptions) =>
    run(search, options, (clickhouse, statementOptions) => clickhouse.stream<Row>(sql, statementOptions));

  async function rows<Row>(search: RunningSearch, sql: string, options: RunOptions): Promise<Row[]> {
    const timeoutMs = options.timeoutMs ?? limits.timeoutMs;
    const slot = options.slot ?? (await deps.slots.enter(options.principal.userId, options.signal));
    const bounded = { ...options, slot, settings: { ...ANSWER_SETTINGS, ...options.settings } };
    const lease = deps.answerMemory.open();
    // Several answers of one search are held together.
    slot.onRelease(lease.release);
    const asked = { ...statement(search, bounded), onRowBytes: lease.add };
    const clickhouse = deps.storage.clickhouse();
    const reportsProgress = options.progress !== undefined || timeoutMs === 0 || timeoutMs > MAX_SILENCE_MS;
    try {
      return reportsProgress
        ? (await Array.fromAsync(clickhouse.stream<Row>(sql, asked))).flat()
        : await clickhouse.query<Row>(sql, asked);
    } catch (error) {
      lease.release();
      throw failure(error, search, options);
    } finally {
      if (options.slot === undefined) slot.release();
    }
  }

  return {
    rows,
    stream,
    text: (search, sql, options) =>
      run(search, options, (clickhouse, statementOptions) => clickhouse.text(sql, statementOptions)),
  };
}

function addAll<Value>(to: Set<Value>, values: Iterable<Value>): void {
  for (const value of values) to.add(value);
}

/** Throws for a query that cannot be parsed, or has values that cannot match. */
export function requireQuery(text: string, context: { readonly now: number; readonly timeZone: string }) {
  const { query, problems: syntaxProblems } = parseQuery(text);
  if (query === undefined) throw queryParseError(text, syntaxProblems);
  const problems = [...syntaxProblems, ...valueProblems(query, context)];
  if (problems.some(({ severity }) => severity === 'error')) throw queryParseError(text, problems);
  return { query, problems };
}

interface StreamScope {
  readonly streams: readonly string[] | undefined;
  /** Index sets of the program itself whose messages are not asked for. */
  readonly leftOut: readonly string[];
  /** What the caller may read; undefined for everything. */
  readonly visible: VisibleStreams | undefined;
}

interface VisibleStreams {
  readonly streamIds: readonly string[];
  readonly indexSetIds: readonly string[];
}

async function streamScope(
  deps: SearchesDeps,
  principal: Principal,
  wanted: readonly string[],
  query: QueryNode,
): Promise<StreamScope> {
  const forbidden = wanted.filter((id) => !principal.can('streams:read', id));
  if (forbidden.length > 0)
    throw new ForbiddenError(`Not authorized to access stream ${forbidden.join(', ')}`, {
      needs: `streams:read:${forbidden.join(',')}`,
    });
  const visible = await visibleStreams(deps, principal);
  if (wanted.length > 0) {
    const leftOut = RESERVED.filter(({ streamId }) => !wanted.includes(streamId));
    return { streams: [...new Set(wanted)], leftOut: leftOut.map(({ indexSetId }) => indexSetId), visible };
  }
  const leftOut = RESERVED.filter(({ isAskedFor }) => !isAskedFor(query));
  return { streams: visible?.streamIds, leftOut: leftOut.map(({ indexSetId }) => indexSetId), visible };
}

async function visibleStreams(
  deps: Pick<SearchesDeps, 'streams'>,
  principal: Principal,
): Promise<VisibleStreams | undefined> {
  if (principal.can('streams:read')) return undefined;
  const readable = (await deps.streams()).filter(({ id }) => principal.can('streams:read', id));
  return {
    streamIds: readable.map(({ id }) => id),
    indexSetIds: [...new Set(readable.map(({ indexSetId }) => indexSetId))],
  };
}

/**
 * Failures and events have their own index sets, which no other streams can use, so searches without them leave these
 * out. One more table can double the time of a quick search.
 */
const RESERVED = [
  { streamId: FAILURE_STREAM_ID, indexSetId: FAILURE_INDEX_SET_ID, isAskedFor: asksForFailures },
  {
    streamId: EVENT_STREAM_ID,
    indexSetId: EVENT_INDEX_SET_ID,
    isAskedFor: (query: QueryNode) => asksForStream(query, EVENT_STREAM_ID),
  },
] as const;

function searchedTargets(
  targets: readonly SearchTarget[],
  { leftOut }: StreamScope,
): readonly SearchTarget[] {
  return targets.filter(({ indexSetId }) => !leftOut.includes(indexSetId));
}

function limitSettings(limits: Pick<SearchLimits, 'timeoutMs' | 'maxMemoryBytes'>): ClickHouseSettings {
  const spillBytes = String(Math.floor(limits.maxMemoryBytes / 2));
  return {
    readonly: '2',
    cancel_http_readonly_queries_on_client_close: 1,
    max_execution_time: Math.ceil(limits.timeoutMs / 1000),
    max_memory_usage: String(limits.maxMemoryBytes),
    max_bytes_before_external_sort: spillBytes,
    max_bytes_before_external_group_by: spillBytes,
    prefer_column_name_to_alias: 1,
    // A statement may read the new parts of a table and its other parts in two places: a merge in between must not show
    // or hide a row.
    enable_shared_storage_snapshot_in_query: 1,
    // To read the statistics of all parts takes longer than the better order of conditions saves.
    use_statistics: 0,
    // A statement contains the condition of the query once for each index set; queries themselves are bounded.
    max_query_size: String(16 * 2 ** 20),
    max_ast_elements: '1000000',
    max_expanded_ast_elements: '1000000',
    // The engine compiles an expression after three uses, which takes longer than most searches. Measured under
    // emulation, the fourth run of a sort took 75 s with compilation and 4 s without.
    compile_expressions: 0,
    compile_aggregate_expressions: 0,
    compile_sort_description: 0,
  };
}
