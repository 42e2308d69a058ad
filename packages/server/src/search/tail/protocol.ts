/**
 * Messages between the main thread and the workers about live tails. Plain data, because it is cloned.
 */
import type { QueryNode } from '@millrace/query';

/** A selection that at least one follower of this node wants. Followers with the same selection share it. */
export interface WantedTail {
  readonly id: number;
  readonly query: QueryNode;
  /** Tails with the same key share one compiled predicate. */
  readonly queryKey: string;
  /** Milliseconds since the epoch: what `now` means in the query. */
  readonly now: number;
  readonly timeZone: string;
  /** Only messages of at least one of these streams; undefined for all streams. */
  readonly streams: readonly string[] | undefined;
  /** The streams that messages and conditions name: the follower may not know of others. Undefined for all. */
  readonly visibleStreams: readonly string[] | undefined;
  /** If false, processing failures are shown only when `streams` contains their stream. */
  readonly includesFailures: boolean;
  /** Only these fields, and always `_id` and `timestamp`. */
  readonly fields: readonly string[] | undefined;
  /** Messages per second; with 0, matches are only counted. */
  readonly rate: number;
}

/** The complete list of wanted tails; it replaces the one before. */
export interface WantedTails {
  /** Increases with every change. */
  readonly version: number;
  readonly nodeId: string;
  readonly tails: readonly WantedTail[];
}

/** Counts since the last delivery. */
export interface TailCounts {
  readonly matched: number;
  /** Matched, but exceeded the rate or another limit. */
  readonly dropped: number;
  /** Not tested, because testing would have taken too much of the worker's time. */
  readonly skipped: number;
}

export interface TailUpdate extends TailCounts {
  readonly id: number;
  /** Positions in the `texts` of the delivery, in the order of the messages. */
  readonly messages: readonly number[];
}

export interface TailDelivery {
  /** The newest version of `WantedTails` that the worker knows. */
  readonly version: number;
  /** Messages as JSON without line feeds, each once. */
  readonly texts: readonly string[];
  readonly tails: readonly TailUpdate[];
  /** Messages wait in the journal, because storage accepts no more or processing is paused. */
  readonly stalled: boolean;
}
