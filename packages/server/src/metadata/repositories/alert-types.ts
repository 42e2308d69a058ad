/** What the records of alert rules and alerts hold. */

/** A component as it is stored: the short id of its type and its configuration in the words of the API. */
export interface StoredCondition {
  readonly type: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** When a rule is evaluated. */
export type AlertSchedule =
  /** `everyMs` null: every `alert_check_interval`. */
  | { readonly kind: 'interval'; readonly everyMs: number | null }
  | { readonly kind: 'cron'; readonly expression: string; readonly timeZone: string };

/** The part of a rule that no query of the database looks into. */
export interface AlertRuleContent {
  /** The streams whose messages count; empty for all. */
  readonly streams: readonly string[];
  readonly condition: StoredCondition;
  readonly schedule: AlertSchedule;
  /** Whether the notifications of its stream are sent, as for conditions of streams. */
  readonly notifiesStream: boolean;
  readonly notifications: readonly AlertRuleNotification[];
  /** 1 low, 2 normal, 3 high. */
  readonly priority: number;
  /** Whether it alerts; otherwise it only records events. */
  readonly isAlert: boolean;
  /** What clients of event definitions store with a rule, and what we only give back. */
  readonly extras: Readonly<Record<string, unknown>>;
}

export interface AlertRuleNotification {
  readonly notificationId: string;
  readonly parameters: Readonly<Record<string, unknown>> | null;
}

export interface AlertRuleProperties extends AlertRuleContent {
  readonly title: string;
  readonly description: string;
  readonly enabled: boolean;
}

export interface NewAlertRule extends AlertRuleProperties {
  /** The name of the user who created it. */
  readonly creator: string;
}

export interface AlertRuleRecord extends NewAlertRule {
  /** A UUID. */
  readonly id: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** How far the evaluation of a rule has come. */
export interface AlertRuleState {
  readonly ruleId: string;
  /** The end of the last window that was evaluated. */
  readonly evaluatedUntil: number;
  /** When it was last tried. */
  readonly attemptedAt: number;
  /** Failed attempts in a row. */
  readonly failures: number;
  readonly lastError: string | null;
  /** No notifications until then. */
  readonly mutedUntil: number | null;
}

export interface AlertContent {
  readonly description: string;
  /** The title of the rule at that time. */
  readonly title: string;
  readonly conditionType: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly streams: readonly string[];
  /** What tells it apart from other alerts of the rule: the fields and their values. Empty without. */
  readonly key: readonly AlertKeyField[];
  readonly windowFrom: number;
  readonly windowTo: number;
  readonly values: Readonly<Record<string, number | null>>;
  readonly priority: number;
  readonly isAlert: boolean;
  /** The fields that the rule computed for it. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The key that the rule computed of them; shown instead of the values of `key`. */
  readonly eventKey?: readonly string[] | undefined;
  /** The message that is this event. */
  readonly sourceMessage?: { readonly id: string; readonly index: string } | undefined;
}

export interface AlertKeyField {
  readonly field: string;
  readonly value: string;
}

export interface NewAlert extends AlertContent {
  /** Sorts by time; also the id of the event's message. */
  readonly id: string;
  readonly ruleId: string;
  readonly triggeredAt: number;
  readonly notifiedAt: number | null;
  /** For an event that does not last, the time it was triggered. */
  readonly resolvedAt?: number | null;
}

export interface AlertRecord extends NewAlert {
  readonly keyId: string;
  readonly resolvedAt: number | null;
}
