/** What workers and the main thread say to each other about keys of remote adapters. Plain data. */

import type { FetchedAnswer } from './answer-cache.ts';
import type { LookupChange } from './change.ts';

/** A key of a table, while the table answers from this source. */
export interface LookupKey {
  readonly table: string;
  readonly sourceId: string;
  readonly key: string;
}

export interface RequestedChange extends LookupKey {
  readonly change: LookupChange;
}

/** What a worker wants. Every key and every change is answered. */
export interface LookupRequests {
  readonly keys: readonly LookupKey[];
  /** In their order. */
  readonly changes: readonly RequestedChange[];
}

export interface RemoteAnswer extends LookupKey {
  /** Undefined: it could not be fetched. */
  readonly fetched: FetchedAnswer | undefined;
  /** It is the answer to a change. */
  readonly isChange: boolean;
}

/** What workers must not use any more. Without a key: everything of the table. */
export interface ForgottenKey {
  readonly table: string;
  readonly key?: string | undefined;
}
