/** Searches on their way: from what somebody asks to statements that run within limits. */
import { randomUUID } from 'node:crypto';
import { parseQuery, type QueryNode, type QueryProblem } from '@millrace/query';
import { type Clock, FAILURE_INDEX_SET_ID, ForbiddenError, type Principal } from '#core/index.ts';
import type { ClickHouse, ClickHouseSettings, ReadProgress, SearchTarget } from '#storage/index.ts';
import type { CataloguedField } from '#storage/service.ts';
import { createSqlParameters, queryCondition, type SqlParameters, valueProblems } from '../query/index.ts';
import { requireTimeZone, type TimeRange, type TimeSpan, timeSpanOf } from '../time/index.ts';
import { MAX_ANSWER_BYTES, toSearchError } from './failures.ts';
import { createMessageSource, type MessageSource } from './message-source.ts';
import { asksForFailures, queryParseError, unknownFieldWarnings } from './query-problems.ts';
import type { SearchSlot, SearchSlots } from './slots.ts';

/** What somebody asks. */
export interface SearchInput {
  /** In the query language; empty is `*`. */
  readonly query: string;
  readonly range: TimeRange;
  /** Only messages of these; without or empty: all that the caller may read, but no failures. */
  readonly streams?: readonly string[] | undefined;
  /** For times in the query and the range that name none; UTC without. */
  readonly timeZone?: string | undefined;
}

/** A search that was parsed and checked against the caller's permissions. Parameters may be added until it runs. */
export interface PreparedSearch extends MessageSource {
  readonly query: QueryNode;
  /** As it was asked. */
  readonly text: string;
  readonly span: TimeSpan;
  readonly timeZone: string;
  readonly parameters: SqlParameters;
  /** The fields of all messages, as far as they are known. */
  readonly fields: readonly CataloguedField[];
  readonly warnings: readonly QueryProblem[];
  readonly targets: readonly SearchTarget[];
}

export interface RunOptions {
  readonly principal: Pick<Principal, 'userId'>;
  /** Ends the statement in the engine as well. */
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((progress: ReadProgress) => void) | undefined;
  readonly settings?: ClickHouseSettings;
  /** When several statements are one search: what `enter` gave. Without it each statement is one of its own. */
  readonly slot?: SearchSlot | undefined;
  /** Another time limit than `search_timeout`; 0 for none. */
  readonly timeoutMs?: number;
}

/**
 * Contract: `prepare` rejects with `InvalidError` (in the shape of a `QueryParseError` for the query) and with
 * `ForbiddenError` for a stream the caller may not read. `rows` and `stream` reject with `TooManyRequestsError` past
 * the caller's slots, with `SearchFailedError` past a limit, with `UnavailableError` or `RetryableError` when the
 * engine is away, and with the reason of the signal.
 */
export interface Searches {
  prepare(principal: Principal, input: SearchInput): Promise<PreparedSearch>;
  /** For statements that are one search together. Release it. */
  enter(options: Pick<RunOptions, 'principal' | 'signal'>): Promise<SearchSlot>;
  /** One statement; all its rows, up to a size that can be held. 64-bit integers are texts unless the settings say otherwise. */
  rows<Row>(search: Pick<PreparedSearch, 'parameters'>, sql: string, options: RunOptions): Promise<Row[]>;
  /** One statement, its rows in batches: constant memory. Leaving the iteration ends it. */
  stream<Row>(
    search: Pick<PreparedSearch, 'parameters'>,
    sql: string,
    options: RunOptions,
  ): AsyncIterable<Row[]>;
  /** One statement that ends with its FORMAT, as the engine writes it; see `ClickHouseServer.text`. */
  text(search: Pick<PreparedSearch, 'parameters'>, sql: string, options: RunOptions): AsyncIterable<Buffer>;
}

/** What searches need of storage. */
export interface SearchableStorage {
  clickhouse(): ClickHouse;
  searchTargets(): readonly SearchTarget[];
  fields(): readonly CataloguedField[];
}

export interface SearchesDeps {
  readonly storage: SearchableStorage;
  /** The ids of all streams. */
  readonly streamIds: () => Promise<readonly string[]>;
  readonly slots: SearchSlots;
  readonly clock: Clock;
}

export interface SearchLimits {
  /** `search_timeout` */
  readonly timeoutMs: number;
  /** `search_max_memory` */
  readonly maxMemoryBytes: number;
  /** `query_time_range_limit`; undefined for none. */
  readonly timeRangeLimitMs?: number | undefined;
}

/** Longer than this the engine may not be silent, so a longer statement must tell of its progress. */
const MAX_SILENCE_MS = 100_000;
/** For what is held as a whole. */
const ANSWER_SETTINGS: ClickHouseSettings = {
  max_result_bytes: String(MAX_ANSWER_BYTES),
  result_overflow_mode: 'throw',
};

export function createSearches(deps: SearchesDeps, limits: SearchLimits): Searches {
  async function prepare(principal: Principal, input: SearchInput): Promise<PreparedSearch> {
    const now = deps.clock.now();
    const timeZone = requireTimeZone(input.timeZone ?? 'UTC');
    const { query, problems } = understood(input.query, { now, timeZone });
    const span = timeSpanOf(input.range, { now, timeZone, limitMs: limits.timeRangeLimitMs });
    const scope = await streamScope(deps, principal, input.streams ?? [], query);
    const targets = searchedTargets(deps.storage.searchTargets(), scope);
    const fields = deps.storage.fields();
    const parameters = createSqlParameters();
    const condition = queryCondition(query, { fields, now, timeZone }, parameters);
    return {
      query,
      text: input.query,
      span,
      timeZone,
      parameters,
      fields,
      warnings: [...problems, ...unknownFieldWarnings(input.query, fields, principal.can('streams:read'))],
      targets,
      ...createMessageSource({ targets, span, streams: scope.streams, condition, parameters }),
    };
  }

  return {
    prepare,
    enter: ({ principal, signal }) => deps.slots.enter(principal.userId, signal),
    ...createStatements(deps, limits),
  };
}

