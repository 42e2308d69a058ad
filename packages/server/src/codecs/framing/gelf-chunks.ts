/**
 * Puts chunked GELF datagrams together again.
 *
 *   byte 0-1  magic 1e 0f      byte 10  sequence number, from 0, less than the count
 *        2-9  message id            11  sequence count, 1 to 128
 *                                  12-  this chunk's share of the message
 *
 * Chunks belong together by sender address and message id. A message has the window (5 s) from its first
 * chunk to become complete; then what has arrived is thrown away and the id stays dead for one window more,
 * so that late chunks are discarded and cannot begin a new message. A completed id is remembered as long, so
 * that copies of its chunks are duplicates and not a new message.
 *
 * What comes out is never a mixture:
 * - a chunk whose count differs from the first chunk's is refused and the message lives on without it;
 *   every chunk with the first one's count can still belong to the first one's message;
 * - a copy of a chunk with the same bytes is ignored; one with other bytes proves that two messages share
 *   the id, nobody can tell which chunk belongs to which, so all of them are discarded.
 *
 * There are no timers: the caller passes the time and calls `expire` about once a second. Memory is bounded
 * by bytes and by messages; past either bound the message that has waited longest is given up.
 */

export interface GelfChunkConfig {
  readonly windowMs?: number;
  /** Bytes of all waiting chunks, bookkeeping included. */
  readonly maxBytes?: number;
  /** Messages waiting for chunks. */
  readonly maxMessages?: number;
  /** Completed and dead ids that are remembered. */
  readonly maxRemembered?: number;
}

export type ChunkRefusal =
  | 'short_header'
  | 'count_zero'
  | 'count_over_limit'
  | 'sequence_out_of_range'
  | 'count_mismatch'
  | 'conflicting_duplicate'
  | 'over_memory_limit';

export interface GelfChunkCounters {
  /** Chunks that arrived. */
  chunks: number;
  completeMessages: number;
  expiredMessages: number;
  /** Chunks thrown away because their message had expired: those held, and those arriving late. */
  expiredChunks: number;
  duplicateChunks: number;
  evictedMessages: number;
  /** Chunks thrown away for lack of memory: those held, and those arriving for a message given up. */
  evictedChunks: number;
  readonly refusedChunks: Record<ChunkRefusal, number>;
}

export interface GelfChunkAssembler {
  /**
   * Takes one datagram that begins with the chunk magic. Gives the whole message when this chunk completed
   * it. The datagram is kept until its message is complete or given up: do not write to it.
   */
  push(datagram: Buffer, senderAddress: string, nowMs: number): Buffer | undefined;
  /** Gives up the messages whose window has passed. */
  expire(nowMs: number): void;
  readonly counters: Readonly<GelfChunkCounters>;
  /** Messages that wait for chunks. */
  readonly waitingMessages: number;
  readonly waitingBytes: number;
}

export const CHUNK_HEADER_BYTES = 12;
export const MAX_CHUNKS = 128;
export const CHUNK_WINDOW_MS = 5000;

/** What an entry and a kept datagram cost besides their bytes, roughly. */
const MESSAGE_OVERHEAD_BYTES = 512;
const CHUNK_OVERHEAD_BYTES = 128;

interface WaitingMessage {
  readonly firstAt: number;
  readonly count: number;
  readonly parts: (Buffer | undefined)[];
  received: number;
  /** Memory accounted for. */
  bytes: number;
}

type Ending = 'complete' | 'expired' | 'evicted' | 'conflicting';

interface Ended {
  readonly how: Ending;
  readonly forgetAt: number;
}

function newCounters(): GelfChunkCounters {
  return {
    chunks: 0,
    completeMessages: 0,
    expiredMessages: 0,
    expiredChunks: 0,
    duplicateChunks: 0,
    evictedMessages: 0,
    evictedChunks: 0,
    refusedChunks: {
      short_header: 0,
      count_zero: 0,
      count_over_limit: 0,
      sequence_out_of_range: 0,
      count_mismatch: 0,
      conflicting_duplicate: 0,
      over_memory_limit: 0,
    },
  };
}

export function isGelfChunk(datagram: Buffer): boolean {
  return datagram[0] === 0x1e && datagram[1] === 0x0f;
}

/** Why the header alone is reason to refuse the chunk. */
function headerRefusal(datagram: Buffer): ChunkRefusal | undefined {
  if (datagram.length < CHUNK_HEADER_BYTES) return 'short_header';
  const sequence = datagram.readUInt8(10);
  const count = datagram.readUInt8(11);
  if (count === 0) return 'count_zero';
  if (count > MAX_CHUNKS) return 'count_over_limit';
  return sequence >= count ? 'sequence_out_of_range' : undefined;
}

function samePayload(left: Buffer, right: Buffer): boolean {
  return left.compare(right, CHUNK_HEADER_BYTES, right.length, CHUNK_HEADER_BYTES, left.length) === 0;
}

function join(parts: readonly (Buffer | undefined)[]): Buffer {
  let length = 0;
  for (const part of parts) length += (part?.length ?? CHUNK_HEADER_BYTES) - CHUNK_HEADER_BYTES;
  const whole = Buffer.allocUnsafe(length);
  let at = 0;
  for (const part of parts) at += part?.copy(whole, at, CHUNK_HEADER_BYTES) ?? 0;
  return whole;
}

class ChunkAssembler implements GelfChunkAssembler {
  readonly counters = newCounters();
  waitingBytes = 0;
  // Both maps are in order of time, so the oldest is always the first.
  readonly #waiting = new Map<string, WaitingMessage>();
  readonly #ended = new Map<string, Ended>();
  readonly #windowMs: number;
  readonly #maxBytes: number;
  readonly #maxMessages: number;
  readonly #maxRemembered: number;

