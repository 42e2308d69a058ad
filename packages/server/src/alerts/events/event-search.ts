/** Events as Graylog's newer clients search them. */
import type { EventAnswer, EventSearch, EventSearchRequest, EventView } from '@millrace/contract';
import { asPhrase } from '@millrace/query';
import { type Clock, EVENT_STREAM_ID, ForbiddenError, NotFoundError, type Principal } from '#core/index.ts';
import type { AlertRecord, AlertRuleRecord, Metadata } from '#metadata/index.ts';
import { type MessageSearch, requireQuery } from '#search/service.ts';
import { shownKey } from '../evaluation/notice-of.ts';
import { ALERTS_PRINCIPAL } from '../evaluation/system-principal.ts';
import { mayRead } from '../rules/access.ts';
import { computedFields, eventFields, groupByFields } from './event-messages.ts';

type Reader = Pick<Principal, 'can'>;

/** People see the events of rules that they may read; whoever may read the stream "All events" sees all. */
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

  async function contextOf(events: readonly EventView[], rules: readonly AlertRuleRecord[]) {
    const ruleIds = new Set(events.map((event) => event.event_definition_id));
    const streamIds = new Set(events.flatMap((event) => event.source_streams));
    const entry = ({ id, title, description }: { id: string; title: string; description: string }) =>
      [id, { id, title, description }] as const;
    return {
      event_definitions: Object.fromEntries(rules.filter(({ id }) => ruleIds.has(id)).map(entry)),
      streams: Object.fromEntries((await streams.list()).filter(({ id }) => streamIds.has(id)).map(entry)),
    };
  }

  return {
    async search(reader, request, signal) {
      const startedAt = clock.now();
      const rules = await alertRules.list();
      const query = eventQuery(reader, request, rules);
      const found = await messages.find(
        ALERTS_PRINCIPAL,
        {
          query,
          range: request.timerange,
          streams: [EVENT_STREAM_ID],
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
        context: await contextOf(
          events.map(({ event }) => event),
          rules,
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

/** The request as one query over the messages of events. */
function eventQuery(reader: Reader, request: EventSearchRequest, rules: readonly AlertRuleRecord[]): string {
  const clauses: string[] = [];
  const query = request.query?.trim() ?? '';
  // It must be complete by itself, so that its brackets cannot reach beyond ours.
  requireQuery(query, { now: 0, timeZone: 'UTC' });
  if (query !== '' && query !== '*') clauses.push(`(${query})`);
  const { alerts, event_definitions: wanted } = request.filter;
  if (alerts !== 'include') clauses.push(`alert:${alerts === 'only'}`);
  if (wanted.length > 0) clauses.push(oneOf(wanted));
  if (!reader.can('streams:read', EVENT_STREAM_ID)) {
    clauses.push(oneOf(rules.filter((rule) => mayRead(reader, rule)).map(({ id }) => id)));
  }
  return clauses.length === 0 ? '*' : clauses.join(' AND ');
}

function oneOf(ids: readonly string[]): string {
  // No rule has an empty id.
  return `event_definition_id:(${ids.length === 0 ? '""' : ids.map(asPhrase).join(' OR ')})`;
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
