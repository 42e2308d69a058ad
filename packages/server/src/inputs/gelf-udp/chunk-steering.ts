import { encodeSteering } from '../net/socket-calls.ts';

/**
 * Chooses among the sockets that share a port by the message id of a chunk, so that all chunks of a message reach the
 * same worker, whichever ports they come from. The header is drawn in `codecs/framing/gelf-chunks.ts`.
 */
export const CHUNK_STEERING = encodeSteering([
  [0x28, 0, 0, 0], // load the first two bytes
  [0x15, 0, 3, 0x1e0f], // unless they are those of a chunk, go to the end
  [0x30, 0, 0, 9], // load the last byte of the message id
  [0x54, 0, 0, 1], // its lowest bit
  [0x16, 0, 0, 0], // is the number
  [0x06, 0, 0, 0xffff_ffff],
]);
