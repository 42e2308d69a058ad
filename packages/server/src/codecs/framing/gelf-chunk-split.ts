import { deflateSync, gzipSync } from 'node:zlib';
import { PermanentError } from '#core/index.ts';

/** The sending side of GELF over UDP. `codecs/framing/gelf-chunks.ts` shows the header. */
export type Compression = 'none' | 'gzip' | 'zlib';

const CHUNK_HEADER_BYTES = 12;
const MAX_CHUNKS = 128;
const DEFAULT_DATAGRAM_BYTES = 8192;

export function compressPayload(payload: Buffer, compression: Compression): Buffer {
  if (compression === 'gzip') return gzipSync(payload);
  return compression === 'zlib' ? deflateSync(payload) : payload;
}

/**
 * The datagrams that carry a payload: itself when it fits, chunks otherwise. `messageId` is eight bytes that
 * no other recent message of this sender has.
 */
export function splitIntoDatagrams(
  payload: Buffer,
  messageId: Uint8Array,
  maxDatagramBytes = DEFAULT_DATAGRAM_BYTES,
): Buffer[] {
  if (payload.length <= maxDatagramBytes) return [payload];
  return splitIntoChunks(payload, messageId, maxDatagramBytes);
}

/** The chunks of a payload, also when it would fit one datagram. */
export function splitIntoChunks(
  payload: Buffer,
  messageId: Uint8Array,
  maxDatagramBytes = DEFAULT_DATAGRAM_BYTES,
): Buffer[] {
  if (messageId.length !== 8) {
    throw new PermanentError(`a message id has 8 bytes, this one has ${messageId.length}`);
  }
  const share = maxDatagramBytes - CHUNK_HEADER_BYTES;
  if (share < 1) {
    throw new PermanentError(
      `a datagram of ${maxDatagramBytes} bytes has no room for a chunk; use more than ${CHUNK_HEADER_BYTES}`,
    );
  }
  const count = Math.max(1, Math.ceil(payload.length / share));
  if (count > MAX_CHUNKS) {
    throw new PermanentError(
      `${payload.length} bytes need ${count} chunks of ${maxDatagramBytes} bytes, more than ${MAX_CHUNKS}; ` +
        'use larger datagrams, compression or TCP',
    );
  }
  return Array.from({ length: count }, (_, sequence) => {
    const part = payload.subarray(sequence * share, (sequence + 1) * share);
    const chunk = Buffer.allocUnsafe(CHUNK_HEADER_BYTES + part.length);
    chunk[0] = 0x1e;
    chunk[1] = 0x0f;
    chunk.set(messageId, 2);
    chunk[10] = sequence;
    chunk[11] = count;
    part.copy(chunk, CHUNK_HEADER_BYTES);
    return chunk;
  });
}
