import {
  type FailureField,
  type FieldLayouts,
  type FieldValue,
  Message,
  type MessageOrigin,
} from '#core/index.ts';

/** What could not become a message, or could not be stored as one. */
export interface FailedFrame {
  /** At which stage: `decoding`. */
  readonly type: string;
  /** A word for programs: `not_json`. */
  readonly cause: string;
  /** A sentence for people. */
  readonly details: string;
  /** The bytes as they came. */
  readonly frame: Buffer;
  readonly source: MessageOrigin;
  readonly receivedAt: number;
}

/** More of the raw bytes than this is cut off, and said to be. */
export const MAX_FAILED_BYTES = 32 * 1024;
const ERROR_LEVEL = 3;

/**
 * A failure as a message of the stream "Processing failures", found by ordinary search. The names of the
 * fields are Graylog's where it has them.
 */
export function failureMessage(layouts: FieldLayouts, failed: FailedFrame): Message {
  const { source, frame } = failed;
  const isCut = frame.length > MAX_FAILED_BYTES;
  const message = new Message({
    timestamp: failed.receivedAt,
    source: source.remoteAddress === '' ? 'unknown' : source.remoteAddress,
    message: `A message of ${frame.length} bytes could not be processed: ${failed.details}`,
    fullMessage: undefined,
    level: ERROR_LEVEL,
    layout: layouts.empty(),
    values: [],
    notes: 0,
    origin: source,
    receivedAt: failed.receivedAt,
    size: frame.length,
  });
  const fields: Record<FailureField, FieldValue> = {
    failure_type: failed.type,
    failure_cause: failed.cause,
    failure_details: failed.details,
    failed_message_base64: frame.subarray(0, MAX_FAILED_BYTES).toString('base64'),
    failed_message_size: frame.length,
    failed_message_truncated: isCut,
  };
  for (const [name, value] of Object.entries(fields)) message.setField(name, value);
  return message;
}
