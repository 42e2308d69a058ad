import {
  type FailureField,
  type FieldLayouts,
  type FieldValue,
  Message,
  type MessageOrigin,
} from '#core/index.ts';

/** A frame that could not be decoded, or whose message could not be stored. */
export interface FailedFrame {
  /** The stage that failed: `decoding`. */
  readonly type: string;
  /** The reason, for programs: `not_json`. */
  readonly cause: string;
  /** The reason, for people. */
  readonly details: string;
  /** The bytes as they were received. */
  readonly frame: Buffer;
  readonly source: MessageOrigin;
  readonly receivedAt: number;
}

/** A failure keeps this much of the frame; `failed_message_truncated` says if that is not all of it. */
export const MAX_FAILED_BYTES = 32 * 1024;
const ERROR_LEVEL = 3;

/**
 * A failure as a message of the stream "Processing failures", which ordinary search finds. Fields that Graylog has too
 * carry Graylog's names.
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
