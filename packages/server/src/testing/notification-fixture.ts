import { createHttpCaller } from '#alerts/notifications/net/http-call.ts';
import type { AlertNotice } from '#alerts/notifications/notice.ts';
import type { NotificationContext, NotificationType } from '#alerts/notifications/notification-type.ts';
import { type SendReport, wholeAttempt } from '#alerts/notifications/sending.ts';
import { createMailTransport } from '#alerts/notifications/types/email/transport.ts';
import { createScriptRunner } from '#alerts/notifications/types/script/runner.ts';
import { createAllowedTargets, InvalidConfiguration, systemClock } from '#core/index.ts';

/** What senders need, allowed to call servers of this machine. */
export function notificationContext(changes: Partial<NotificationContext> = {}): NotificationContext {
  return {
    http: createHttpCaller({ targets: createAllowedTargets(['127.0.0.0/8', '::1']) }),
    mail: createMailTransport(undefined),
    scripts: createScriptRunner(undefined),
    users: { find: async () => undefined },
    findStream: async () => undefined,
    webInterface: () => 'https://logs.example.org/',
    clock: systemClock,
    ...changes,
  };
}

/** Sends a notice as a notification of this type and configuration does. */
export async function sendNotice(
  type: NotificationType,
  configuration: Record<string, unknown>,
  notice: AlertNotice,
  context: NotificationContext = notificationContext(),
): Promise<SendReport> {
  const sender = type.create(context, configuration);
  if (sender instanceof InvalidConfiguration) throw new Error(sender.text);
  return sender.send(notice, wholeAttempt(new AbortController().signal));
}
