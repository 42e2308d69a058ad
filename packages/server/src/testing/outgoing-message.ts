import type { OutgoingMessage } from '#outputs/index.ts';

/** A message as an output gets it, without a queue. */
export function anOutgoing(payload: Buffer, { id = 'id', timestamp = 0 } = {}): OutgoingMessage {
  return {
    id,
    timestamp,
    payload,
    payloadLength: payload.length,
    copyPayload: (target, at) => payload.copy(target, at),
  };
}
