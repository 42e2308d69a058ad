import type {
  InputCreated,
  InputList,
  InputRequest,
  InputState,
  InputType,
  MessageCount,
  MessageSearchResultView,
  NotificationList,
  Problem,
  TestMessageSent,
} from '@millrace/contract';

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
  'POST /system/inputs': { body: InputRequest; response: InputCreated };
  'POST /system/inputs/{inputId}/test_message': { response: TestMessageSent };
  'POST /system/inputs/types/{inputType}/validate': {
    body: { configuration: Record<string, unknown> };
    response: { problems: readonly Problem[] };
  };
  'GET /system/inputs': { response: InputList };
  'GET /system/inputs/types/all': { response: Record<string, InputType> };
  'GET /cluster/inputstates': { response: Record<string, InputState[] | null> };
}
