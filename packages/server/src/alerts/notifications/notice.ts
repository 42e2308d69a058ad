/**
 * What the rules hand to the notifications: a notice says everything about one moment of an alert, so that it can be
 * delivered later, by another node, when the messages it is about are gone.
 */

/**
 * `triggered`: an alert began. `repeated`: it still goes on, and its rule repeats. `resolved`: it is over; only
 * notifications with that option send it. `evaluation_failed`: the rule could not be evaluated several times in a row.
 * `test`: somebody tries the notification. `digest`: how many notices were held back because there were too many; the
 * delivery makes it.
 */
export type NoticeKind = 'triggered' | 'repeated' | 'resolved' | 'evaluation_failed' | 'test' | 'digest';

export interface AlertNotice {
  /**
   * Unique for what people are told, and the same when it is said again after a crash: for example
   * `<alert id>:triggered`, or `<alert id>:repeated:<time of the evaluation>`.
   */
  readonly id: string;
  readonly kind: NoticeKind;
  readonly rule: NoticeRule;
  readonly condition: NoticeCondition;
  /** The alert and event this is about; null when there is none, as for `evaluation_failed`. */
  readonly alertId: string | null;
  /** The streams that are looked at. */
  readonly streams: readonly NoticeStream[];
  /** The query of the rule; `*` for none. */
  readonly query: string;
  /** The values of the rule's keys, in their order; empty without keys. */
  readonly key: readonly string[];
  /** The fields that were grouped by, with their values. */
  readonly groupBy: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch, like every time here. */
  readonly triggeredAt: number;
  /** Null until then. */
  readonly resolvedAt: number | null;
  /** The messages that were looked at, `to` excluded; null if none were. */
  readonly window: { readonly from: number; readonly to: number } | null;
  /** A sentence for people: what was found, or why the evaluation failed. */
  readonly resultDescription: string;
  /** What was measured, by name, such as `count()`. */
  readonly values: Readonly<Record<string, number | string | null>>;
  /** The event's own fields. */
  readonly fields: Readonly<Record<string, string>>;
  /** Newest first. */
  readonly backlog: readonly BacklogMessage[];
}

export interface NoticeRule {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly remediationSteps: string;
  /** 1 low, 2 normal, 3 high. */
  readonly priority: number;
  /** False for an event that is not an alert. */
  readonly isAlert: boolean;
  /** The name of the user who created it. */
  readonly creator: string;
  readonly createdAt: number;
  readonly graceMs: number;
  /** How many messages are attached at most. */
  readonly backlogSize: number;
}

export interface NoticeCondition {
  /** The name in the API: `message_count`, `aggregation-v1`. */
  readonly type: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** What it is configured to do, for people. */
  readonly description: string;
}

export interface NoticeStream {
  readonly id: string;
  readonly title: string;
  readonly description: string;
}

export interface BacklogMessage {
  readonly id: string;
  /** The index it is stored in; empty if unknown. */
  readonly index: string;
  readonly message: string;
  readonly source: string;
  readonly timestamp: number;
  readonly streamIds: readonly string[];
  /** All other fields. */
  readonly fields: Readonly<Record<string, unknown>>;
}
