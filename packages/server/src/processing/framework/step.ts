import type { Message, RecordBatch, RoutingTarget } from '#core/index.ts';

/** One batch of the journal on its way through processing. Steps change it in place. */
export interface ProcessingBatch {
  readonly records: RecordBatch;
  /** One for each record, in order, once they are decoded. */
  messages: Message[];
  /** Where message `i` goes; undefined until somebody has decided. A decision is not taken back. */
  targets: (RoutingTarget | undefined)[];
}

/**
 * A part of processing: a named function over a whole batch, made by a factory that has its dependencies.
 *
 * Contract: synchronous, and never throws because of what a message contains: a message that cannot be
 * processed becomes a failure, which is a message too. The name of the function is its name in the metrics.
 */
export type Step = (batch: ProcessingBatch) => void;