/** How statements run: within the caller's slots and the limits. */
function createStatements(
  deps: Pick<SearchesDeps, 'slots' | 'storage'>,
  limits: SearchLimits,
): Pick<Searches, 'rows' | 'stream' | 'text'> {
  function statement(search: Pick<PreparedSearch, 'parameters'>, options: RunOptions) {
    const timeoutMs = options.timeoutMs ?? limits.timeoutMs;
    return {
      parameters: search.parameters.values,
      settings: { ...limitSettings({ ...limits, timeoutMs }), ...options.settings },
      queryId: `search-${randomUUID()}`,
      ...(options.signal && { signal: options.signal }),
      ...(options.progress && { onProgress: options.progress }),
    };
  }

  /** The pieces of a statement's answer, within a slot. */
  async function* pieces<Piece>(
    search: Pick<PreparedSearch, 'parameters'>,
    options: RunOptions,
    ask: (clickhouse: ClickHouse, settings: ReturnType<typeof statement>) => AsyncIterable<Piece>,
  ): AsyncGenerator<Piece, void, undefined> {
    const slot = options.slot ?? (await deps.slots.enter(options.principal.userId, options.signal));
    try {
      yield* ask(deps.storage.clickhouse(), statement(search, options));
    } catch (error) {
      throw toSearchError(error, { ...limits, timeoutMs: options.timeoutMs ?? limits.timeoutMs });
    } finally {
      if (options.slot === undefined) slot.release();
    }
  }

  const stream: Searches['stream'] = <Row>(
    search: Pick<PreparedSearch, 'parameters'>,
    sql: string,
    options: RunOptions,
  ) => pieces(search, options, (clickhouse, asked) => clickhouse.stream<Row>(sql, asked));

  async function rows<Row>(
    search: Pick<PreparedSearch, 'parameters'>,
    sql: string,
    options: RunOptions,
  ): Promise<Row[]> {
    const timeoutMs = options.timeoutMs ?? limits.timeoutMs;
    const bounded = { ...options, settings: { ...ANSWER_SETTINGS, ...options.settings } };
    if (options.progress !== undefined || timeoutMs === 0 || timeoutMs > MAX_SILENCE_MS) {
      return (await Array.fromAsync(stream<Row>(search, sql, bounded))).flat();
    }
    const slot = options.slot ?? (await deps.slots.enter(options.principal.userId, options.signal));
    try {
      return await deps.storage.clickhouse().query<Row>(sql, statement(search, bounded));
    } catch (error) {
      throw toSearchError(error, { ...limits, timeoutMs });
    } finally {
      if (options.slot === undefined) slot.release();
    }
  }

  return {
    rows,
    stream,
    text: (search, sql, options) =>
      pieces(search, options, (clickhouse, asked) => clickhouse.text(sql, asked)),
  };
}

/** Throws for a query that is not well written, or with values that can match nothing. */
function understood(text: string, context: { readonly now: number; readonly timeZone: string }) {
  const { query, problems: written } = parseQuery(text);
  if (query === undefined) throw queryParseError(text, written);
  const problems = [...written, ...valueProblems(query, context)];
  if (problems.some(({ severity }) => severity === 'error')) throw queryParseError(text, problems);
  return { query, problems };
}

interface StreamScope {
  readonly streams: readonly string[] | undefined;
  readonly includesFailures: boolean;
}

async function streamScope(
  deps: SearchesDeps,
  principal: Principal,
  wanted: readonly string[],
  query: QueryNode,
): Promise<StreamScope> {
  const forbidden = wanted.filter((id) => !principal.can('streams:read', id));
  if (forbidden.length > 0)
    throw new ForbiddenError(`Not authorized to access stream ${forbidden.join(', ')}`);
  if (wanted.length > 0) return { streams: [...new Set(wanted)], includesFailures: true };
  const includesFailures = asksForFailures(query);
  if (principal.can('streams:read')) return { streams: undefined, includesFailures };
  const readable = (await deps.streamIds()).filter((id) => principal.can('streams:read', id));
  return { streams: readable, includesFailures };
}

/**
 * Failures have an index set of their own, which no other stream can be given: who does not want them need not look
 * there. A table costs a statement as much as the search itself, when that is a quick one.
 */
function searchedTargets(
  targets: readonly SearchTarget[],
  { includesFailures }: StreamScope,
): readonly SearchTarget[] {
  return includesFailures ? targets : targets.filter(({ indexSetId }) => indexSetId !== FAILURE_INDEX_SET_ID);
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
    // The condition of a query stands in the statement once for each index set; queries are bounded before.
    max_query_size: String(16 * 2 ** 20),
    max_ast_elements: '1000000',
    max_expanded_ast_elements: '1000000',
    // Every search has expressions of its own. The engine compiles what it has seen three times, which takes longer
    // than most searches: measured under emulation, the fourth run of a sort took 75 s with it and 4 s without.
    compile_expressions: 0,
    compile_aggregate_expressions: 0,
    compile_sort_description: 0,
  };
}
