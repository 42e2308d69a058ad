/** Ids that are the same in every installation, because clients, records and nodes refer to them. */

/** The index set of the stream "All messages", until an administrator makes another one the default. */
export const DEFAULT_INDEX_SET_ID = '000000000000000000000001';
/** The index set of the stream "Processing failures". */
export const FAILURE_INDEX_SET_ID = '000000000000000000000004';
/** The stream "All messages". */
export const DEFAULT_STREAM_ID = '000000000000000000000001';
/** The stream "Processing failures". */
export const FAILURE_STREAM_ID = '000000000000000000000004';
/** The index set of the stream "All events". */
export const EVENT_INDEX_SET_ID = '000000000000000000000002';
/** The stream "All events": what alert rules have found. */
export const EVENT_STREAM_ID = '000000000000000000000002';
/** The fields of a failure that say what went wrong. */
export const FAILURE_FIELDS = [
  'failure_type',
  'failure_cause',
  'failure_details',
  'failed_message_base64',
  'failed_message_size',
  'failed_message_truncated',
] as const;
export type FailureField = (typeof FAILURE_FIELDS)[number];
