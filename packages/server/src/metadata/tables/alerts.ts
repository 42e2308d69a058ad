import type { BooleanColumn, JsonText } from '../columns.ts';
import type { AlertContent, AlertRuleContent } from '../repositories/alert-types.ts';

export interface AlertRulesTable {
  id: string;
  /** The stream it belongs to, if it looks at exactly one. */
  stream_id: string | null;
  title: string;
  description: string;
  /** The user name. */
  creator: string;
  enabled: BooleanColumn;
  content: JsonText<AlertRuleContent>;
  created_at: number;
  updated_at: number;
}

export interface AlertRuleStatesTable {
  rule_id: string;
  evaluated_until: number;
  attempted_at: number;
  failures: number;
  last_error: string | null;
  muted_until: number | null;
}

export interface AlertsTable {
  id: string;
  rule_id: string;
  stream_id: string | null;
  /** A hash of the key's values, which may be too long for an index. */
  key_id: string;
  /** A hash of the key that the rule computed for an event of a single message; null for all other alerts. */
  event_key_id: string | null;
  triggered_at: number;
  resolved_at: number | null;
  notified_at: number | null;
  event_stored: BooleanColumn;
  /** False for an event of a rule that does not alert. As in the content, where no query looks. */
  is_alert: BooleanColumn;
  /** The title and the description in lower case, for sorting and finding. */
  search_key: string;
  content: JsonText<AlertContent>;
}
