/**
 * Reassembles chunked GELF datagrams.
 *
 *   byte 0-1  magic 1e 0f      byte 10  sequence number, from 0, less than the count
 *        2-9  message id            11  sequence count, 1 to 128
 *                                  12-  this chunk's share of the message
 *
 * Chunks belong together by sender address and message id. Programs on the same machine may use the same id, and
 * a program may send every chunk from a different port. So a chunk belongs to the message its port has begun, or
 * else to the message that has a copy of it from a port that sent chunks of that message, or else to the oldest message
 * of the address that still lacks it, or else it begins a message.
 *
 * A message must be complete within the window (5 s) after its first chunk. Otherwise its chunks are discarded,
 * and the id stays blocked for another window, so that late chunks cannot begin a new message. The checksums of a
 * completed message are kept for one window: copies of its chunks are duplicates, and a different chunk with the same id
 * begins a new message, to which chunks that follow are added, copies too. A copy that comes before the different chunk
 * stays a duplicate, and when the new message needs it, that one expires. Nothing tells this from a late duplicate and a
 * new message that has lost a chunk of its own, and to keep the copy would mix the two.
 *
 * Two messages from one port that wait at the same time are never mixed:
 * - A chunk whose count differs from the first chunk's is refused. The message stays.
 * - A copy of a chunk with the same bytes is ignored. One with different bytes proves that two messages share the
 *   id. Nothing tells which chunk belongs to which, so all chunks of this port are discarded.
 *
 * There are no timers: the caller passes the time, of a clock that never jumps, and calls `expire` about once a
 * second. Memory is bounded by bytes and by messages; past either bound the message that has waited longest is evicted.
 */
import { crc32 } from 'node:zlib';

export interface GelfChunkConfig {
  readonly windowMs?: number;
  /** Bytes of all waiting chunks, bookkeeping included. */
  readonly maxBytes?: number;
  /** Messages waiting for chunks. */
  readonly maxMessages?: number;
  /** Ids of completed and discarded messages that are remembered. */
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

/** Why a message whose chunks arrived, or some of them, never became one. */
export type ChunkLoss = 'incomplete' | 'evicted' | 'too_many_chunks';

export interface LostMessages {
  messages: number;
  /** Of their chunks, without headers; chunks that come late are added. */
  bytes: number;
}

export interface GelfChunkCounters {
  /** Chunks that arrived. */
  chunks: number;
  completeMessages: number;
  expiredMessages: number;
  /** Chunks discarded because their message had expired: those held, and late ones. */
  expiredChunks: number;
  duplicateChunks: number;
  evictedMessages: number;
  /** Chunks discarded for lack of memory: those held, and later ones of an evicted message. */
  evictedChunks: number;
  readonly refusedChunks: Record<ChunkRefusal, number>;
  /** Each message once. */
  readonly lost: Readonly<Record<ChunkLoss, LostMessages>>;
}

export interface ChunkSender {
  readonly remoteAddress: string;
  readonly remotePort: number;
}

export interface GelfChunkAssembler {
  /**
   * Takes one datagram that begins with the chunk magic. Returns the whole message when this chunk completes
   * it. Keeps the datagram until its message is complete or discarded: do not write to it.
   */
  push(datagram: Buffer, sender: ChunkSender, nowMs: number): Buffer | undefined;
  /** Discards the messages whose window has passed. */
  expire(nowMs: number): void;
  /** Discards all messages that wait: no more chunks will come. */
  giveUp(): void;
  readonly counters: Readonly<GelfChunkCounters>;
  /** Messages that wait for chunks. */
  readonly waitingMessages: number;
  readonly waitingBytes: number;
}

export const CHUNK_HEADER_BYTES = 12;
export const MAX_CHUNKS = 128;
export const CHUNK_WINDOW_MS = 5000;

/** Roughly what an entry and a kept datagram cost besides their bytes. */
const MESSAGE_OVERHEAD_BYTES = 512;
const CHUNK_OVERHEAD_BYTES = 128;
/** Messages of one address that may wait with the same id. They are searched one by one. */
const MAX_SHARING = 32;

interface WaitingMessage {
  /** Id, address and port of the first chunk. */
  readonly key: string;
  /** Id and address. */
  readonly sharedKey: string;
  readonly firstAt: number;
  readonly count: number;
  readonly parts: (Buffer | undefined)[];
  /** From which the parts came. */
  readonly ports: Set<number>;
  received: number;
  /** Memory accounted for. */
  bytes: number;
}

type Ending = 'complete' | 'expired' | 'evicted' | 'conflicting' | 'too_many_chunks';

interface Ended {
  readonly how: Ending;
  /** The checksums of the chunks of a complete message. */
  readonly checksums?: readonly number[];
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
    lost: {
      incomplete: { messages: 0, bytes: 0 },
      evicted: { messages: 0, bytes: 0 },
      too_many_chunks: { messages: 0, bytes: 0 },
    },
  };
}

