/**
 * What a finding does to the alerts of a rule:
 *
 * | Finding | Alert of that key           | What happens                                                           |
 * |---------|-----------------------------|------------------------------------------------------------------------|
 * | true    | none                        | a new one is triggered                                                 |
 * | true    | resolved, grace not over    | nothing                                                                |
 * | true    | open                        | nothing, or a repeated notice: at every evaluation, or after the grace |
 * | false   | open                        | it is resolved                                                         |
 *
 * Pure: the same findings and alerts always give the same transitions.
 */
import type { AlertRecord } from '#metadata/index.ts';
import type { Condition, Finding } from '../conditions/condition.ts';

export type Transition =
  | { readonly kind: 'triggered'; readonly finding: Finding }
  | { readonly kind: 'repeated'; readonly finding: Finding; readonly alert: AlertRecord }
  | { readonly kind: 'resolved'; readonly alert: AlertRecord; readonly finding: Finding | undefined };

export type AlertMoments = Pick<AlertRecord, 'key' | 'triggeredAt' | 'resolvedAt' | 'notifiedAt'>;

/** What decides about transitions besides findings. */
export type TransitionRules = Pick<Condition, 'graceMs' | 'repeatsNotifications' | 'groupBy'>;

export interface Judgement {
  readonly findings: readonly Finding[];
  /** There are more true findings than these: what is missing is not known to be false. */
  readonly isTruncated: boolean;
}

/** @param alerts those of the rule that are open or were resolved within the grace period */
export function transitionsOf(
  rules: TransitionRules,
  { findings, isTruncated }: Judgement,
  alerts: readonly AlertRecord[],
  at: number,
): Transition[] {
  const latest = latestByKey(alerts);
  const transitions: Transition[] = [];
  const judged = new Set<string>();
  for (const finding of findings) {
    const key = JSON.stringify(finding.key);
    judged.add(key);
    const alert = latest.get(key);
    const isOpen = alert !== undefined && alert.resolvedAt === null;
    if (!finding.isTriggered) {
      if (isOpen) transitions.push({ kind: 'resolved', alert, finding });
    } else if (isOpen) {
      if (repeats(rules, alert, at)) transitions.push({ kind: 'repeated', finding, alert });
    } else if (alert === undefined || !isInGrace(rules, alert, at)) {
      transitions.push({ kind: 'triggered', finding });
    }
  }
  if (isTruncated) return transitions;
  for (const [key, alert] of latest) {
    if (alert.resolvedAt === null && !judged.has(key)) {
      transitions.push({ kind: 'resolved', alert, finding: undefined });
    }
  }
  return transitions;
}

function latestByKey(alerts: readonly AlertRecord[]): Map<string, AlertRecord> {
  const latest = new Map<string, AlertRecord>();
  for (const alert of alerts) {
    const key = JSON.stringify(alert.key.map(({ value }) => value));
    const known = latest.get(key);
    if (known === undefined || alert.triggeredAt >= known.triggeredAt) latest.set(key, alert);
  }
  return latest;
}

function repeats(rules: TransitionRules, alert: AlertMoments, at: number): boolean {
  if (!rules.repeatsNotifications) return false;
  return at - (alert.notifiedAt ?? alert.triggeredAt) >= rules.graceMs;
}

/** Resolved, and the grace period since then is not over. */
export function isInGrace(
  { graceMs }: Pick<TransitionRules, 'graceMs'>,
  { resolvedAt }: Pick<AlertMoments, 'resolvedAt'>,
  at: number,
): boolean {
  return resolvedAt !== null && at - resolvedAt < graceMs;
}
