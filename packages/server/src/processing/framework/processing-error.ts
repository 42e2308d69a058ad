import type { Message } from '#core/index.ts';

/** Where errors of processing are kept on a message. */
export const PROCESSING_ERROR_FIELD = 'gl2_processing_error';
/** Longer texts are cut. */
export const MAX_ERROR_LENGTH = 2000;

export function noteProcessingError(message: Message, text: string): void {
  const before = message.getField(PROCESSING_ERROR_FIELD);
  const whole = before === undefined ? text : `${before}, ${text}`;
  message.setField(PROCESSING_ERROR_FIELD, whole.slice(0, MAX_ERROR_LENGTH));
}
