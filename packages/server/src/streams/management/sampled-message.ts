import type { StreamPreviewRequest } from '@millrace/contract';
import type { FieldValue, Principal } from '#core/index.ts';

/** A stored message of a sample. */
export interface SampledMessage {
  readonly id: string;
  readonly index: string;
  /** Milliseconds since the epoch, as is `receivedAt`. */
  readonly timestamp: number;
  readonly receivedAt: number;
  /** By their names in the API, without `_id` and `timestamp`. */
  readonly fields: ReadonlyMap<string, FieldValue | readonly string[]>;
}

export interface SampleCaller {
  readonly principal: Principal;
  readonly signal?: AbortSignal | undefined;
}

/** Stored messages that the caller may read, the newest first, in batches. */
export type ReadSample = (
  caller: SampleCaller,
  request: {
    readonly range: StreamPreviewRequest['timerange'];
    readonly limit: number;
    readonly fields: readonly string[];
  },
) => AsyncIterable<readonly SampledMessage[]>;
