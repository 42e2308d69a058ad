/**
 * Delivers what is queued in a metadata database until it is killed. Prints `started` when it does.
 *
 * Arguments: path of the SQLite database, and `enqueue <URL>` to store a notification and a notice first.
 */
import { pino } from 'pino';
import { createDelivery } from '#alerts/notifications/delivery/delivery.ts';
import { createNoticeQueue } from '#alerts/notifications/service.ts';
import { createComponentSecrets, createSecretCipher, Secret, systemClock } from '#core/index.ts';
import { openMetadata } from '#metadata/index.ts';
import { createMetrics } from '#telemetry/index.ts';
import { aNotice } from './alert-notice.ts';
import { notificationContext } from './notification-fixture.ts';

const [file = '', mode, url] = process.argv.slice(2);
const logger = pino({ level: 'silent' });
const metadata = await openMetadata({ logger, clock: systemClock }, { uri: `sqlite:${file}` });

if (url !== undefined) {
  const { id } = await metadata.repositories.alertNotifications.insert({
    streamId: null,
    type: 'http',
    wireType: 'http-notification-v1',
    title: 'Hook',
    description: '',
    configuration: { url },
    creator: 'anna',
  });
  await createNoticeQueue({ metadata }).enqueue(aNotice(), [id]);
  process.stdout.write('enqueued\n');
}

if (mode !== 'only-enqueue') {
  await createDelivery(
    {
      metadata,
      context: notificationContext(),
      secrets: createComponentSecrets(
        createSecretCipher(new Secret('a secret of this test')),
        'notification',
      ),
      operators: { publish: async () => true, fix: async () => true },
      isLeader: () => true,
      clock: systemClock,
      logger,
      metrics: createMetrics({ clock: systemClock }),
    },
    { nodeId: 'node-1', limits: { perRule: 10, perNotification: 10, total: 10 }, intervalMs: 50 },
  ).start();
  process.stdout.write('started\n');
}
// The timers of a delivery do not keep a process alive.
setInterval(() => {}, 1000);
