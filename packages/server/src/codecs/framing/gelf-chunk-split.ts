import { deflateSync, gzipSync } from 'node:zlib';
import { PermanentError } from '#core/index.ts';
import { CHUNK_HEADER_BYTES, MAX_CHUNKS } from './gelf-chunks.ts';

/** The sending side of GELF over UDP: compression and chunks. The header is drawn in `gelf-chunks.ts`. */
export type Compression = 'none' | 'gzip' | 'zlib';

/** Fits an Ethernet frame with room for tunnels; `DEFAULT_DATAGRAM_BYTES` is for a local network. */
export const WIDE_AREA_DATAGRAM_BYTES = 1420;
export const DEFAULT_DATAGRAM_BYTES = 8192;

export function compressPayload(payload: Buffer, compression: Compression): Buffer {
  if (compression === 'gzip') return gzipSync(payload);
  return compression === 'zlib' ? deflateSync(payload) : payload;
}

/**
 * The datagrams that carry a payload: itself when it fits, chunks otherwise. `messageId` is eight bytes that
 * no other recent message of this sender has; random ones will do.
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