export function isGelfChunk(datagram: Buffer): boolean {
  return datagram[0] === 0x1e && datagram[1] === 0x0f;
}

/** Why the chunk is refused because of its header. */
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

function checksumOf(chunk: Buffer): number {
  return crc32(chunk.subarray(CHUNK_HEADER_BYTES));
}

function isCopy(chunk: Buffer, checksums: readonly number[]): boolean {
  return chunk.readUInt8(11) === checksums.length && checksums[chunk.readUInt8(10)] === checksumOf(chunk);
}

/** `sharedKey` is eight characters of id and an address. No address has a space in it, so the keys are unambiguous. */
function keyOf(sharedKey: string, port: number): string {
  return `${sharedKey} ${port}`;
}

function payloadBytesOf({ bytes, received }: WaitingMessage): number {
  return bytes - MESSAGE_OVERHEAD_BYTES - received * (CHUNK_OVERHEAD_BYTES + CHUNK_HEADER_BYTES);
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
  // Both maps are in order of time, so the oldest is always the first. They are not `BoundedMap`s: the bound is in bytes
  // too, entries expire in order, and every eviction is counted.
  readonly #waiting = new Map<string, WaitingMessage>();
  readonly #ended = new Map<string, Ended>();
  /** Waiting messages by address and id; more than one only when senders share an id. */
  readonly #shared = new Map<string, WaitingMessage[]>();
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

  push(datagram: Buffer, { remoteAddress, remotePort }: ChunkSender, nowMs: number): Buffer | undefined {
    this.counters.chunks += 1;
    const refusal = headerRefusal(datagram);
    const sharedKey = datagram.toString('latin1', 2, 10) + remoteAddress;
    if (refusal === 'count_over_limit') this.#loseTooMany(sharedKey, datagram, nowMs);
    if (refusal !== undefined) return this.#refuse(refusal);
    const key = keyOf(sharedKey, remotePort);
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) {
      if (nowMs - waiting.firstAt <= this.#windowMs) return this.#add(waiting, datagram, remotePort, nowMs);
      this.#expire(waiting);
    }
    // The id of an ended message is blocked for a while only. After that, this is a new message.
    if (this.#hasEnded(sharedKey, datagram, nowMs) || this.#hasEnded(key, datagram, nowMs)) return undefined;
    const other = this.#messageOfAnotherPort(sharedKey, datagram, remotePort, nowMs);
    if (other !== undefined) return this.#add(other, datagram, remotePort, nowMs);
    // The search may just have expired the message that the chunk belongs to.
    if (this.#hasEnded(sharedKey, datagram, nowMs)) return undefined;
    return this.#begin(sharedKey, datagram, remotePort, nowMs);
  }

  expire(nowMs: number): void {
    for (const waiting of this.#waiting.values()) {
      if (nowMs - waiting.firstAt <= this.#windowMs) break;
      this.#expire(waiting);
    }
    for (const [key, ended] of this.#ended) {
      if (nowMs <= ended.forgetAt) break;
      this.#ended.delete(key);
    }
  }

  giveUp(): void {
    for (const waiting of this.#waiting.values()) {
      this.#lose('incomplete', 1, payloadBytesOf(waiting));
      this.#drop(waiting);
    }
  }

  /** The message of this address and id that has the chunk already, or else the oldest that lacks it. */
  #messageOfAnotherPort(
    sharedKey: string,
    datagram: Buffer,
    port: number,
    nowMs: number,
  ): WaitingMessage | undefined {
    const sequence = datagram.readUInt8(10);
    const count = datagram.readUInt8(11);
    let lacking: WaitingMessage | undefined;
    for (const waiting of this.#shared.get(sharedKey) ?? []) {
      if (nowMs - waiting.firstAt > this.#windowMs) {
        this.#expire(waiting);
        continue;
      }
      if (waiting.count !== count) continue;
      const present = waiting.parts[sequence];
      if (present === undefined) lacking ??= waiting;
      else if (waiting.ports.has(port) && samePayload(present, datagram)) return waiting;
    }
    return lacking;
  }

  #refuse(reason: ChunkRefusal): undefined {
    this.counters.refusedChunks[reason] += 1;
  }

  #lose(why: ChunkLoss, messages: number, bytes: number): void {
    const lost = this.counters.lost[why];
    lost.messages += messages;
    lost.bytes += bytes;
  }

  /** One message, however many of its chunks arrive. Its id is free for messages that are shorter. */
  #loseTooMany(sharedKey: string, datagram: Buffer, nowMs: number): void {
    const key = `${sharedKey} too many`;
    const ended = this.#ended.get(key);
    const isKnown = ended !== undefined && nowMs <= ended.forgetAt;
    this.#lose('too_many_chunks', isKnown ? 0 : 1, datagram.length - CHUNK_HEADER_BYTES);
    if (isKnown) return;
    this.#ended.delete(key);
    this.#end(key, { how: 'too_many_chunks', forgetAt: nowMs + this.#windowMs });
  }

  #hasEnded(key: string, datagram: Buffer, nowMs: number): boolean {
    const ended = this.#ended.get(key);
    if (ended === undefined) return false;
    if (nowMs > ended.forgetAt) {
      this.#ended.delete(key);
      return false;
    }
    if (ended.checksums !== undefined && !isCopy(datagram, ended.checksums)) return false;
    if (ended.how === 'complete') this.counters.duplicateChunks += 1;
    else if (ended.how === 'expired') this.counters.expiredChunks += 1;
    else if (ended.how === 'evicted') this.counters.evictedChunks += 1;
    else this.counters.refusedChunks.conflicting_duplicate += 1;
    if (ended.how !== 'complete') {
      const why = ended.how === 'evicted' ? 'evicted' : 'incomplete';
      this.#lose(why, 0, datagram.length - CHUNK_HEADER_BYTES);
    }
    return true;
  }

  #begin(sharedKey: string, datagram: Buffer, port: number, nowMs: number): Buffer | undefined {
    const count = datagram.readUInt8(11);
    if (count === 1) {
      this.#complete(sharedKey, [datagram], [port], nowMs);
      return datagram.subarray(CHUNK_HEADER_BYTES);
    }
    const bytes = MESSAGE_OVERHEAD_BYTES + datagram.length + CHUNK_OVERHEAD_BYTES;
    if (bytes > this.#maxBytes) return this.#refuse('over_memory_limit');
    while (this.#waiting.size >= this.#maxMessages || this.waitingBytes + bytes > this.#maxBytes) {
      this.#evictOldest(nowMs);
    }
    const parts = new Array<Buffer | undefined>(count).fill(undefined);
    parts[datagram.readUInt8(10)] = datagram;
    const key = keyOf(sharedKey, port);
    const ports = new Set([port]);
    const waiting = { key, sharedKey, firstAt: nowMs, count, parts, ports, received: 1, bytes };
    this.#waiting.set(key, waiting);
    const others = this.#shared.get(sharedKey) ?? [];
    this.#shared.set(sharedKey, [...others, waiting]);
    const [oldest] = others;
    if (oldest !== undefined && others.length === MAX_SHARING) this.#evict(oldest, nowMs);
    this.waitingBytes += bytes;
    return undefined;
  }

  #add(waiting: WaitingMessage, datagram: Buffer, port: number, nowMs: number): Buffer | undefined {
    if (datagram.readUInt8(11) !== waiting.count) return this.#refuse('count_mismatch');
    const sequence = datagram.readUInt8(10);
    const present = waiting.parts[sequence];
    if (present !== undefined) {
      if (samePayload(present, datagram)) {
        this.counters.duplicateChunks += 1;
        return undefined;
      }
      this.counters.refusedChunks.conflicting_duplicate += waiting.received + 1;
      // The one that waits and the one of this chunk.
      this.#lose('incomplete', 2, payloadBytesOf(waiting) + datagram.length - CHUNK_HEADER_BYTES);
      this.#drop(waiting);
      this.#end(waiting.key, { how: 'conflicting', forgetAt: nowMs + this.#windowMs });
      return undefined;
    }
    waiting.parts[sequence] = datagram;
    waiting.ports.add(port);
    waiting.received += 1;
    if (waiting.received === waiting.count) {
      this.#drop(waiting);
      this.#complete(waiting.sharedKey, waiting.parts, waiting.ports, nowMs);
      return join(waiting.parts);
    }
    const bytes = datagram.length + CHUNK_OVERHEAD_BYTES;
    waiting.bytes += bytes;
    this.waitingBytes += bytes;
    // This may evict the message itself, when it alone is past the bound.
    while (this.waitingBytes > this.#maxBytes) this.#evictOldest(nowMs);
    return undefined;
  }

  #drop(waiting: WaitingMessage): void {
    this.#waiting.delete(waiting.key);
    this.waitingBytes -= waiting.bytes;
    const left = this.#shared.get(waiting.sharedKey)?.filter((other) => other !== waiting) ?? [];
    if (left.length === 0) this.#shared.delete(waiting.sharedKey);
    else this.#shared.set(waiting.sharedKey, left);
  }

  #complete(
    sharedKey: string,
    parts: readonly (Buffer | undefined)[],
    ports: Iterable<number>,
    nowMs: number,
  ): void {
    this.counters.completeMessages += 1;
    const checksums = parts.map((part) => (part === undefined ? 0 : checksumOf(part)));
    const ended: Ended = { how: 'complete', checksums, forgetAt: nowMs + this.#windowMs };
    for (const port of ports) this.#end(keyOf(sharedKey, port), ended);
  }

  #expire(waiting: WaitingMessage): void {
    this.counters.expiredMessages += 1;
    this.counters.expiredChunks += waiting.received;
    this.#lose('incomplete', 1, payloadBytesOf(waiting));
    this.#drop(waiting);
    this.#end(waiting.sharedKey, { how: 'expired', forgetAt: waiting.firstAt + 2 * this.#windowMs });
  }

  #evictOldest(nowMs: number): void {
    const [oldest] = this.#waiting.values();
    if (oldest !== undefined) this.#evict(oldest, nowMs);
  }

  #evict(waiting: WaitingMessage, nowMs: number): void {
    this.counters.evictedMessages += 1;
    this.counters.evictedChunks += waiting.received;
    this.#lose('evicted', 1, payloadBytesOf(waiting));
    this.#drop(waiting);
    this.#end(waiting.sharedKey, { how: 'evicted', forgetAt: nowMs + this.#windowMs });
  }

  #end(key: string, ended: Ended): void {
    this.#ended.set(key, ended);
    if (this.#ended.size <= this.#maxRemembered) return;
    // Many at once: finding the first entry of a map costs a step for each entry that was deleted before it.
    const kept = Math.floor(this.#maxRemembered * 0.9);
    for (const oldest of this.#ended.keys()) {
      if (this.#ended.size <= kept) break;
      this.#ended.delete(oldest);
    }
  }
}

export function createGelfChunkAssembler(config: GelfChunkConfig = {}): GelfChunkAssembler {
  return new ChunkAssembler(config);
}
