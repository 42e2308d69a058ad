import type { ProcessingBatch } from './batch.ts';

/**
 * A part of processing: a named function over a whole batch, made by a factory that has its dependencies.
 *
 * Contract: synchronous, and never throws because of what a message contains. What a step does with a message depends
 * only on that message and on the snapshot, so that a record that is read again gives the same messages with the same
 * ids. The name of the function is its name in the metrics.
 */
export type Step = (batch: ProcessingBatch) => void;
