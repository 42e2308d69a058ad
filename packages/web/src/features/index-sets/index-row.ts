import type { IndexSummary } from '@millrace/contract';

export interface IndexRow extends IndexSummary {
  readonly name: string;
}

/** What can be asked about an index before it is done. */
export type IndexQuestionKind = 'rotate' | 'close' | 'reopen' | 'delete';
