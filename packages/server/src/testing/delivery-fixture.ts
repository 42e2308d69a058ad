import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { createDelivery, type DeliverySettings } from '#alerts/notifications/delivery/delivery.ts';
import type { NotificationContext } from '#alerts/notifications/notification-type.ts';
import { createNoticeQueue, type NoticeQueue } from '#alerts/notifications/service.ts';
import { createComponentSecrets, createSecretCipher, Secret } from '#core/index.ts';
import type { Metadata, NewAlertNotification } from '#metadata/index.ts';
import type { NotificationContent } from '#system/service.ts';
import { createMetrics } from '#telemetry/index.ts';
import { ManualClock } from './manual-clock.ts';
import { openTestMetadata } from './metadata.ts';
import { notificationContext } from './notification-fixture.ts';

/** The queue and its delivery on a database of their own, with a clock that tests move. */
export async function deliveryFixture(
  options: Partial<DeliverySettings> & {
    metadata?: Metadata;
    clock?: ManualClock;
    isLeader?: () => boolean;
    context?: NotificationContext;
  } = {},
) {
  const clock = options.clock ?? new ManualClock();
  const metadata = options.metadata ?? (await openTestMetadata(clock));
  if (options.metadata === undefined) onTestFinished(() => metadata.close());
  const problems = new Map<string, NotificationContent>();
  const { isLeader = () => true } = options;
  const delivery = createDelivery(
    {
      metadata,
      context: options.context ?? notificationContext(),
      secrets: createComponentSecrets(
        createSecretCipher(new Secret('a secret of this test')),
        'notification',
      ),
      operators: {
        publish: async (problem) => {
          problems.set(`${problem.type} ${problem.key}`, problem);
          return true;
        },
        fix: async (type, key) => problems.delete(`${type} ${key}`),
      },
      isLeader,
      clock,
      monotonic: clock,
      logger: pino({ level: 'silent' }),
      metrics: createMetrics({ clock }),
      // The tests say when a turn begins.
      timers: clock,
    },
    { nodeId: 'node-1', limits: { perRule: 1000, perNotification: 1000, total: 1000 }, ...options },
  );
  const queue: NoticeQueue = createNoticeQueue({ metadata });
  return {
    clock,
    metadata,
    delivery,
    queue,
    problems,
    async notification(changes: Partial<NewAlertNotification> = {}) {
      const { id } = await metadata.repositories.alertNotifications.insert({
        streamId: null,
        type: 'http',
        wireType: 'http-notification-v1',
        title: 'Hook',
        description: '',
        configuration: {},
        creator: 'anna',
        ...changes,
      });
      return id;
    },
    /** All deliveries, oldest first. */
    async deliveries() {
      const page = { limit: 1000, offset: 0 };
      return [...(await metadata.repositories.alertDeliveries.list({}, page)).items].reverse();
    },
    async attempts() {
      const page = { limit: 1000, offset: 0 };
      return [...(await metadata.repositories.alertDeliveries.listAttempts({}, page)).items].reverse();
    },
  };
}
