import { payloadKind } from '../../framing/index.ts';
import { DecodeFailure } from '../codec.ts';

export const GELF_FAILURE_REASONS = ['empty', 'not_json', 'not_object', 'no_message', 'too_deep'] as const;
export type GelfFailureReason = (typeof GELF_FAILURE_REASONS)[number];

export class GelfFailure extends DecodeFailure<GelfFailureReason> {}

const NOT_DECOMPRESSED =
  'that cannot be decompressed: damaged, larger than decompress_size_limit, or sent where compression is not allowed';

/** Inputs decompress frames and join chunks. When one was left as it is, the failure says so. */
export function explainCompressed(failure: GelfFailure, frame: Buffer): GelfFailure {
  const kind = payloadKind(frame);
  if (kind === 'gzip' || kind === 'zlib') {
    return new GelfFailure(failure.reason, `it is ${kind} ${NOT_DECOMPRESSED}`);
  }
  if (kind !== 'chunk') return failure;
  return new GelfFailure(failure.reason, 'it is a chunk of a message, sent where chunks are not allowed');
}
