import type { Generated } from 'kysely';

export interface SystemMessagesTable {
  sequence: Generated<number>;
  caller: string;
  content: string;
  timestamp: number;
  node_id: string;
}
