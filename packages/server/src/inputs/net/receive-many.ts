import type { FrameSource } from '#core/index.ts';
import { type DatagramSink, type Datagrams, SingleDatagram } from './datagrams.ts';
import type { Senders } from './senders.ts';
import type { SocketCalls } from './socket-calls.ts';

/**
 * Receives many datagrams with one call to the kernel (`recvmmsg`).
 *
 * Every datagram has a slot: a short head, all heads one after the other so that usual datagrams stay close
 * together in the processor's caches, and a long tail that only large ones reach into. A datagram that fits
 * into its head is passed on in place; a larger one is copied together.
 *
 *   struct mmsghdr, 64 bytes      struct iovec, 16 bytes      struct sockaddr_in[6], 32 bytes reserved
 *    0 address of the sender's     0 address                  see `Senders.atSocketAddress`
 *      name                        8 length
 *    8 length of the name
 *   16 address of the iovecs
 *   24 count of the iovecs
 *   48 flags
 *   56 length of the datagram
 */
export interface ReceiveManySizes {
  readonly slots?: number;
  readonly headBytes?: number;
  readonly tailBytes?: number;
}

/** More slots would cost memory and save nothing: a call costs less than two datagrams do. */
const SLOTS = 64;
const HEAD_BYTES = 2048;
/** Together with the head more than the 65 535 bytes that a UDP datagram can have. */
const TAIL_BYTES = 63 * 1024;

const HEADER_BYTES = 64;
const HEADER_WORDS = HEADER_BYTES / 4;
const NAME_LENGTH_WORD = 2;
const FLAGS_WORD = 12;
const LENGTH_WORD = 14;
const VECTOR_BYTES = 16;
const VECTORS_PER_SLOT = 2;
const NAME_BYTES = 32;
const MSG_TRUNC = 0x20;

export class ReceiveMany implements Datagrams {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly sources: FrameSource[] = [];
  readonly isReused = true;
  readonly slots: number;
  /** The heads. */
  readonly bytes: Buffer;
  from = 0;
  to = 0;
  readonly #calls: SocketCalls;
  readonly #senders: Senders;
  readonly #headBytes: number;
  readonly #tailBytes: number;
  // Kept here while the kernel may get their addresses.
  readonly #tails: Buffer;
  readonly #vectors: Buffer;
  readonly #names: Buffer;
  readonly #headers: Buffer;
  readonly #headerWords: Uint32Array;
  readonly #headersAddress: bigint;
  readonly #single = new SingleDatagram();

  constructor(calls: SocketCalls, senders: Senders, sizes: ReceiveManySizes = {}) {
    this.#calls = calls;
    this.#senders = senders;
    this.slots = sizes.slots ?? SLOTS;
    this.#headBytes = sizes.headBytes ?? HEAD_BYTES;
    this.#tailBytes = sizes.tailBytes ?? TAIL_BYTES;
    this.starts = Uint32Array.from({ length: this.slots }, (_, slot) => slot * this.#headBytes);
    this.ends = new Uint32Array(this.slots);
    this.bytes = Buffer.allocUnsafeSlow(this.slots * this.#headBytes);
    this.#tails = Buffer.allocUnsafeSlow(this.slots * this.#tailBytes);
    this.#vectors = Buffer.allocUnsafeSlow(this.slots * VECTORS_PER_SLOT * VECTOR_BYTES);
    this.#names = Buffer.allocUnsafeSlow(this.slots * NAME_BYTES).fill(0);
    this.#headers = Buffer.allocUnsafeSlow(this.slots * HEADER_BYTES).fill(0);
    this.#headerWords = new Uint32Array(this.#headers.buffer, 0, this.slots * HEADER_WORDS);
    this.#headersAddress = calls.addressOf(this.#headers);
    this.#layOut();
  }

  #layOut(): void {
    const calls = this.#calls;
    const names = calls.addressOf(this.#names);
    const vectors = calls.addressOf(this.#vectors);
    const heads = calls.addressOf(this.bytes);
    const tails = calls.addressOf(this.#tails);
    for (let slot = 0; slot < this.slots; slot += 1) {
      const vector = slot * VECTORS_PER_SLOT * VECTOR_BYTES;
      this.#vectors.writeBigUInt64LE(heads + BigInt(slot * this.#headBytes), vector);
      this.#vectors.writeBigUInt64LE(BigInt(this.#headBytes), vector + 8);
      this.#vectors.writeBigUInt64LE(tails + BigInt(slot * this.#tailBytes), vector + VECTOR_BYTES);
      this.#vectors.writeBigUInt64LE(BigInt(this.#tailBytes), vector + VECTOR_BYTES + 8);
      const header = slot * HEADER_BYTES;
      this.#headers.writeBigUInt64LE(names + BigInt(slot * NAME_BYTES), header);
      this.#headers.writeUInt32LE(NAME_BYTES, header + NAME_LENGTH_WORD * 4);
      this.#headers.writeBigUInt64LE(vectors + BigInt(vector), header + 16);
      this.#headers.writeBigUInt64LE(BigInt(VECTORS_PER_SLOT), header + 24);
    }
  }

  /** Hands what has arrived at the socket to the sink, at most `slots` datagrams, and returns how many. */
  receive(fd: number, sink: DatagramSink): number {
    const count = this.#calls.receiveMany(fd, this.#headersAddress, this.slots);
    const words = this.#headerWords;
    this.from = 0;
    for (let slot = 0; slot < count; slot += 1) {
      const header = slot * HEADER_WORDS;
      const length = words[header + LENGTH_WORD] as number;
      const flags = words[header + FLAGS_WORD] as number;
      // The kernel overwrote the room for the name with its length.
      words[header + NAME_LENGTH_WORD] = NAME_BYTES;
      const source = this.#senders.atSocketAddress(this.#names, slot * NAME_BYTES);
      if (length <= this.#headBytes && (flags & MSG_TRUNC) === 0) {
        this.ends[slot] = slot * this.#headBytes + length;
        this.sources[slot] = source;
        continue;
      }
      this.#handOver(slot, sink);
      this.from = slot + 1;
      if ((flags & MSG_TRUNC) !== 0) sink.truncated();
      sink.receive(this.#single.of(this.#together(slot, length), source));
    }
    this.#handOver(count, sink);
    return count;
  }

  #handOver(to: number, sink: DatagramSink): void {
    if (to === this.from) return;
    this.to = to;
    sink.receive(this);
  }

  #together(slot: number, length: number): Buffer {
    // The reported length may exceed the buffer.
    const given = Math.min(length, this.#headBytes + this.#tailBytes);
    const whole = Buffer.allocUnsafe(given);
    const head = slot * this.#headBytes;
    this.bytes.copy(whole, 0, head, head + Math.min(given, this.#headBytes));
    const tail = slot * this.#tailBytes;
    this.#tails.copy(whole, this.#headBytes, tail, tail + Math.max(0, given - this.#headBytes));
    return whole;
  }
}
