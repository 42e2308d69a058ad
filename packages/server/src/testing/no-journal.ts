import type { JournalSummary, ProcessingStatus } from '@millrace/contract';

/** What `/system/journal` says on a node that has no journal. */
export const NO_JOURNAL: JournalSummary = {
  enabled: false,
  append_events_per_second: 0,
  read_events_per_second: 0,
  uncommitted_journal_entries: 0,
  journal_size: 0,
  journal_size_limit: 0,
  number_of_segments: 0,
  oldest_segment: null,
  journal_config: null,
};

const EPOCH = new Date(0).toISOString();
export const NOTHING_WAITS: ProcessingStatus = {
  receive_times: { ingest: EPOCH, post_processing: EPOCH, post_indexing: EPOCH },
};
