import type { Clock } from '#core/index.ts';
import type { JournalFileSystem, ReportIncident } from '#journal/index.ts';
import type { QueueMemory } from './queue-memory.ts';

export interface OutputQueueDeps {
  readonly clock: Clock;
  readonly report: ReportIncident;
  /** Messages are on disk. */
  readonly queued?: (messages: number, bytes: number) => void;
  /** Messages were dropped and will not be sent. */
  readonly dropped: (reason: QueueDropReason, messages: number, bytes: number) => void;
  /** The queue could not be opened again; it is tried until it can. */
  readonly cannotOpen?: (error: unknown) => void;
  readonly files?: JournalFileSystem;
  /** Memory that queues share; its own unless given. */
  readonly memory?: QueueMemory;
  /** How long the journal waits before it writes again to a disk that failed; for tests. */
  readonly retryDelayMs?: number;
}

/** The object stands for the queue where it shares memory with others. */
export type ResolvedDeps = OutputQueueDeps & { readonly memory: QueueMemory };

export type QueueDropReason = 'queue_full' | 'too_large' | 'disk_failing';

export interface OutputQueueSettings {
  readonly directory: string;
  readonly maxBytes: number;
  readonly onFull: 'drop_oldest' | 'block';
  /** How long a queue that drops waits for its disk before it drops what cannot be written. */
  readonly diskPatienceMs?: number;
  readonly markAfterMs?: number;
}
