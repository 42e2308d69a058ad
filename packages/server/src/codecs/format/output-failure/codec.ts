import { DecodeFailure, decodeFrameByFrame, defineCodec } from '../codec.ts';

/**
 * Frames of the node itself: messages that the destination of an output refused for good. They go through the journal,
 * so that they are stored exactly once, and decoding one always gives a failure.
 *
 * LAYOUT  4 bytes: length of the header (little endian); the header, JSON `{"detail":…}`; the message as it was sent.
 */
const LENGTH_BYTES = 4;
const STAGE = 'output';
/** Its number in journal records. */
export const OUTPUT_FAILURE_CODEC = 239;
const REASON = 'output_refused';

export function encodeOutputFailure(detail: string, payload: Buffer): Buffer {
  const header = Buffer.from(JSON.stringify({ detail }));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(header.length);
  return Buffer.concat([length, header, payload]);
}

/** Whether an encoded message tells of a refusal: refusing that too must not make another one. */
export function isOutputFailure(payload: Buffer): boolean {
  return payload.includes(REASON);
}

function decode(frame: Buffer): DecodeFailure {
  try {
    const start = LENGTH_BYTES + frame.readUInt32LE(0);
    const { detail } = JSON.parse(frame.toString('utf8', LENGTH_BYTES, start)) as { detail: unknown };
    return new DecodeFailure(REASON, String(detail), {
      stage: STAGE,
      frame: Buffer.from(frame.subarray(start)),
    });
  } catch {
    return new DecodeFailure(REASON, 'the record of a refused message is damaged', { stage: STAGE });
  }
}

export const outputFailureCodec = defineCodec({
  id: 'output-failure',
  wireType: 'output-failure',
  journalId: OUTPUT_FAILURE_CODEC,
  name: 'Refused by an output',
  description: 'Messages that the destination of an output refused.',
  fields: {},
  failureReasons: [REASON],
  create: () => decodeFrameByFrame(decode),
});
