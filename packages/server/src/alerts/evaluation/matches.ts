/** Rules for which every message is an event: it does not last, and the grace period keeps notices away, not events. */
import type { AlertRecord } from '#metadata/index.ts';
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

/** @param recent events of the rule within its grace period */
export async function matchesOf(
  messages: Pick<MessageSearch, 'find'>,
  { rule, window }: { readonly rule: Rule; readonly window: EvaluationWindow },
  [found]: readonly Finding[],
  recent: readonly AlertRecord[],
): Promise<Match[]> {
  const { eachMessage, graceMs } = rule.condition;
  if (eachMessage === undefined || found === undefined || !found.isTriggered) return [];
  const { limit } = eachMessage;
  const told = new Set(
    recent
      .filter(({ notifiedAt }) => notifiedAt !== null && window.end - notifiedAt < graceMs)
      .map(({ eventKey }) => JSON.stringify(eventKey ?? [])),
  );
  const all = await messagesOf(messages, rule, found, window, { limit, direction: 'asc' });
  return all.map((message) => {
    const { fields, source, timestamp } = message;
    const event = rule.eventFieldsOf({
      ...fields,
      message: message.message,
      source,
      timestamp: new Date(timestamp).toISOString(),
    });
    const key = JSON.stringify(event.key ?? []);
    const isQuiet = told.has(key);
    if (graceMs > 0) told.add(key);
    const finding = {
      ...found,
      description: `A message matches: ${message.message.slice(0, MAX_TEXT_LENGTH)}`,
      values: {},
      from: timestamp,
      to: timestamp + 1,
    };
    return { finding, message, event, isQuiet };
  });
}
