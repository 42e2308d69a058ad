/** The scripting API: messages and aggregations as tables. */
import {
  type AggregateQuery,
  type AggregateRequest,
  DEFAULT_MESSAGE_COUNT,
  DEFAULT_MESSAGE_FIELDS,
  DEFAULT_TIME_RANGE,
  formatTimestamp,
  type GroupingRequest,
  MAX_GROUPINGS,
  MAX_METRICS,
  type MessagesQuery,
  type MessagesRequest,
  type MetricRequest,
  type TableCell,
  type TableColumn,
  type TableResponse,
} from '@millrace/contract';
import { InvalidError } from '#core/index.ts';
import { fieldColumn } from '#storage/index.ts';
import type { PreparedSearch, Searches, SearchInput } from '../execution/index.ts';
import type { FoundMessage, MessageSearch } from '../messages/index.ts';
import { effectiveTimeRange, missingIn, type SearchCaller, searchInputOf } from '../search-caller.ts';
import { parseTimeRangeText, type TimeRange } from '../time/index.ts';
import { pivotCells, pivotColumns } from './pivot.ts';
import { runPivot } from './run-pivot.ts';
import { EMPTY_CELL } from './table-text.ts';
import { type EntityTitles, requestedField, titleReaders } from './titles.ts';

export interface Tables {
  /** A row for each message. A missing field is `-`. */
  messages(caller: SearchCaller, request: MessagesRequest): Promise<TableResponse>;
  /** A row for each group, or one row without groups. By default in descending order of the first metric. */
  aggregate(caller: SearchCaller, request: AggregateRequest): Promise<TableResponse>;
}

export interface TablesDeps {
  readonly searches: Searches;
  readonly messages: Pick<MessageSearch, 'find'>;
  readonly titles: EntityTitles;
}

export function createTables({ searches, messages, titles }: TablesDeps): Tables {
  return {
    async messages({ principal, signal }, request) {
      const fields = (request.fields?.length ? request.fields : DEFAULT_MESSAGE_FIELDS).map(requestedField);
      const size = request.size ?? 0;
      const found = await messages.find(
        principal,
        {
          ...tableSearchInput(request),
          fields: fields.map(({ name }) => name),
          limit: size > 0 ? size : DEFAULT_MESSAGE_COUNT,
          offset: request.from ?? 0,
          sort: {
            field: requestedField(request.sort ?? 'timestamp').name,
            direction: request.sort_order ?? 'desc',
          },
        },
        { signal },
      );
      const titleOf = await titleReaders(fields, titles, principal);
      const typeOf = typeReader(found.search);
      return tableOf(
        found.search,
        fields.map(({ requested, name }) => ({
          column_type: 'field',
          type: typeOf(name),
          field: requested,
          name: `field: ${requested}`,
        })),
        found.messages.map((message) =>
          fields.map(({ name }, at) => messageCell(message, name, titleOf[at] ?? String)),
        ),
      );
    },
    async aggregate({ principal, signal }, request) {
      const search = await searches.prepare(principal, tableSearchInput(request));
      const { pivot, rows } = await runPivot(searches, { principal, signal }, search, {
        groupings: request.group_by ?? [],
        metrics: request.metrics,
      });
      const titleOf = await titleReaders(
        pivot.groupings.map(({ field }) => field),
        titles,
        principal,
      );
      const cells = pivotCells(rows, pivot, titleOf).map((row) => row.map((cell) => cell ?? EMPTY_CELL));
      return tableOf(search, pivotColumns(pivot, typeReader(search)), cells);
    },
  };
}

function messageCell(message: FoundMessage, field: string, titleOf: (id: string) => string): TableCell {
  if (field === 'timestamp') return formatTimestamp(message.timestamp);
  if (field === '_id' || field === 'gl2_message_id') return message.id;
  const value = message.fields.get(field);
  switch (typeof value) {
    case 'undefined':
      return EMPTY_CELL;
    case 'string':
      return titleOf(value);
    case 'number':
    case 'boolean':
      return value;
    case 'bigint':
      return String(value);
    default:
      return value.map(titleOf);
  }
}

