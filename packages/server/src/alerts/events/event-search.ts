/** Events as Graylog's newer clients search them. */
import type { EventAnswer, EventSearch, EventSearchRequest, EventView } from '@millrace/contract';
import { asPhrase } from '@millrace/query';
import { type Clock, EVENT_STREAM_ID, ForbiddenError, NotFoundError, type Principal } from '#core/index.ts';
import type { AlertRecord, AlertRuleRecord, Metadata, StreamRecord } from '#metadata/index.ts';
import { type FieldIds, type MessageSearch, requireQuery } from '#search/service.ts';
import { shownKey } from '../evaluation/notice-of.ts';
import { ALERTS_PRINCIPAL } from '../evaluation/system-principal.ts';
import { mayRead } from '../rules/access.ts';
import { computedFields, eventFields, groupByFields } from './event-messages.ts';

type Reader = Pick<Principal, 'can'>;

/**
 * People see the events that came from streams they may read, wherever the rule looks now, and those of rules they have
 * a permission for. Whoever may read the stream "All events" sees all.
 */
export interface Events {
  /** Rejects as a search does. */
  search(reader: Reader, request: EventSearchRequest, signal?: AbortSignal): Promise<EventSearch>;
  /** Throws `NotFoundError` and `ForbiddenError`. */
  get(reader: Reader, id: string): Promise<EventAnswer>;
}

export interface EventsDeps {
  readonly metadata: Metadata;
  readonly messages: Pick<MessageSearch, 'find'>;
  readonly clock: Clock;
}

const INDEX_TYPE = 'message';

export function createEvents({ metadata, messages, clock }: EventsDeps): Events {
  const { alertRules, alerts, streams } = metadata.repositories;

  return {
    async search(reader, request, signal) {
      const startedAt = clock.now();
      const [allRules, allStreams] = [await alertRules.list(), await streams.list()];
      const found = await messages.find(
        ALERTS_PRINCIPAL,
        {
          query: eventQuery(request),
          range: request.timerange,
          streams: [EVENT_STREAM_ID],
          onlyIds: readableIds(reader, allRules, allStreams),
          limit: request.per_page,
          offset: (request.page - 1) * request.per_page,
          sort: { field: request.sort_by, direction: request.sort_direction },
        },
        { signal },
      );
      const known = new Map(
        (await alerts.findMany(found.messages.map(({ id }) => id))).map((alert) => [alert.id, alert]),
      );
      const events = found.messages.map(({ id, index, timestamp, fields }) => ({
        event: eventView(id, timestamp, fields, known.get(id)),
        index_name: index,
        index_type: INDEX_TYPE,
      }));
      return {
        events,
        used_indices: [...new Set(events.map((event) => event.index_name))],
        parameters: { ...request },
        total_events: found.totalResults,
        duration: Math.max(0, clock.now() - startedAt),
        context: contextOf(
          reader,
          events.map(({ event }) => event),
          allRules,
          allStreams,
        ),
      };
    },

    async get(reader, id) {
      const alert = id.includes('\0') ? undefined : await alerts.find(id);
      if (alert === undefined) throw new NotFoundError(`Event ${id} not found!`);
      const isReadable =
        reader.can('streams:read', EVENT_STREAM_ID) ||
        mayRead(reader, { id: alert.ruleId, streams: alert.streams });
      if (!isReadable) {
        throw new ForbiddenError(`Not authorized to access event ${id}`, {
          needs: `eventdefinitions:read:${alert.ruleId}`,
        });
      }
      const fields = new Map<string, unknown>([...eventFields(alert), ['message', alert.description]]);
      return {
        event: eventView(id, alert.triggeredAt, fields, alert),
        index_name: '',
        index_type: INDEX_TYPE,
      };
    },
  };
}

