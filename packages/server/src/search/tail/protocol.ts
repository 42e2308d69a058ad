/**
 * What the main thread and the workers say to each other about live tails. Plain data: it is cloned from one
 * worker into the other.
 */
import type { QueryNode } from '@millrace/query';

/** Something that at least one follower of this node wants to see. Followers who want the same share one. */
export interface WantedTail {
  readonly id: number;
  readonly query: QueryNode;
  /** Tails with the same key share one compiled predicate. */
  readonly queryKey: string;
  /** Milliseconds: what `now` means in the query. */
  readonly now: number;
  readonly timeZone: string;
  /** Only messages of one of these streams. Undefined: of all of them. */
  readonly streams: readonly string[] | undefined;
  /** Without it nothing of the stream of processing failures is shown, unless `streams` names it. */
  readonly includesFailures: boolean;
  /** Only these fields, and always `_id` and `timestamp`. */
  readonly fields: readonly string[] | undefined;
  /** Messages a second; with 0 they are only counted. */
  readonly rate: number;
}

/** Everything that is wanted, whole: what is not in it is wanted no more. */
export interface WantedTails {
  /** Grows with every change. */
  readonly version: number;
  readonly nodeId: string;
  readonly tails: readonly WantedTail[];
}

/** What happened to the messages of a tail since the last delivery. */
export interface TailCounts {
  readonly matched: number;
  /** Matched, but were more than the rate allows or than could be passed on. */
  readonly dropped: number;
  /** Were not looked at, because looking would have taken too much of the worker's time. */
  readonly skipped: number;
}

export interface TailNews extends TailCounts {
  readonly id: number;
  /** Positions in `texts` of the delivery, in the order of the messages. */
  readonly messages: readonly number[];
}

export interface TailDelivery {
  /** The newest version of what is wanted that the worker knows. */
  readonly version: number;
  /** Messages as JSON without line feeds, each once, whoever wants it. */
  readonly texts: readonly string[];
  readonly tails: readonly TailNews[];
  /** Messages wait in the journal: the storage takes no more, or processing is paused. */
  readonly stalled: boolean;
}
