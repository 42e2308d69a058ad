import type { CataloguedField } from '#storage/service.ts';

export interface QueryContext {
  /** Fields known in the searched index sets with their types: to find numbers with bare terms. */
  readonly fields: readonly CataloguedField[];
  /** Milliseconds: what `now` means in date math. */
  readonly now: number;
  /** For times that are written without one. */
  readonly timeZone: string;
}

export interface PredicateContext extends Pick<QueryContext, 'now' | 'timeZone'> {
  /** The node whose messages are looked at: `gl2_source_node`. */
  readonly nodeId?: string;
}
