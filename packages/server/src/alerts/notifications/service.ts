/** Telling people about alerts: what the rules, the composition root and the API use. */
import {
  type AllowedUrls,
  type AuditLog,
  type Clock,
  createAllowedTargets,
  createComponentSecrets,
  type SecretCipher,
  type Startable,
} from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import type { Notifications } from '#system/service.ts';
import type { Logger, Metrics } from '#telemetry/index.ts';
import { createDelivery } from './delivery/delivery.ts';
import type { DeliveryLimits } from './delivery/limits.ts';
import { createDeliveryProblems } from './delivery/problems.ts';
import type { CopyNotifications } from './management/copies.ts';
import { type AlertDeliveries, createAlertDeliveries } from './management/deliveries.ts';
import {
  type AlarmCallbacks,
  createNotificationManagement,
  type EventNotifications,
} from './management/notifications.ts';
import { createHttpCaller } from './net/http-call.ts';
import type { NotificationContext } from './notification-type.ts';
import { createNoticeQueue, type NoticeQueue } from './queue.ts';
import { createMailTransport, type MailSettings } from './types/email/transport.ts';
import { createScriptRunner } from './types/script/runner.ts';

export type { DeliveryLimits } from './delivery/limits.ts';
export type { CopyNotifications } from './management/copies.ts';
export type { AlertDeliveries } from './management/deliveries.ts';
export { createAlertDeliveries } from './management/deliveries.ts';
export type { AlarmCallbacks, EventNotifications } from './management/notifications.ts';
export { mayReadNotification } from './management/notifications.ts';
export type {
  AlertNotice,
  BacklogMessage,
  NoticeCondition,
  NoticeKind,
  NoticeRule,
  NoticeStream,
} from './notice.ts';
export { defineNotificationType } from './notification-type.ts';
export type { NoticeQueue, NoticeQueueDeps } from './queue.ts';
export { createNoticeQueue } from './queue.ts';
export { requireAlert, requireReadableAlert } from './readable-alert.ts';
export { NOTIFICATION_TYPES } from './registry.ts';
export { asIs } from './template/escape.ts';
export type { Template } from './template/template.ts';
export { parseTemplate, templateProblem } from './template/template.ts';
export { templateValue } from './template/values.ts';
export type { MailSettings } from './types/email/transport.ts';

/** Start it when the node may call others; it delivers while the node leads. */
export interface NotificationsService extends Startable {
  readonly queue: NoticeQueue;
  readonly callbacks: AlarmCallbacks;
  readonly events: EventNotifications;
  readonly deliveries: AlertDeliveries;
  readonly copyOfStream: CopyNotifications;
}

export interface NotificationsServiceDeps {
  readonly metadata: Metadata;
  readonly audit: AuditLog;
  /** Encrypts the secrets in stored configurations. */
  readonly cipher: SecretCipher;
  /** What operators are told. */
  readonly notifications: Pick<Notifications, 'publish' | 'fix'>;
  /** Which URLs administrators let notifications call. */
  readonly urls?: AllowedUrls;
  /** A stream as the API shows it; undefined if it is gone. */
  readonly findStream: NotificationContext['findStream'];
  readonly isLeader: () => boolean;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface NotificationsServiceSettings {
  readonly nodeId: string;
  /** `transport_email_*`; undefined: off. */
  readonly mail: MailSettings | undefined;
  /** `transport_email_web_interface_url`: called for each notice, since the port may not be known at the start. */
  readonly webInterface: () => string;
  /** `notification_allowed_networks` */
  readonly allowedNetworks: readonly string[];
  /** `notification_scripts_dir` */
  readonly scriptsFolder: string | undefined;
  readonly limits: DeliveryLimits;
  /** The built-in administrator, who is not in the database. */
  readonly root: { readonly username: string; readonly email: string; readonly timezone: string };
}

export function createNotificationsService(
  deps: NotificationsServiceDeps,
  settings: NotificationsServiceSettings,
): NotificationsService {
  const { metadata, audit, clock, logger, metrics, isLeader } = deps;
  const secrets = createComponentSecrets(deps.cipher, 'notification');
  const context: NotificationContext = {
    http: createHttpCaller({ targets: createAllowedTargets(settings.allowedNetworks, deps.urls) }),
    mail: createMailTransport(settings.mail),
    scripts: createScriptRunner(settings.scriptsFolder),
    users: { find: (username) => findMailUser(metadata, settings.root, username) },
    findStream: deps.findStream,
    webInterface: settings.webInterface,
    clock,
  };
  const delivery = createDelivery(
    { metadata, context, secrets, operators: deps.notifications, isLeader, clock, logger, metrics },
    settings,
  );
  const scriptsEnabled = context.scripts.isEnabled;
  const mailEnabled = settings.mail !== undefined;
  const { callbacks, events, copyOfStream } = createNotificationManagement({
    metadata,
    secrets,
    audit,
    clock,
    context,
    scriptsEnabled,
    mailEnabled,
    removed: createDeliveryProblems(deps.notifications).removed,
  });
  return {
    name: 'notifications',
    start: () => delivery.start(),
    stop: () => delivery.stop(),
    queue: createNoticeQueue({ metadata, added: delivery.wake }),
    callbacks,
    events,
    copyOfStream,
    deliveries: createAlertDeliveries({ metadata, audit, added: delivery.wake }),
  };
}

async function findMailUser(
  { repositories }: Metadata,
  root: NotificationsServiceSettings['root'],
  username: string,
) {
  if (username === root.username) return { email: root.email, timeZone: root.timezone };
  const user = username.includes('\0') ? undefined : await repositories.users.findByUsername(username);
  return user?.status === 'enabled' ? { email: user.email, timeZone: user.timezone } : undefined;
}
