import type { ProcessingBatch } from './batch.ts';

/**
 * A part of processing: a named function over a whole batch, made by a factory that has its dependencies.
 *
 * Contract: synchronous, and never throws because of what a message contains. What a step does with a message depends
 * only on that message and on the snapshot, so that a record that is read again gives the same messages with the same
 * ids. There is one exception: all messages of a batch share a bound of clones and new messages (`ProcessingBatch.limits`),
 * so which of them are refused beyond it depends on how the journal was cut into batches, and may differ when records are
 * read again. The name of the function is its name in the metrics.
 */
export interface Step {
  (batch: ProcessingBatch): void;
  /** Sets `gelfFrame` of each message that it changes to -1. Without this all messages count as changed. */
  readonly namesChanges?: true;
}

export function namingChanges(step: Step): Step {
  return Object.assign(step, { namesChanges: true } as const);
}
