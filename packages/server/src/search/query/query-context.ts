import type { CataloguedField } from '#storage/service.ts';

export interface QueryContext {
  /** Known fields and their types, so that a term without a field can find numbers. */
  readonly fields: readonly CataloguedField[];
  /** The streams that the caller may read; a condition on `streams` sees no others. Undefined for all. */
  readonly visibleStreams?: readonly string[] | undefined;
  /** Milliseconds since the epoch: what `now` means in date math. */
  readonly now: number;
  /** For times without a zone. */
  readonly timeZone: string;
}

export interface PredicateContext extends Pick<QueryContext, 'now' | 'timeZone' | 'visibleStreams'> {
  /** The value of `gl2_source_node`. Without it, messages have it as a field: those that a caller sends. */
  readonly nodeId?: string;
}