  constructor(config: GelfChunkConfig) {
    this.#windowMs = config.windowMs ?? CHUNK_WINDOW_MS;
    this.#maxBytes = config.maxBytes ?? 64 * 1024 * 1024;
    this.#maxMessages = Math.max(1, config.maxMessages ?? 16_384);
    this.#maxRemembered = config.maxRemembered ?? 65_536;
  }

  get waitingMessages(): number {
    return this.#waiting.size;
  }

  push(datagram: Buffer, senderAddress: string, nowMs: number): Buffer | undefined {
    this.counters.chunks += 1;
    const refusal = headerRefusal(datagram);
    if (refusal !== undefined) return this.#refuse(refusal);
    // The id is always eight characters, so the key is unambiguous.
    const key = datagram.toString('latin1', 2, 10) + senderAddress;
    if (this.#hasEnded(key, nowMs)) return undefined;
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) return this.#begin(key, datagram, nowMs);
    if (nowMs - waiting.firstAt > this.#windowMs) {
      this.#expire(key, waiting);
      // The id died one window after its first chunk; when that is long past, this is a new message.
      if (this.#hasEnded(key, nowMs)) return undefined;
      return this.#begin(key, datagram, nowMs);
    }
    return this.#add(key, waiting, datagram, nowMs);
  }

  expire(nowMs: number): void {
    for (const [key, waiting] of this.#waiting) {
      if (nowMs - waiting.firstAt <= this.#windowMs) break;
      this.#expire(key, waiting);
    }
    for (const [key, ended] of this.#ended) {
      if (nowMs <= ended.forgetAt) break;
      this.#ended.delete(key);
    }
  }

  #refuse(reason: ChunkRefusal): undefined {
    this.counters.refusedChunks[reason] += 1;
  }

  #hasEnded(key: string, nowMs: number): boolean {
    const ended = this.#ended.get(key);
    if (ended === undefined) return false;
    if (nowMs > ended.forgetAt) {
      this.#ended.delete(key);
      return false;
    }
    if (ended.how === 'complete') this.counters.duplicateChunks += 1;
    else if (ended.how === 'expired') this.counters.expiredChunks += 1;
    else if (ended.how === 'evicted') this.counters.evictedChunks += 1;
    else this.counters.refusedChunks.conflicting_duplicate += 1;
    return true;
  }

  #begin(key: string, datagram: Buffer, nowMs: number): Buffer | undefined {
    const count = datagram.readUInt8(11);
    if (count === 1) {
      this.#end(key, 'complete', nowMs + this.#windowMs);
      this.counters.completeMessages += 1;
      return datagram.subarray(CHUNK_HEADER_BYTES);
    }
    const bytes = MESSAGE_OVERHEAD_BYTES + datagram.length + CHUNK_OVERHEAD_BYTES;
    if (bytes > this.#maxBytes) return this.#refuse('over_memory_limit');
    while (this.#waiting.size >= this.#maxMessages || this.waitingBytes + bytes > this.#maxBytes) {
      this.#evictOldest(nowMs);
    }
    const parts = new Array<Buffer | undefined>(count).fill(undefined);
    parts[datagram.readUInt8(10)] = datagram;
    this.#waiting.set(key, { firstAt: nowMs, count, parts, received: 1, bytes });
    this.waitingBytes += bytes;
    return undefined;
  }

  #add(key: string, waiting: WaitingMessage, datagram: Buffer, nowMs: number): Buffer | undefined {
    if (datagram.readUInt8(11) !== waiting.count) return this.#refuse('count_mismatch');
    const sequence = datagram.readUInt8(10);
    const present = waiting.parts[sequence];
    if (present !== undefined) {
      if (samePayload(present, datagram)) {
        this.counters.duplicateChunks += 1;
        return undefined;
      }
      this.counters.refusedChunks.conflicting_duplicate += waiting.received + 1;
      this.#drop(key, waiting);
      this.#end(key, 'conflicting', nowMs + this.#windowMs);
      return undefined;
    }
    waiting.parts[sequence] = datagram;
    waiting.received += 1;
    if (waiting.received === waiting.count) {
      this.#drop(key, waiting);
      this.#end(key, 'complete', nowMs + this.#windowMs);
      this.counters.completeMessages += 1;
      return join(waiting.parts);
    }
    const bytes = datagram.length + CHUNK_OVERHEAD_BYTES;
    waiting.bytes += bytes;
    this.waitingBytes += bytes;
    // May give up this very message when it alone is past the bound.
    while (this.waitingBytes > this.#maxBytes) this.#evictOldest(nowMs);
    return undefined;
  }

  #drop(key: string, waiting: WaitingMessage): void {
    this.#waiting.delete(key);
    this.waitingBytes -= waiting.bytes;
  }

  #expire(key: string, waiting: WaitingMessage): void {
    this.counters.expiredMessages += 1;
    this.counters.expiredChunks += waiting.received;
    this.#drop(key, waiting);
    this.#end(key, 'expired', waiting.firstAt + 2 * this.#windowMs);
  }

  #evictOldest(nowMs: number): void {
    for (const [key, waiting] of this.#waiting) {
      this.counters.evictedMessages += 1;
      this.counters.evictedChunks += waiting.received;
      this.#drop(key, waiting);
      this.#end(key, 'evicted', nowMs + this.#windowMs);
      return;
    }
  }

  #end(key: string, how: Ending, forgetAt: number): void {
    this.#ended.set(key, { how, forgetAt });
    if (this.#ended.size <= this.#maxRemembered) return;
    for (const oldest of this.#ended.keys()) {
      this.#ended.delete(oldest);
      return;
    }
  }
}

export function createGelfChunkAssembler(config: GelfChunkConfig = {}): GelfChunkAssembler {
  return new ChunkAssembler(config);
}
