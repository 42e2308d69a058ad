/** A single message, and the messages around it. */
import type { MessageResultView, SurroundingMessagesView, SurroundingQuery } from '@millrace/contract';
import {
  FAILURE_STREAM_ID,
  type FieldValue,
  ForbiddenError,
  NotFoundError,
  type Principal,
  parseMessageId,
} from '#core/index.ts';
import { EXACT_JSON_SETTINGS, fieldColumn, type SearchTarget } from '#storage/index.ts';
import type { StoredMessage } from '#storage/service.ts';
import type { PreparedSearch, RunOptions, Searches } from '../execution/index.ts';
import { visibleColumn } from '../own-fields.ts';
import { foldCase, instantSql, wordsOf } from '../query/index.ts';
import type { TimeRange } from '../time/index.ts';
import { type FoundMessage, jsonValue, type MessageRow, messageJson } from './message-rows.ts';
import { pageStatement } from './page-statement.ts';
import type { SortDirection, SortPosition } from './sort.ts';

/** Rejects with `NotFoundError`, and with `ForbiddenError` for a message of streams the caller may not read. */
export interface SingleMessages {
  /** With the streams that the caller may read. */
  read(principal: Principal, index: string, id: string): Promise<FoundMessage>;
  get(principal: Principal, index: string, id: string): Promise<MessageResultView>;
  /** Ordered by time, then by receipt. From all index sets, as far as the caller may read them. */
  surrounding(
    principal: Principal,
    index: string,
    id: string,
    query: SurroundingQuery,
    options?: Pick<RunOptions, 'signal'>,
  ): Promise<SurroundingMessagesView>;
  /** The words by which a text can be searched, in their order. The index must exist. */
  words(index: string, text: string): string[];
}

export interface SingleMessagesDeps {
  readonly find: (index: string, id: string) => Promise<StoredMessage>;
  readonly targets: () => readonly SearchTarget[];
  readonly searches: Searches;
}

export function createSingleMessages({ find, searches, targets }: SingleMessagesDeps): SingleMessages {
  async function read(principal: Principal, index: string, id: string): Promise<FoundMessage> {
    if (!principal.can('messages:read', id)) {
      throw new ForbiddenError(`Not authorized to access message ${id}`, { needs: `messages:read:${id}` });
    }
    const stored = await find(index, id);
    const streams = stored.streams.filter((stream) => principal.can('streams:read', stream));
    if (streams.length === 0 && !principal.can('streams:read')) {
      // One of its streams would be enough.
      const [first] = stored.streams;
      const needs = first === undefined ? 'streams:read' : `streams:read:${first}`;
      throw new ForbiddenError(`Not authorized to access message ${id}`, { needs });
    }
    return foundMessage({ ...stored, streams });
  }

  return {
    read,
    async get(principal, index, id) {
      const message = await read(principal, index, id);
      const { source, message: text, streams } = Object.fromEntries(message.fields);
      return {
        message: {
          id: message.id,
          timestamp: new Date(message.timestamp).toISOString(),
          source: String(source),
          message: String(text),
          fields: messageJson(message),
          streams: streamsOf(streams),
          stream_ids: streamsOf(streams),
        },
        index,
      };
    },
    words(index, text) {
      const isKnown = targets().some(({ prefix, indices, closedIndices }) =>
        [...indices, ...closedIndices].some((number) => index === `${prefix}_${number}`),
      );
      if (!isKnown) throw new NotFoundError(`Index [${index}] doesn't exist.`);
      return wordsOf(foldCase(text));
    },
    async surrounding(principal, index, id, query, options = {}) {
      const message = await read(principal, index, id);
      const search = await searches.prepare(principal, {
        query: '*',
        range: rangeAround(message, query.seconds),
        // Failures are left out unless requested; around a failure they are wanted.
        streams: streamsOf(message.fields.get('streams')).includes(FAILURE_STREAM_ID)
          ? [FAILURE_STREAM_ID]
          : [],
      });
      const shared = sharedValues(message, query.fields);
      const conditions = [...shared].map(([field, value]) => sameValue(field, value, search.parameters));
      const slot = await searches.enter({ principal, signal: options.signal });
      const around = {
        position: positionOf(message),
        condition: conditions.length === 0 ? undefined : conditions.join(' AND '),
        run: { principal, slot, signal: options.signal },
      };
      try {
        const [before, after] = await Promise.all([
          neighbours(searches, search, { ...around, direction: 'desc', limit: query.before }),
          neighbours(searches, search, { ...around, direction: 'asc', limit: query.after }),
        ]);
        const all = [...before.reverse(), message, ...after];
        return {
          index,
          id: message.id,
          fields: Object.fromEntries(
            [...shared].map(([field, value]) => [field, value === undefined ? null : jsonValue(value)]),
          ),
          messages: all.map((each) => ({ message: messageJson(each), index: each.index })),
          position: before.length,
        };
      } finally {
        slot.release();
      }
    },
  };
}

