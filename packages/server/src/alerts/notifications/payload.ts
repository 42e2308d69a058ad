/** A notice as JSON, in the two shapes that receivers of HTTP calls know. */
import type { AlertNotice, BacklogMessage } from './notice.ts';

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

export function messageSummary(message: BacklogMessage) {
  return {
    index: message.index,
    id: message.id,
    message: message.message,
    source: message.source,
    timestamp: iso(message.timestamp),
    stream_ids: message.streamIds,
    fields: message.fields,
  };
}

/** The condition as `triggered_condition`. */
export function conditionSummary({ rule, condition }: AlertNotice) {
  return {
    id: rule.id,
    type: condition.type,
    title: rule.title,
    created_at: iso(rule.createdAt),
    creator_user_id: rule.creator,
    grace: Math.round(rule.graceMs / 60_000),
    backlog: rule.backlogSize,
    parameters: condition.parameters,
    description: condition.description,
  };
}

/** What an alarm callback of Graylog up to 3.0 sends. `stream` is the whole stream as the API shows it. */
export function alarmCallbackPayload(
  notice: AlertNotice,
  stream: Readonly<Record<string, unknown>> | undefined,
) {
  const [first] = notice.streams;
  return {
    check_result: {
      result_description: notice.resultDescription,
      triggered: notice.kind !== 'resolved',
      triggered_at: iso(notice.triggeredAt),
      triggered_condition: conditionSummary(notice),
      matching_messages: notice.backlog.map(messageSummary),
    },
    stream: stream ?? (first && { id: first.id, title: first.title, description: first.description }) ?? null,
    kind: notice.kind,
  };
}

export function eventOf(notice: AlertNotice) {
  const { rule, condition, window } = notice;
  const streamIds = notice.streams.map(({ id }) => id);
  const timestamp = iso(notice.triggeredAt);
  return {
    id: notice.alertId ?? notice.id,
    event_definition_type: condition.type,
    event_definition_id: rule.id,
    origin_context: null,
    timestamp,
    timestamp_processing: timestamp,
    timerange_start: window === null ? null : iso(window.from),
    timerange_end: window === null ? null : iso(window.to),
    streams: [],
    source_streams: streamIds,
    message: notice.resultDescription,
    source: 'millrace',
    key_tuple: notice.key,
    key: notice.key.length === 0 ? null : notice.key.join('|'),
    priority: rule.priority,
    scores: {},
    alert: rule.isAlert,
    fields: notice.fields,
    group_by_fields: notice.groupBy,
    aggregation_values: notice.values,
    replay_info:
      window === null
        ? null
        : {
            timerange_start: iso(window.from),
            timerange_end: iso(window.to),
            query: notice.query,
            streams: streamIds,
            filters: [],
          },
  };
}

/** What an event notification of Graylog 3.1 and later sends, and in which state the alert is. */
export function eventPayload(notice: AlertNotice) {
  const { rule, condition } = notice;
  return {
    event_definition_id: rule.id,
    event_definition_type: condition.type,
    event_definition_title: rule.title,
    event_definition_description: rule.description,
    job_definition_id: rule.id,
    job_trigger_id: notice.id,
    event: eventOf(notice),
    backlog: notice.backlog.map(messageSummary),
    kind: notice.kind,
    resolved_at: notice.resolvedAt === null ? null : iso(notice.resolvedAt),
  };
}
