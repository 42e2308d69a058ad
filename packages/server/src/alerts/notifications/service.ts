/** Telling people about alerts: what the rules, the composition root and the API use. */
export type {
  AlertNotice,
  BacklogMessage,
  NoticeCondition,
  NoticeKind,
  NoticeRule,
  NoticeStream,
} from './notice.ts';
export type { NoticeQueue, NoticeQueueDeps } from './queue.ts';
export { createNoticeQueue } from './queue.ts';
