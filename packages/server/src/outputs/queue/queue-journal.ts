import {
  allocateSharedBudget,
  type JournalIncident,
  type JournalPartition,
  openPartition,
  sharedByteBudget,
} from '#journal/index.ts';
import type { OutputQueueSettings, ResolvedDeps } from './queue-deps.ts';
import { QUEUE_TUNING } from './queue-memory.ts';
import type { MessageCount, SentMessages } from './sent-messages.ts';

/** A group of messages is on disk after this time at the latest. Only the commit of the node's journal waits for it. */
const FLUSH_AGE_MS = 100;
const MAX_SEGMENT_BYTES = 16 * 1024 * 1024;

export function openQueueJournal(
  deps: ResolvedDeps,
  settings: OutputQueueSettings,
  sent: SentMessages,
): Promise<JournalPartition> {
  const { directory, maxBytes, onFull } = settings;
  return openPartition(
    {
      clock: deps.clock,
      budget: sharedByteBudget(allocateSharedBudget(maxBytes, 1), 0),
      report: (incident) => report(deps, sent, incident),
      tuning: {
        ...QUEUE_TUNING,
        ...(deps.retryDelayMs !== undefined && { retryDelayMs: deps.retryDelayMs }),
      },
      ...(deps.files && { files: deps.files }),
      chunks: deps.memory.chunks,
      windowBytes: () => deps.memory.windowBytes(deps),
      maxPendingBytes: () => deps.memory.pendingBytes(maxBytes),
    },
    {
      directory,
      flushAgeMs: FLUSH_AGE_MS,
      fullPolicy: onFull,
      segmentBytes: MAX_SEGMENT_BYTES,
      segmentAgeMs: Number.POSITIVE_INFINITY,
    },
  );
}

function report(deps: ResolvedDeps, sent: SentMessages, incident: JournalIncident): void {
  if (incident.kind === 'records_dropped') countDropped(deps, sent.madeRoom(incident), incident);
  else deps.report(incident);
}

/** A full queue has dropped messages that will not be sent: the log names as many as are counted. */
export function countDropped(
  deps: ResolvedDeps,
  { messages, bytes }: MessageCount,
  { partition, file }: Pick<JournalIncident, 'partition' | 'file'>,
): void {
  if (messages === 0) return;
  deps.dropped('queue_full', messages, bytes);
  deps.report({
    kind: 'records_dropped',
    message: `it was full: dropped its oldest ${messages} messages, which were not delivered yet (on_full = drop_oldest)`,
    partition,
    ...(file !== undefined && { file }),
    records: messages,
    bytes,
  });
}
