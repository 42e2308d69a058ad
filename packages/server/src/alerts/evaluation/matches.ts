/** Rules for which every message is an event: it does not last, and the grace period keeps notices away, not events. */
import { eventKeyId, type Metadata } from '#metadata/index.ts';
import type { MessageSearch } from '#search/service.ts';
import type { EvaluationWindow, Finding } from '../conditions/condition.ts';
import type { BacklogMessage } from '../notifications/service.ts';
import type { EventFields } from '../rules/event-fields.ts';
import type { Rule } from '../rules/rule.ts';
import { messagesOf } from './backlog.ts';

export interface Match {
  readonly finding: Finding;
  readonly message: BacklogMessage;
  readonly event: EventFields;
  /** People were told of the same key a short time ago. */
  readonly isQuiet: boolean;
}

const MAX_TEXT_LENGTH = 500;

export async function matchesOf(
  { messages, metadata }: { readonly messages: Pick<MessageSearch, 'find'>; readonly metadata: Metadata },
  { rule, window }: { readonly rule: Rule; readonly window: EvaluationWindow },
  [found]: readonly Finding[],
): Promise<Match[]> {
  const { eachMessage, graceMs } = rule.condition;
  if (eachMessage === undefined || found === undefined || !found.isTriggered) return [];
  const { limit } = eachMessage;
  const all = await messagesOf(messages, rule, found, window, { limit, direction: 'asc' });
  const events = all.map((message) => {
    const { fields, source, timestamp } = message;
    const event = rule.eventFieldsOf({
      ...fields,
      message: message.message,
      source,
      timestamp: new Date(timestamp).toISOString(),
    });
    return { message, event, keyId: eventKeyId(event.key) };
  });
  const keyIds = [...new Set(events.map(({ keyId }) => keyId))];
  const { alerts } = metadata.repositories;
  const lastNotified = await alerts.lastNotified(rule.record.id, keyIds, window.end - graceMs);
  const told = new Set(lastNotified.keys());
  return events.map(({ message, event, keyId }) => {
    const isQuiet = told.has(keyId);
    if (graceMs > 0) told.add(keyId);
    const finding = {
      ...found,
      description: `A message matches: ${message.message.slice(0, MAX_TEXT_LENGTH)}`,
      values: {},
      from: message.timestamp,
      to: message.timestamp + 1,
    };
    return { finding, message, event, isQuiet };
  });
}
