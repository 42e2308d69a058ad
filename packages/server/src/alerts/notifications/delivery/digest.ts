import type { HeldNotices, Metadata } from '#metadata/index.ts';
import type { AlertNotice } from '../notice.ts';
import { createNoticeQueue } from '../queue.ts';
import type { DeliveryProblems } from './problems.ts';

const MAX_RULES = 10;

/** What people are told instead of everything that was held back. */
function digestNotice(notificationId: string, held: HeldNotices): AlertNotice {
  const shown = held.rules.slice(0, MAX_RULES).map(({ title, count }) => `${title} (${count})`);
  const others = held.rules.length - shown.length;
  if (others > 0) shown.push(`and ${others} more rules`);
  const iso = (milliseconds: number) => new Date(milliseconds).toISOString();
  const notices = held.total === 1 ? '1 notice was' : `${held.total} notices were`;
  return {
    id: `digest:${notificationId}:${held.lastAt}`,
    kind: 'digest',
    rule: {
      id: `digest:${notificationId}`,
      title: 'Alerts held back',
      description: '',
      remediationSteps:
        'Look at the alerts of these rules. Raise the threshold, group or grace of a rule that triggers all the time.',
      priority: 2,
      isAlert: true,
      creator: 'millrace',
      createdAt: held.firstAt,
      graceMs: 0,
      backlogSize: 0,
    },
    condition: { type: 'digest', parameters: {}, description: '' },
    alertId: null,
    streams: [],
    query: '*',
    key: [],
    groupBy: {},
    triggeredAt: held.lastAt,
    resolvedAt: null,
    window: null,
    resultDescription: `${notices} held back from ${iso(held.firstAt)} to ${iso(held.lastAt)}, because there were more than the limits allow: ${shown.join(', ')}.`,
    values: { 'held back': held.total },
    fields: {},
    backlog: [],
  };
}

/** Queues a digest for each notification whose held notices have waited for `digestMs`. */
export async function tellHeld(
  { metadata, problems }: { readonly metadata: Metadata; readonly problems: DeliveryProblems },
  digestMs: number,
): Promise<void> {
  for (const notificationId of await metadata.repositories.alertDeliveries.listHeld(digestMs)) {
    await metadata.transaction(async (scope) => {
      const { alertDeliveries } = scope.repositories;
      const held = await alertDeliveries.held(notificationId);
      if (held === undefined) return;
      const digest = digestNotice(notificationId, held);
      await createNoticeQueue({ metadata }).enqueue(digest, [notificationId], scope);
      await alertDeliveries.assignDigest(notificationId, held.lastAt, digest.id);
    });
    await problems.toldInDigest(notificationId);
  }
}
