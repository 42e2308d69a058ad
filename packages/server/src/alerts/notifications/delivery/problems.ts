import type { NotificationType as ProblemType } from '@millrace/contract';
import { errorMessage } from '#core/index.ts';
import type { AlertNotificationRecord } from '#metadata/index.ts';
import type { Notifications } from '#system/service.ts';
import { SendFailure } from '../sending.ts';

/** Tells operators about notifications that do not arrive, and when they do again. */
export interface DeliveryProblems {
  failed(notification: AlertNotificationRecord, error: unknown, isFinal: boolean): Promise<void>;
  arrived(notification: AlertNotificationRecord): Promise<void>;
  heldBack(notification: { readonly id: string; readonly title: string }, reason: string): Promise<void>;
  /** The digest is on its way, so nothing is hidden any more. */
  toldInDigest(notificationId: string): Promise<void>;
  /** The notification is gone, and its problems with it. */
  removed(notificationId: string): Promise<void>;
}

export function createDeliveryProblems(operators: Pick<Notifications, 'publish' | 'fix'>): DeliveryProblems {
  return {
    async failed({ id, title, type }, error, isFinal) {
      await operators.publish({
        type: problemType(type, error),
        key: id,
        severity: isFinal ? 'urgent' : 'normal',
        details: {
          notification_id: id,
          notification_title: title,
          exception: errorMessage(error),
          gave_up: isFinal,
        },
      });
    },
    async arrived({ id, type }) {
      for (const problem of type === 'email' ? EMAIL_PROBLEMS : OTHER_PROBLEMS) {
        await operators.fix(problem, id);
      }
    },
    async heldBack({ id, title }, reason) {
      await operators.publish({
        type: 'alert_notifications_held_back',
        key: id,
        details: { notification_id: id, notification_title: title, reason },
      });
    },
    async toldInDigest(notificationId) {
      await operators.fix('alert_notifications_held_back', notificationId);
    },
    async removed(notificationId) {
      for (const problem of [
        ...EMAIL_PROBLEMS,
        ...OTHER_PROBLEMS,
        'alert_notifications_held_back',
      ] as const) {
        await operators.fix(problem, notificationId);
      }
    },
  };
}

const EMAIL_PROBLEMS: readonly ProblemType[] = [
  'email_transport_configuration_invalid',
  'email_transport_failed',
];
const OTHER_PROBLEMS: readonly ProblemType[] = ['alert_notification_failed'];

function problemType(type: string, error: unknown): ProblemType {
  if (type !== 'email') return 'alert_notification_failed';
  const isUnconfigured = error instanceof SendFailure && error.isSetup && !error.isRetryable;
  return isUnconfigured ? 'email_transport_configuration_invalid' : 'email_transport_failed';
}
