import type { AlertRecord, Metadata } from '#metadata/index.ts';
import type { Rule } from '../rules/rule.ts';

/**
 * The alerts of these rules that are open or were resolved within the grace period of their rule, oldest first, by the
 * id of the rule. Rules for which each message is an event have none: their events do not last.
 */
export async function currentAlerts(
  { repositories }: Pick<Metadata, 'repositories'>,
  rules: readonly Rule[],
  at: number,
): Promise<ReadonlyMap<string, readonly AlertRecord[]>> {
  const lasting = rules.filter(({ condition }) => condition.eachMessage === undefined);
  const byGrace = Map.groupBy(lasting, ({ condition }) => condition.graceMs);
  const alerts: AlertRecord[] = [];
  for (const [graceMs, same] of byGrace) {
    const ids = same.map(({ record }) => record.id);
    alerts.push(...(await repositories.alerts.current(ids, at - graceMs)));
  }
  return Map.groupBy(alerts, ({ ruleId }) => ruleId);
}
