import type { Repositories } from '#metadata/index.ts';

interface Seeded {
  readonly streamId: string;
  readonly alertNotificationId: string;
  readonly deliveryId: string;
}

type Sample = (repositories: Repositories, seeded: Seeded) => Promise<unknown>;
type Samples<Name extends keyof Repositories> = {
  readonly [Of in Name]: { readonly [Call in keyof Repositories[Of]]: Sample };
};

const page = { limit: 10, offset: 20 };
export const ALERT_NOTIFICATION = {
  streamId: null,
  type: 'email',
  wireType: 'email-notification-v1',
  title: 'Mail',
  description: '',
  configuration: {},
  creator: 'admin',
};
export const NOTICE = {
  id: 'notice',
  kind: 'triggered',
  ruleId: 'rule',
  ruleTitle: 'Errors',
  alertId: 'alert',
  streamIds: [],
  description: '',
  content: {},
};
export const DELIVERY_TARGET = { notificationId: 'i', notificationType: 'email', notificationTitle: 'Mail' };

/** A call of each function of the repositories of notifications. */
export const NOTIFICATION_SAMPLES: Samples<'alertDeliveries' | 'alertNotifications'> = {
  alertDeliveries: {
    enqueue: (r) => r.alertDeliveries.enqueue({ ...NOTICE, id: 'other' }, [DELIVERY_TARGET]),
    listDue: (r) => r.alertDeliveries.listDue(10, ['n']),
    claim: (r, { deliveryId }) => r.alertDeliveries.claim(deliveryId, 'n', 1000),
    markDone: (r, { deliveryId }) =>
      r.alertDeliveries.markDone({ id: deliveryId, attemptId: 1, attempts: 1 }, ['a'], 1000),
    finish: async (r, { deliveryId }) => {
      const claimed = await r.alertDeliveries.claim(deliveryId, 'n', 1000);
      const result = { outcome: 'failure', error: 'e', retryAfterMs: undefined } as const;
      if (claimed !== undefined) await r.alertDeliveries.finish(claimed, result);
    },
    releaseClaims: async (r, { deliveryId }) => {
      await r.alertDeliveries.claim(deliveryId, 'n', 1000);
      await r.alertDeliveries.releaseClaims('n');
      await r.alertDeliveries.releaseClaims();
    },
    sendAgain: (r, { deliveryId }) => r.alertDeliveries.sendAgain(deliveryId),
    end: (r, { deliveryId }) => r.alertDeliveries.end(deliveryId, 'held', 'e'),
    cancel: (r) => r.alertDeliveries.cancel({ ids: ['a'], ruleId: 'rule', notificationId: 'n' }, 'e'),
    countBegun: (r) => r.alertDeliveries.countBegun({ ruleId: 'rule', notificationId: 'n' }, 1000),
    listHeld: (r) => r.alertDeliveries.listHeld(1000),
    held: (r) => r.alertDeliveries.held('n'),
    assignDigest: (r) => r.alertDeliveries.assignDigest('n', 1, 'digest'),
    hasUnfinished: (r) => r.alertDeliveries.hasUnfinished(),
    countOpen: (r) => r.alertDeliveries.countOpen(),
    list: (r) =>
      r.alertDeliveries.list(
        { states: ['held'], ids: ['a'], ruleId: 'r', notificationId: 'n', alertId: 'a' },
        page,
      ),
    find: (r, { deliveryId }) => r.alertDeliveries.find(deliveryId),
    listAttempts: (r) => r.alertDeliveries.listAttempts({ alertId: 'a' }, page),
    removeOlderThan: (r) => r.alertDeliveries.removeOlderThan(1000),
  },
  alertNotifications: {
    insert: (r) => r.alertNotifications.insert(ALERT_NOTIFICATION),
    update: (r, { alertNotificationId: id }) => r.alertNotifications.update(id, ALERT_NOTIFICATION),
    remove: (r, { alertNotificationId: id }) => r.alertNotifications.remove(id),
    find: (r, { alertNotificationId: id }) => r.alertNotifications.find(id),
    findMany: (r, { alertNotificationId: id }) => r.alertNotifications.findMany([id, 'other']),
    list: (r) => r.alertNotifications.list(),
    listByStream: (r, { streamId }) => r.alertNotifications.listByStream(streamId),
  },
};
