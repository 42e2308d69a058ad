import { searchLink, streamLink } from '../links.ts';
import type { AlertNotice, BacklogMessage } from '../notice.ts';
import { KIND_SENTENCE, PRIORITY_NAMES, titleOf } from '../wording.ts';
import { AS_TEXT, Moment, type TemplateModel, templateValue } from './values.ts';

/**
 * Everything a template can read: the names of Graylog's alarm callbacks (`stream`, `check_result`, `alertCondition`,
 * `backlog`) and those of its event notifications (`event`, `event_definition_title`), and a few of our own.
 *
 * @param webInterface the address of the web interface, with a slash at the end
 */
export function templateModel(notice: AlertNotice, webInterface: string): TemplateModel {
  const backlog = notice.backlog.map(backlogMessage);
  const { rule, condition } = notice;
  const [stream] = notice.streams;
  const resolvedAt = notice.resolvedAt === null ? null : new Moment(notice.resolvedAt);
  return {
    ...callbackNames(notice, webInterface),
    event_definition_id: rule.id,
    event_definition_type: condition.type,
    event_definition_title: rule.title,
    event_definition_description: rule.description,
    job_definition_id: rule.id,
    job_trigger_id: notice.id,
    event: eventModel(notice, webInterface),
    backlog,
    backlog_size: backlog.length,
    http_external_uri: webInterface,
    kind: notice.kind,
    kind_description: KIND_SENTENCE[notice.kind],
    title: titleOf(notice),
    is_triggered: notice.kind === 'triggered',
    is_repeated: notice.kind === 'repeated',
    is_resolved: notice.kind === 'resolved',
    is_evaluation_failed: notice.kind === 'evaluation_failed',
    is_test: notice.kind === 'test',
    is_digest: notice.kind === 'digest',
    triggered_at: new Moment(notice.triggeredAt),
    resolved_at: resolvedAt,
    condition_description: condition.description,
    priority_name: PRIORITY_NAMES[rule.priority] ?? String(rule.priority),
    remediation_steps: rule.remediationSteps,
    values: notice.values,
    query: notice.query,
    streams: notice.streams.map(({ id, title, description }) => ({ id, title, description })),
    search_url: searchLink(webInterface, notice),
    ...(stream && { stream_title: stream.title }),
  };
}

function callbackNames(notice: AlertNotice, webInterface: string): TemplateModel {
  const { rule, condition } = notice;
  const [stream] = notice.streams;
  const alertCondition: TemplateModel = {
    id: rule.id,
    title: rule.title,
    type: condition.type,
    typeString: condition.type,
    description: condition.description,
    grace: Math.round(rule.graceMs / 60_000),
    backlog: rule.backlogSize,
    createdAt: new Moment(rule.createdAt),
    creatorUserId: rule.creator,
    parameters: templateValue(condition.parameters),
    [AS_TEXT]: `${rule.id}:${condition.type}={${condition.description}}, stream:={${stream?.id ?? ''}: "${stream?.title ?? ''}"}`,
  };
  const result: TemplateModel = {
    resultDescription: notice.resultDescription,
    triggeredAt: new Moment(notice.triggeredAt),
    triggeredCondition: alertCondition,
    isTriggered: notice.kind !== 'resolved',
  };
  return {
    ...(stream && {
      stream: {
        id: stream.id,
        title: stream.title,
        description: stream.description,
        [AS_TEXT]: `${stream.id}: "${stream.title}"`,
      },
      stream_url: searchLink(webInterface, notice) ?? streamLink(webInterface, stream.id),
    }),
    check_result: result,
    checkResult: result,
    alertCondition,
    alert_condition: alertCondition,
  };
}

function eventModel(notice: AlertNotice, webInterface: string): TemplateModel {
  const { rule, condition, window } = notice;
  const streamIds = notice.streams.map(({ id }) => id);
  const from = window && new Moment(window.from);
  const to = window && new Moment(window.to);
  const triggeredAt = new Moment(notice.triggeredAt);
  return {
    id: notice.alertId ?? notice.id,
    event_definition_type: condition.type,
    event_definition_id: rule.id,
    timestamp: triggeredAt,
    timestamp_processing: triggeredAt,
    timerange_start: from,
    timerange_end: to,
    source_streams: streamIds,
    streams: streamIds,
    message: notice.resultDescription,
    source: 'millrace',
    key_tuple: notice.key,
    key: notice.key.length === 0 ? null : notice.key.join('|'),
    priority: rule.priority,
    alert: rule.isAlert,
    fields: notice.fields,
    group_by_fields: notice.groupBy,
    aggregation_values: notice.values,
    replay_info: { query: notice.query, timerange_start: from, timerange_end: to, streams: streamIds },
    search_url: searchLink(webInterface, notice),
    [AS_TEXT]: notice.resultDescription,
  };
}

function backlogMessage(message: BacklogMessage): TemplateModel {
  const { id, index, source, streamIds, fields } = message;
  const others = Object.entries(fields).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return {
    id,
    index,
    source,
    message: message.message,
    timestamp: new Moment(message.timestamp),
    stream_ids: streamIds,
    fields: templateValue(fields),
    [AS_TEXT]: `source: ${source} | message: ${message.message} { ${others.join(' | ')} }`,
  };
}