/** With the defaults of the scripting API. */
function tableSearchInput(request: {
  readonly query?: string | undefined;
  readonly streams?: readonly string[] | undefined;
  readonly stream_categories?: readonly string[] | undefined;
  readonly timerange?: TimeRange | undefined;
  readonly allow_partial?: boolean | undefined;
}): SearchInput {
  const category = request.stream_categories?.[0];
  if (category !== undefined) {
    throw new InvalidError(
      `Streams have no categories here, so no stream is in ${JSON.stringify(category)}. List the ids of the streams in "streams".`,
    );
  }
  const { query = '*', streams = [], timerange = DEFAULT_TIME_RANGE, allow_partial } = request;
  return searchInputOf({ query, streams, timerange, allow_partial });
}

function tableOf(
  search: Pick<PreparedSearch, 'span' | 'missingServers'>,
  schema: TableColumn[],
  datarows: TableCell[][],
): TableResponse {
  const metadata = { effective_timerange: effectiveTimeRange(search.span), ...missingIn(search) };
  return { schema, datarows, metadata };
}

/** Returns the type of a column by its field. */
function typeReader({ fields }: Pick<PreparedSearch, 'fields'>): (field: string) => TableColumn['type'] {
  const known = new Map(fields.map(({ name, types }) => [name, types]));
  return (field) => {
    const { kind } = fieldColumn(field);
    if (kind === 'time') return 'date';
    if (kind === 'number') return 'numeric';
    if (kind !== 'dynamic') return 'string';
    const types = known.get(field) ?? [];
    if (types.length !== 1) return types.length === 0 ? 'unknown' : 'string';
    return types[0] === 'number' ? 'numeric' : (types[0] ?? 'unknown');
  };
}

/** Turns the parameters of a URL into the equivalent body. */
export function messagesRequestOf(query: MessagesQuery): MessagesRequest {
  const { fields, from, size, sort } = query;
  return {
    ...urlSearchOf(query),
    fields,
    from,
    size,
    sort: sort === undefined || sort.trim() === '' ? undefined : sort.trim(),
    sort_order: query.sortOrder ?? query.sort_order,
  };
}

/** The same, for aggregations. */
export function aggregateRequestOf(query: AggregateQuery): AggregateRequest {
  if (query.metrics.length > MAX_METRICS || query.groups.length > MAX_GROUPINGS) {
    throw new InvalidError(`At most ${MAX_METRICS} metrics and ${MAX_GROUPINGS} groups are allowed.`);
  }
  return {
    ...urlSearchOf(query),
    group_by: query.groups.map(groupingOfText),
    metrics: (query.metrics.length === 0 ? ['count'] : query.metrics).map(metricOfText),
  };
}

function urlSearchOf(query: {
  readonly query?: string | undefined;
  readonly streams: readonly string[];
  readonly timerange?: string | undefined;
  readonly allow_partial?: boolean | undefined;
}) {
  const isGiven = query.timerange !== undefined && query.timerange.trim() !== '';
  return {
    query: query.query,
    streams: [...query.streams],
    stream_categories: undefined,
    timerange: isGiven ? parseTimeRangeText(query.timerange ?? '') : undefined,
    allow_partial: query.allow_partial,
  };
}

/** `source` or `source:5`. */
function groupingOfText(text: string): GroupingRequest {
  // The name of a field has no colon.
  const [field = '', ...rest] = text.split(':');
  const limit = rest.length === 0 ? undefined : rest.join(':').trim();
  if (limit !== undefined && !/^\d{1,9}$/.test(limit)) {
    throw new InvalidError(
      `${JSON.stringify(limit)} is not a limit of the group ${JSON.stringify(field)}. Write a number, for example ${field}:10.`,
    );
  }
  return {
    field,
    limit: limit === undefined ? undefined : Number(limit),
    timeunit: undefined,
    scaling: undefined,
    ranges: undefined,
    skip_empty_values: undefined,
    sort: undefined,
  };
}

/** `count`, `avg:took_ms` or `percentile:took_ms:95`. */
function metricOfText(text: string): MetricRequest {
  const [name = '', field = '', percentile] = text.split(':').map((part) => part.trim());
  const configuration =
    percentile === undefined || percentile === '' ? undefined : percentileFrom(percentile);
  return { function: name, field: field === '' ? undefined : field, sort: undefined, configuration };
}

function percentileFrom(text: string): { percentile: number } {
  const percentile = Number(text);
  if (percentile >= 0 && percentile <= 100) return { percentile };
  throw new InvalidError(`A percentile must be a number from 0 to 100, not ${JSON.stringify(text)}.`);
}
