import type { InputList, InputState, InputType, MessageCount, NotificationList } from '@millrace/contract';

export interface SystemEndpoints {
  'GET /': { response: { cluster_id: string; node_id: string; version: string } };
  'GET /count/total': { response: MessageCount };
  'GET /system/notifications': { response: NotificationList };
  'DELETE /system/notifications/{notificationType}': { response: undefined };
  'GET /system/inputs': { response: InputList };
  'GET /system/inputs/types/all': { response: Record<string, InputType> };
  'GET /cluster/inputstates': { response: Record<string, InputState[] | null> };
}
