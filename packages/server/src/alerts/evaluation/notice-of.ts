/** What people are told about a transition of an alert. */
import type { AlertKeyField, AlertRecord, AlertRuleState, NewAlert } from '#metadata/index.ts';
import type { Finding } from '../conditions/condition.ts';
import type { AlertNotice, BacklogMessage, NoticeStream } from '../notifications/service.ts';
import type { EventFields } from '../rules/event-fields.ts';
import type { Rule } from '../rules/rule.ts';
import { alertId } from './alert-id.ts';

/** Whether anybody is told of its alerts at this time. */
export function isTold({ record }: Rule, { mutedUntil }: AlertRuleState, at: number): boolean {
  return record.isAlert && (mutedUntil === null || mutedUntil <= at);
}

/** What an alert is made of. */
export interface AlertParts {
  readonly finding: Finding;
  readonly event: EventFields;
  /** The message that is this event, of rules for which each message is one. */
  readonly message?: BacklogMessage | undefined;
  readonly at: number;
  readonly notifiedAt: number | null;
}

export function newAlert(rule: Rule, { finding, event, message, at, notifiedAt }: AlertParts): NewAlert {
  const { record, condition } = rule;
  return {
    id: alertId(record.id, message === undefined ? finding.key : [message.id], at),
    ruleId: record.id,
    triggeredAt: at,
    notifiedAt,
    description: finding.description,
    title: record.title,
    conditionType: record.condition.type,
    parameters: record.condition.parameters,
    streams: record.streams,
    key: keyFields(condition.groupBy, finding.key),
    windowFrom: finding.from,
    windowTo: finding.to,
    values: finding.values,
    priority: record.priority,
    isAlert: record.isAlert,
    fields: event.fields,
    ...(event.key !== undefined && { eventKey: event.key }),
    ...(message !== undefined && {
      sourceMessage: { id: message.id, index: message.index },
      resolvedAt: at,
    }),
  };
}

/** The key as people and clients see it. */
export function shownKey({ key, eventKey }: Pick<NewAlert, 'key' | 'eventKey'>): readonly string[] {
  return eventKey ?? key.map(({ value }) => value);
}

function keyFields(fields: readonly string[], values: readonly string[]): AlertKeyField[] {
  return fields.map((field, at) => ({ field, value: values[at] ?? '' }));
}

export interface NoticeParts {
  readonly id: string;
  readonly kind: AlertNotice['kind'];
  readonly streams: readonly NoticeStream[];
  readonly alert: NewAlert | AlertRecord;
  readonly description: string;
  readonly values: AlertNotice['values'];
  readonly window: AlertNotice['window'];
  readonly resolvedAt: number | null;
  readonly backlog: readonly BacklogMessage[];
}

export function noticeOf(rule: Rule, parts: NoticeParts): AlertNotice {
  const { alert } = parts;
  return {
    id: parts.id,
    kind: parts.kind,
    ...ruleParts(rule),
    alertId: alert.id,
    streams: parts.streams,
    key: shownKey(alert),
    groupBy: Object.fromEntries(alert.key.map(({ field, value }) => [field, value])),
    triggeredAt: alert.triggeredAt,
    resolvedAt: parts.resolvedAt,
    window: parts.window,
    resultDescription: parts.description,
    values: parts.values,
    fields: alert.fields ?? {},
    backlog: parts.backlog,
  };
}

/** For those who would have been alerted: the rule cannot be evaluated. */
export function failureNotice(
  rule: Rule,
  failure: { readonly streams: readonly NoticeStream[]; readonly end: number; readonly description: string },
): AlertNotice {
  return {
    id: `${rule.record.id}:evaluation_failed:${failure.end}`,
    kind: 'evaluation_failed',
    ...ruleParts(rule),
    alertId: null,
    streams: failure.streams,
    key: [],
    groupBy: {},
    triggeredAt: failure.end,
    resolvedAt: null,
    window: null,
    resultDescription: failure.description,
    values: {},
    fields: {},
    backlog: [],
  };
}

function ruleParts({ record, condition, type }: Rule): Pick<AlertNotice, 'rule' | 'condition' | 'query'> {
  const { remediation_steps: remediation } = record.extras;
  return {
    rule: {
      id: record.id,
      title: record.title,
      description: record.description,
      remediationSteps: typeof remediation === 'string' ? remediation : '',
      priority: record.priority,
      isAlert: record.isAlert,
      creator: record.creator,
      createdAt: record.createdAt,
      graceMs: condition.graceMs,
      backlogSize: condition.backlog,
    },
    condition: {
      type: type.wireType,
      parameters: record.condition.parameters,
      description: condition.summary,
    },
    query: condition.query,
  };
}