/** The titles of what the events name, of what the reader may read. */
function contextOf(
  reader: Reader,
  events: readonly EventView[],
  allRules: readonly AlertRuleRecord[],
  allStreams: readonly StreamRecord[],
) {
  const ruleIds = new Set(events.map((event) => event.event_definition_id));
  const streamIds = new Set(events.flatMap((event) => event.source_streams));
  const entry = ({ id, title, description }: { id: string; title: string; description: string }) =>
    [id, { id, title, description }] as const;
  const shownRules = allRules.filter((rule) => ruleIds.has(rule.id) && mayRead(reader, rule));
  const shownStreams = allStreams.filter(({ id }) => streamIds.has(id) && reader.can('streams:read', id));
  return {
    event_definitions: Object.fromEntries(shownRules.map(entry)),
    streams: Object.fromEntries(shownStreams.map(entry)),
  };
}

/** The request as one query over the messages of events. */
function eventQuery(request: EventSearchRequest): string {
  const clauses: string[] = [];
  const query = request.query?.trim() ?? '';
  // It must be complete by itself, so that its brackets cannot reach beyond ours.
  requireQuery(query, { now: 0, timeZone: 'UTC' });
  if (query !== '' && query !== '*') clauses.push(`(${query})`);
  const { alerts, event_definitions: wanted } = request.filter;
  if (alerts !== 'include') clauses.push(`alert:${alerts === 'only'}`);
  if (wanted.length > 0) clauses.push(`event_definition_id:(${wanted.map(asPhrase).join(' OR ')})`);
  return clauses.length === 0 ? '*' : clauses.join(' AND ');
}

/**
 * `mayRead`, as a condition on the messages of events. An event without source streams is one of all streams. Deleted
 * streams and rules cannot be asked about here: only readers of all of them see their events.
 */
function readableIds(
  reader: Reader,
  rules: readonly AlertRuleRecord[],
  streams: readonly StreamRecord[],
): readonly FieldIds[] | undefined {
  const mayReadAll =
    reader.can('streams:read') ||
    reader.can('eventdefinitions:read') ||
    reader.can('streams:read', EVENT_STREAM_ID);
  if (mayReadAll) return undefined;
  const idsFor = (permission: string, all: readonly { readonly id: string }[]) =>
    all.map(({ id }) => id).filter((id) => reader.can(permission, id));
  return [
    { field: 'event_definition_id', ids: idsFor('eventdefinitions:read', rules) },
    { field: 'source_streams', ids: idsFor('streams:read', streams) },
  ];
}

function eventView(
  id: string,
  timestamp: number,
  fields: ReadonlyMap<string, unknown>,
  alert: AlertRecord | undefined,
): EventView {
  const text = (name: string) => String(fields.get(name) ?? '');
  const time = (name: string) => (text(name) === '' ? null : text(name));
  const at = new Date(timestamp).toISOString();
  const groups = groupByFields(fields);
  const sourceStreams = text('source_streams').split(',').filter(Boolean);
  return {
    id,
    event_definition_type: text('event_definition_type'),
    event_definition_id: text('event_definition_id'),
    origin_context: time('origin_context'),
    timestamp: at,
    timestamp_processing: at,
    timerange_start: time('timerange_start'),
    timerange_end: time('timerange_end'),
    streams: [EVENT_STREAM_ID],
    source_streams: sourceStreams,
    message: text('message'),
    source: text('source'),
    key_tuple: alert === undefined ? Object.values(groups) : [...shownKey(alert)],
    key: text('key'),
    priority: Number(fields.get('priority') ?? 2),
    scores: {},
    alert: fields.get('alert') === true,
    fields: computedFields(fields),
    group_by_fields: groups,
    replay_info:
      time('timerange_start') === null
        ? null
        : {
            timerange_start: time('timerange_start'),
            timerange_end: time('timerange_end'),
            query: String(alert?.parameters.query ?? ''),
            streams: sourceStreams,
          },
    resolved_at:
      alert === undefined || alert.resolvedAt === null ? null : new Date(alert.resolvedAt).toISOString(),
  };
}
