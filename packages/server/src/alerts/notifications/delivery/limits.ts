import type { AlertDeliveriesRepository, DeliveryRecord } from '#metadata/index.ts';

/** How many deliveries may begin within an hour. What is over it is held back and counted in a digest. */
export interface DeliveryLimits {
  /** By one rule, through all its notifications. */
  readonly perRule: number;
  /** By one notification, for all rules. */
  readonly perNotification: number;
  /** Altogether. */
  readonly total: number;
}

const WINDOW_MS = 3_600_000;

/** Why a delivery may not begin now; undefined if it may. The counts are those of the database: a restart resets none. */
export async function exceededLimit(
  deliveries: AlertDeliveriesRepository,
  { ruleId, notificationId, kind, attempts }: DeliveryRecord,
  limits: DeliveryLimits,
): Promise<string | undefined> {
  // What has begun goes on, and a digest is what follows from the limits.
  if (attempts > 0 || kind === 'digest') return undefined;
  const begun = (filter: { ruleId?: string; notificationId?: string }) =>
    deliveries.countBegun(filter, WINDOW_MS);
  if ((await begun({ ruleId })) >= limits.perRule) {
    return `held back: the rule has sent ${limits.perRule} notices within an hour (notification_limit_per_rule)`;
  }
  if ((await begun({ notificationId })) >= limits.perNotification) {
    return `held back: the notification has sent ${limits.perNotification} notices within an hour (notification_limit_per_notification)`;
  }
  if ((await begun({})) >= limits.total) {
    return `held back: ${limits.total} notices were sent within an hour (notification_limit_total)`;
  }
  return undefined;
}
