import { createComponentRegistry } from '#core/index.ts';
import type { NotificationType } from './notification-type.ts';
import { emailNotification } from './types/email/notification.ts';
import { httpNotification } from './types/http/notification.ts';
import { ntfyNotification } from './types/ntfy/notification.ts';
import { pagerDutyNotification } from './types/pagerduty/notification.ts';
import { scriptNotification } from './types/script/notification.ts';
import { slackNotification } from './types/slack/notification.ts';
import { teamsNotification } from './types/teams/notification.ts';

/** A new type of notification is its folder and a line here. */
export const NOTIFICATION_TYPES = createComponentRegistry<NotificationType>('notification', [
  emailNotification,
  httpNotification,
  slackNotification,
  teamsNotification,
  pagerDutyNotification,
  ntfyNotification,
  scriptNotification,
]);
