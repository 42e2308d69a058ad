import type { MessageCount, MessageSearchResultView, NotificationList } from '@millrace/contract';

export interface SystemEndpoints {
  'GET /': { response: { cluster_id: string; node_id: string; version: string } };
  'GET /count/total': { response: MessageCount };
  /** The newest message, on the page with the first steps. */
  'GET /search/universal/relative': {
    query: { query: string; range: number; limit: number; sort: string };
    response: MessageSearchResultView;
  };
  'GET /system/notifications': { response: NotificationList };
  'DELETE /system/notifications/{notificationType}': { response: undefined };
}
