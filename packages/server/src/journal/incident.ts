/**
 * Something a person should know about a partition: `report` gets each one once per occurrence. `records`
 * counts what is lost; 0 means that nothing acknowledged is gone.
 */
export interface JournalIncident {
  readonly kind:
    | 'tail_cut'
    | 'records_lost'
    | 'segment_unusable'
    | 'checkpoint_lost'
    | 'records_dropped'
    | 'write_failing'
    | 'write_recovered'
    | 'read_failing'
    | 'remove_failing'
    | 'checkpoint_failing'
    | 'records_abandoned';
  /** One sentence for the log: what happened, to which file, what it means. */
  readonly message: string;
  readonly partition: string;
  readonly file?: string;
  readonly records: number;
  readonly bytes: number;
  /** The offset of the first record concerned. */
  readonly offset?: number;
  /** The offset after the last record concerned. */
  readonly endOffset?: number;
  readonly cause?: unknown;
}

export type ReportIncident = (incident: JournalIncident) => void;
