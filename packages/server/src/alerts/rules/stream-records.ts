/** What the record of a stream says of its alerts. */
import { formatTimestamp } from '@millrace/contract';
import type { AlertNotificationRecord, AlertRuleRecord, Metadata } from '#metadata/index.ts';
import { CONDITION_TYPES } from '../conditions/registry.ts';

export interface StreamAlertSummary {
  readonly alert_conditions: Record<string, unknown>[];
  /** Those of its e-mail notifications. */
  readonly alert_receivers: { readonly emails: string[]; readonly users: string[] };
}

/** By stream; those without conditions and notifications are left out. */
export async function streamAlertSummaries({
  repositories,
}: Pick<Metadata, 'repositories'>): Promise<Map<string, StreamAlertSummary>> {
  const summaries = new Map<string, StreamAlertSummary>();
  const summaryOf = (streamId: string): StreamAlertSummary => {
    const known = summaries.get(streamId);
    if (known !== undefined) return known;
    const summary = { alert_conditions: [], alert_receivers: { emails: [], users: [] } };
    summaries.set(streamId, summary);
    return summary;
  };
  for (const rule of await repositories.alertRules.list()) {
    const [streamId, ...more] = rule.streams;
    if (streamId !== undefined && more.length === 0) {
      summaryOf(streamId).alert_conditions.push(conditionSummary(rule));
    }
  }
  for (const notification of await repositories.alertNotifications.list()) {
    if (notification.streamId !== null) addReceivers(summaryOf(notification.streamId), notification);
  }
  return summaries;
}

function conditionSummary(rule: AlertRuleRecord): Record<string, unknown> {
  const { type, parameters } = rule.condition;
  return {
    id: rule.id,
    type: CONDITION_TYPES.find(type)?.wireType ?? type,
    title: rule.title === '' ? null : rule.title,
    creator_user_id: rule.creator,
    created_at: formatTimestamp(rule.createdAt),
    parameters: { ...parameters },
  };
}

function addReceivers(
  { alert_receivers: { emails, users } }: StreamAlertSummary,
  { configuration }: AlertNotificationRecord,
): void {
  for (const [receivers, given] of [
    [emails, configuration.email_recipients],
    [users, configuration.user_recipients],
  ] as const) {
    for (const receiver of Array.isArray(given) ? given.map(String) : []) {
      if (!receivers.includes(receiver)) receivers.push(receiver);
    }
  }
}
