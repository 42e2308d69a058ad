import type { Encoder } from './format/codec.ts';
import { createGelfEncoder } from './format/gelf/encode.ts';

/** Encodes messages without losing anything, whichever codec they came by: for failures, which keep the message. */
export function createMessageEncoder(): Encoder {
  return createGelfEncoder();
}
