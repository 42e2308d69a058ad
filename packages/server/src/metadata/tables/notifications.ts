import type { JsonText } from '../columns.ts';

export type NotificationSeverity = 'normal' | 'urgent';

export interface NotificationsTable {
  type: string;
  key: string;
  severity: NotificationSeverity;
  timestamp: number;
  node_id: string;
  details: JsonText<Readonly<Record<string, unknown>>>;
}
