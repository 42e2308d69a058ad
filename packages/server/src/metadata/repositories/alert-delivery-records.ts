import type { Page, PageRequest } from '../paging.ts';
import type { AttemptOutcome, DeliveryState } from '../tables/alert-notifications.ts';

/** Something people are told about an alert. `content` is the whole of it, in the shape of `alerts/notifications`. */
export interface NewNoticeRecord {
  readonly id: string;
  readonly kind: string;
  readonly ruleId: string;
  readonly ruleTitle: string;
  readonly alertId: string | null;
  readonly streamIds: readonly string[];
  /** One line, for the history. */
  readonly description: string;
  readonly content: Readonly<Record<string, unknown>>;
}

/** The notification that delivers a notice. Its type and title stay in the history when it is removed. */
export interface DeliveryTarget {
  readonly notificationId: string;
  readonly notificationType: string;
  readonly notificationTitle: string;
}

/** A delivery with what its notice is about. */
export interface DeliveryRecord extends DeliveryTarget, Omit<NewNoticeRecord, 'id' | 'content'> {
  readonly id: string;
  readonly noticeId: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly nextAttemptAt: number;
  readonly error: string | null;
  readonly createdAt: number;
  readonly finishedAt: number | null;
  /** Whether the content of its notice is still known. */
  readonly hasContent: boolean;
}

/** A delivery that a node has claimed, with everything it needs to send it. */
export interface ClaimedDelivery extends DeliveryRecord {
  readonly attemptId: number;
  readonly doneParts: readonly string[];
  /** Undefined if it was removed meanwhile. */
  readonly content: Readonly<Record<string, unknown>> | undefined;
}

/** What shows that an attempt is still the one that counts: nobody has begun another since. */
export type DeliveryClaim = Pick<ClaimedDelivery, 'id' | 'attemptId' | 'attempts'>;

export interface DeliveryAttempt {
  readonly id: number;
  readonly delivery: DeliveryRecord;
  readonly startedAt: number;
  readonly finishedAt: number | null;
  readonly outcome: AttemptOutcome | null;
  readonly error: string | null;
}

/** `error` of a success says who was not reached. */
export type AttemptResult =
  | { readonly outcome: 'success'; readonly error: string | null }
  | { readonly outcome: 'failure'; readonly error: string; readonly retryAfterMs: number | undefined };

export interface DeliveryFilter {
  readonly states?: readonly DeliveryState[];
  readonly ids?: readonly string[];
  readonly ruleId?: string;
  readonly notificationId?: string;
  readonly alertId?: string;
}

/** Notices of one notification that were over a limit and are in no digest yet. */
export interface HeldNotices {
  readonly total: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** Those with most first. */
  readonly rules: readonly { readonly id: string; readonly title: string; readonly count: number }[];
}

/**
 * The queue of notices that are to be delivered, and the history of those that were. Times are those of the database,
 * so that all nodes agree on what is due.
 */
export interface AlertDeliveriesRepository {
  /** Stores the notice and a delivery for each target. False, and nothing happens, if the notice's id is known. */
  enqueue(notice: NewNoticeRecord, targets: readonly DeliveryTarget[]): Promise<boolean>;
  /**
   * Those whose next attempt is due, those that wait longest first. Not those that follow another delivery of the same
   * alert by the same notification that is still open: the end of an alert must not arrive before its beginning.
   *
   * @param except notifications to leave out
   */
  listDue(limit: number, except?: readonly string[]): Promise<readonly DeliveryRecord[]>;
  /**
   * Begins an attempt. Until `durationMs` from now nobody else does. Undefined if the delivery does not wait any more.
   */
  claim(id: string, holder: string, durationMs: number): Promise<ClaimedDelivery | undefined>;
  /** Remembers what of a claimed delivery has arrived, and extends the claim. False if the claim was lost. */
  markDone(claim: DeliveryClaim, parts: readonly string[], durationMs: number): Promise<boolean>;
  /**
   * Ends an attempt. If its claim was lost, a failure changes nothing but the attempt, and a success counts as long as
   * nobody else has begun another attempt.
   */
  finish(claim: DeliveryClaim, result: AttemptResult): Promise<void>;
  /**
   * Frees what died with its node: all claims of `holder`, and those of others that have expired. They are due again at
   * once, and their attempts are interrupted. Resolves with how many there were.
   */
  releaseClaims(holder?: string): Promise<number>;
  /** Takes a waiting delivery out of the queue. False if it does not wait any more. */
  end(id: string, state: 'held' | 'cancelled', error: string): Promise<boolean>;
  /** Takes all waiting deliveries that match out of the queue. Resolves with how many there were. */
  cancel(filter: Pick<DeliveryFilter, 'ids' | 'ruleId' | 'notificationId'>, reason: string): Promise<number>;
  /** Puts a failed delivery back into the queue. False if it has not failed, or nobody knows any more what it said. */
  sendAgain(id: string): Promise<boolean>;
  /** How many deliveries began in the last `withinMs`: of the rule, by the notification, or at all. */
  countBegun(filter: Pick<DeliveryFilter, 'ruleId' | 'notificationId'>, withinMs: number): Promise<number>;
  /** The notifications with held notices that are in no digest, the oldest of which is at least so old. */
  listHeld(olderThanMs: number): Promise<readonly string[]>;
  held(notificationId: string): Promise<HeldNotices | undefined>;
  /** Counts everything held until `lastAt` as part of a digest. */
  assignDigest(notificationId: string, lastAt: number, digestId: string): Promise<void>;
  /** Whether any wait or are being sent, or are held and in no digest: all that becomes due by itself. */
  hasUnfinished(): Promise<boolean>;
  /** How many wait or are being sent. */
  countOpen(): Promise<number>;
  /** Newest first. */
  list(filter: DeliveryFilter, page: PageRequest): Promise<Page<DeliveryRecord>>;
  find(id: string): Promise<DeliveryRecord | undefined>;
  /** Newest first. */
  listAttempts(filter: Omit<DeliveryFilter, 'states'>, page: PageRequest): Promise<Page<DeliveryAttempt>>;
  /** Removes what is older and finished, with its attempts. Resolves with how many notices there were. */
  removeOlderThan(ageMs: number): Promise<number>;
}
