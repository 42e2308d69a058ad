/** What a type of notification needs at run time. The main thread uses `service.ts`. */
export type { AlertNotice, BacklogMessage, NoticeKind } from './notice.ts';
export type { NotificationContext, NotificationDefinition, NotificationType } from './notification-type.ts';
export type { NotificationSender, SendProgress, SendReport } from './sending.ts';
export { givesUp, SendFailure, triesAgain } from './sending.ts';
