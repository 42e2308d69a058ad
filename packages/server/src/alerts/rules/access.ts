import {
  type AuditLog,
  type Caller,
  type Clock,
  NotFoundError,
  type Principal,
  recordAction,
} from '#core/index.ts';
import type {
  AlertRuleRecord,
  AlertRuleState,
  Metadata,
  MetadataScope,
  StreamRecord,
} from '#metadata/index.ts';
import { tellEnd } from '../evaluation/alert-end.ts';
import { currentAlerts } from '../evaluation/current-alerts.ts';
import { isInGrace } from '../evaluation/transitions.ts';
import { mayReadNotification, type NoticeQueue } from '../notifications/service.ts';
import { type Rule, type RuleSettings, ruleOf } from './rule.ts';

/** What all operations on rules share. */
export interface RuleContext {
  readonly metadata: Metadata;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly settings: RuleSettings;
  readonly queue: NoticeQueue;
}

export async function requireStream({ repositories }: MetadataScope, id: string): Promise<StreamRecord> {
  const stream = id.includes('\0') ? undefined : await repositories.streams.find(id);
  if (stream === undefined) throw new NotFoundError(`Stream ${id} not found!`);
  return stream;
}

export async function findRule(
  { repositories }: MetadataScope,
  id: string,
): Promise<AlertRuleRecord | undefined> {
  return id.includes('\0') ? undefined : repositories.alertRules.find(id);
}

/** What is known of a rule besides its record. */
export interface RuleStatus {
  readonly state: AlertRuleState;
  /** Whether its latest alert is resolved and the grace period is not over. */
  readonly isInGrace: boolean;
}

/** The states of these rules, by id. */
export async function statusOf(
  { metadata, clock, settings }: RuleContext,
  records: readonly AlertRuleRecord[],
): Promise<ReadonlyMap<string, RuleStatus>> {
  const now = clock.now();
  const { alertRules, alerts } = metadata.repositories;
  const [only] = records;
  const states = await alertRules.states(records.length === 1 ? only?.id : undefined);
  const rules = new Map(records.flatMap((record) => tryRule(record, settings)));
  const all = [...rules.values()];
  const alertsOf = await currentAlerts(metadata, all, now);
  const matching = all.filter(({ condition }) => condition.eachMessage !== undefined);
  const lastEvents = await alerts.lastTriggered(matching.map(({ record }) => record.id));
  return new Map(
    states.flatMap((state) => {
      const rule = rules.get(state.ruleId);
      const resolvedAt = lastEvents.get(state.ruleId);
      // An event that is a message ends when it begins.
      const last = resolvedAt === undefined ? alertsOf.get(state.ruleId)?.at(-1) : { resolvedAt };
      const isQuiet = rule !== undefined && last !== undefined && isInGrace(rule.condition, last, now);
      return [[state.ruleId, { state, isInGrace: isQuiet }]] as const;
    }),
  );
}

function tryRule(record: AlertRuleRecord, settings: RuleSettings): (readonly [string, Rule])[] {
  try {
    return [[record.id, ruleOf(record, settings)]];
  } catch {
    return [];
  }
}

/** Deletes a rule. Its open alerts are resolved. */
export async function removeRule(
  context: RuleContext,
  caller: Caller,
  record: AlertRuleRecord,
): Promise<void> {
  const reason = `The alert rule was deleted by ${caller.principal.username}.`;
  await context.metadata.transaction((scope) => endRule(context, scope, record, reason));
  await ruleRemoved(context, caller, record);
}

/** Deletes a rule within a transaction; `ruleRemoved` must follow. */
export async function endRule(
  context: RuleContext,
  scope: MetadataScope,
  record: AlertRuleRecord,
  reason: string,
): Promise<void> {
  const { alerts, alertRules } = scope.repositories;
  const ended = await alerts.resolveOfRule(record.id, context.clock.now());
  await tellEnd(context, scope, record, ended, reason);
  await alertRules.remove(record.id);
}

export async function ruleRemoved(
  { metadata, audit }: RuleContext,
  caller: Caller,
  { id, title }: AlertRuleRecord,
): Promise<void> {
  await metadata.repositories.notifications.remove('alert_evaluation_failed', id);
  await recordAction(audit, caller, 'alert_rule.delete', { objectId: id, before: { id, title } });
}

/** Those of its notifications that somebody who copies the rule may use. */
export async function usableNotifications(
  { repositories }: MetadataScope,
  reader: Pick<Principal, 'can'>,
  { notifications }: Pick<AlertRuleRecord, 'notifications'>,
): Promise<AlertRuleRecord['notifications']> {
  const ids = notifications.map(({ notificationId }) => notificationId);
  const found = await repositories.alertNotifications.findMany(ids);
  const usable = new Set(found.filter((each) => mayReadNotification(reader, each)).map(({ id }) => id));
  return notifications.filter(({ notificationId }) => usable.has(notificationId));
}

/** Mutes the notifications of a rule for some minutes; 0 ends it. */
export async function muteRule(
  { metadata, audit, clock }: RuleContext,
  caller: Caller,
  { id }: AlertRuleRecord,
  minutes: number,
): Promise<void> {
  const until = minutes === 0 ? null : clock.now() + minutes * 60_000;
  await metadata.repositories.alertRules.mute(id, until);
  await recordAction(audit, caller, 'alert_rule.mute', { objectId: id, after: { minutes } });
}

/** Whoever may read all streams of a rule may read it, and so may those with a permission for it. */
export function mayRead(
  reader: Pick<Principal, 'can'>,
  { id, streams }: Pick<AlertRuleRecord, 'id' | 'streams'>,
): boolean {
  if (reader.can('eventdefinitions:read', id)) return true;
  return streams.length === 0
    ? reader.can('streams:read')
    : streams.every((stream) => reader.can('streams:read', stream));
}
