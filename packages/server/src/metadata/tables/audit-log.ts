import type { Generated } from 'kysely';
import type { JsonText } from '../columns.ts';

export type AuditOutcome = 'success' | 'failure';

export interface AuditLogTable {
  sequence: Generated<number>;
  time: number;
  actor: string;
  actor_address: string | null;
  action: string;
  object_type: string;
  object_id: string | null;
  before: JsonText<unknown> | null;
  after: JsonText<unknown> | null;
  outcome: AuditOutcome;
}
