import type { Generated } from 'kysely';
import type { JsonText } from '../columns.ts';

export interface AlertNotificationsTable {
  id: string;
  /** The stream whose conditions use it; null for one that rules name. */
  stream_id: string | null;
  type: string;
  /** The type as the client named it. */
  wire_type: string;
  title: string;
  description: string;
  configuration: JsonText<Readonly<Record<string, unknown>>>;
  /** The user name. */
  creator: string;
  created_at: number;
  updated_at: number;
}

export interface AlertNoticesTable {
  id: string;
  kind: string;
  rule_id: string;
  rule_title: string;
  alert_id: string | null;
  stream_ids: JsonText<readonly string[]>;
  description: string;
  /** Null once nothing is left to deliver. */
  content: JsonText<Readonly<Record<string, unknown>>> | null;
  created_at: number;
}

/**
 * `pending` waits for its next attempt, `sending` is claimed by a node; the others are final. `held` was over a limit
 * and is counted in a digest.
 */
export type DeliveryState = 'pending' | 'sending' | 'delivered' | 'failed' | 'cancelled' | 'held';

export interface AlertDeliveriesTable {
  id: string;
  notice_id: string;
  notification_id: string;
  notification_type: string;
  notification_title: string;
  rule_id: string;
  state: DeliveryState;
  attempts: number;
  next_attempt_at: number;
  first_attempt_at: number | null;
  claimed_by: string | null;
  claimed_until: number | null;
  /** What of it has already arrived, such as the mail to one of several receivers. */
  done_parts: JsonText<readonly string[]>;
  /** The notice of the digest that counts it. */
  digest_id: string | null;
  error: string | null;
  created_at: number;
  finished_at: number | null;
}

/** `interrupted`: the node died while sending, so nobody knows whether it arrived. */
export type AttemptOutcome = 'success' | 'failure' | 'interrupted';

export interface AlertDeliveryAttemptsTable {
  id: Generated<number>;
  delivery_id: string;
  started_at: number;
  finished_at: number | null;
  /** Null while it is being sent. */
  outcome: AttemptOutcome | null;
  error: string | null;
}
