import type { MetadataScope } from '#metadata/index.ts';
import type { Rule } from '../rules/rule.ts';

/** The notifications that a rule sends. */
export async function channelsOf({ repositories }: MetadataScope, { record }: Rule): Promise<string[]> {
  const ids = record.notifications.map(({ notificationId }) => notificationId);
  if (!record.notifiesStream) return ids;
  for (const streamId of record.streams) {
    ids.push(...(await repositories.alertNotifications.listByStream(streamId)).map(({ id }) => id));
  }
  return ids;
}