interface NeighbourRequest {
  readonly position: SortPosition;
  readonly condition: string | undefined;
  readonly direction: SortDirection;
  readonly limit: number;
  readonly run: RunOptions;
}

async function neighbours(
  searches: Searches,
  search: PreparedSearch,
  around: NeighbourRequest,
): Promise<FoundMessage[]> {
  if (around.limit === 0) return [];
  const { columns, sql } = pageStatement(search, {
    sort: { field: 'timestamp', direction: around.direction },
    limit: around.limit,
    after: around.position,
    condition: around.condition,
  });
  const rows = await searches.rows<MessageRow>(search, sql, {
    ...around.run,
    settings: EXACT_JSON_SETTINGS,
  });
  return rows.map((row) => columns.read(row, search));
}

type Value = FieldValue | readonly string[];

/** The latest time that can be stored. */
const END_OF_TIME = '2299-12-31T23:59:59.999Z';

function rangeAround({ timestamp }: FoundMessage, seconds: number | undefined): TimeRange {
  if (seconds === undefined) return { type: 'absolute', from: '1970-01-01T00:00:00.000Z', to: END_OF_TIME };
  const text = (time: number) => new Date(time).toISOString();
  return { type: 'absolute', from: text(timestamp - seconds * 1000), to: text(timestamp + seconds * 1000) };
}

function positionOf(message: FoundMessage): SortPosition {
  const { partition, offset } = parseMessageId(message.id) ?? { partition: 0, offset: 0 };
  return { keys: [], timestamp: message.timestamp, receivedAt: message.receivedAt, partition, offset };
}

/** The value of each field in the message; undefined if the message does not have the field. */
function sharedValues(message: FoundMessage, fields: readonly string[]): Map<string, Value | undefined> {
  return new Map(fields.map((field) => [field, message.fields.get(field)]));
}

function sameValue(
  field: string,
  value: Value | undefined,
  parameters: PreparedSearch['parameters'],
): string {
  const column = fieldColumn(field);
  if (column.kind === 'dynamic') {
    switch (typeof value) {
      case 'string':
        return `ifNull(${column.typed('String')} = ${parameters.add(value, 'String')}, 0)`;
      case 'number':
        return `ifNull(${column.typed('Float64')} = ${parameters.add(value, 'Float64')}, 0)`;
      case 'bigint':
        return `ifNull(${column.typed('Int64')} = ${parameters.add(String(value), 'Int64')}, 0)`;
      case 'boolean':
        return `ifNull(${column.typed('Bool')} = ${parameters.add(value, 'Bool')}, 0)`;
      default:
        return `isNull(${column.expression})`;
    }
  }
  if (Array.isArray(value)) return `${visibleColumn(field)} = ${parameters.add(value, 'Array(String)')}`;
  if (column.kind === 'time') {
    return `${column.expression} = ${instantSql(Date.parse(String(value)), parameters)}`;
  }
  return `toString(${column.expression}) = ${parameters.add(String(value ?? ''), 'String')}`;
}

function streamsOf(value: Value | undefined): string[] {
  return Array.isArray(value) ? [...value] : [];
}

function foundMessage(stored: StoredMessage): FoundMessage {
  const { fullMessage } = stored;
  return {
    id: stored.id,
    index: stored.index,
    timestamp: stored.timestamp,
    receivedAt: stored.receivedAt,
    fields: new Map<string, Value>([
      ['source', stored.source],
      ['message', stored.message],
      ...(fullMessage === undefined ? [] : [['full_message', fullMessage] as const]),
      ['level', stored.level],
      ['streams', stored.streams],
      ['gl2_source_input', stored.inputId],
      ['gl2_source_node', stored.nodeId],
      ['gl2_remote_ip', stored.remoteAddress],
      ['gl2_remote_port', stored.remotePort],
      ['gl2_receive_timestamp', new Date(stored.receivedAt).toISOString()],
      ...stored.fields,
    ]),
  };
}
