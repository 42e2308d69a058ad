import type { Socket } from 'node:net';
import type { DelimitedFramer, Frames } from '#codecs/index.ts';
import type { Clock } from '#core/index.ts';
import type { InputMetrics } from '../input-metrics.ts';
import type { FrameQueue } from './frame-queue.ts';
import { freeBuffer } from './free-buffer.ts';
import type { MemoryShare, SharedMemory } from './shared-memory.ts';

export interface ConnectionOwner {
  readonly clock: Clock;
  readonly metrics: InputMetrics;
  readonly idleTimeoutMs: number;
  /** For unfinished frames. */
  readonly memory: SharedMemory;
  /** The journal refused frames of this connection. Reading stops until `retry` and `resume`. */
  refused(connection: StreamConnection): void;
  closed(connection: StreamConnection): void;
}

/**
 * Smaller unfinished frames may wait for their end as long as the connection stays open: a program whose output is
 * buffered sends the end of a frame when its buffer is full again.
 */
export const MIN_TIMED_FRAME_BYTES = 64 * 1024;

/** One connection of an input that cuts a stream of bytes into frames. */
export class StreamConnection {
  readonly #owner: ConnectionOwner;
  readonly #socket: Socket;
  readonly #framer: DelimitedFramer;
  readonly #queue: FrameQueue;
  readonly #sink: (frames: Frames) => void;
  readonly #share: MemoryShare;
  #receivedAt = 0;
  /** The unfinished frame has begun with the current read. */
  #isNewFrame = true;
  #ended = false;
  /** Reads so far, to see whether the connection is quiet. */
  reads = 0;

  constructor(
    owner: ConnectionOwner,
    socket: Socket,
    address: string,
    framer: DelimitedFramer,
    queue: FrameQueue,
  ) {
    this.#owner = owner;
    this.#socket = socket;
    this.#framer = framer;
    this.#queue = queue;
    this.#sink = (frames) => {
      this.#isNewFrame = true;
      this.#queue.add(frames, this.#receivedAt);
    };
    this.#share = owner.memory.open(address, () => this.#evicted());
    owner.metrics.connectionOpened();
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('end', () => this.#end());
    socket.on('error', () => owner.metrics.error('connection_error', 'connection'));
    socket.on('close', () => this.#closed());
    socket.on('timeout', () => this.#idle());
    socket.setTimeout(owner.idleTimeoutMs);
  }

  /** Whether frames of this connection wait for the journal. */
  get isWaiting(): boolean {
    return this.#queue.isWaiting;
  }

  get isClosed(): boolean {
    return this.#socket.closed;
  }

  pause(): void {
    // While paused, silence is not the sender's fault.
    this.#socket.setTimeout(0);
    this.#socket.pause();
  }

  resume(): void {
    if (this.#socket.destroyed) return;
    this.#share.restart();
    this.#socket.setTimeout(this.#owner.idleTimeoutMs);
    this.#socket.resume();
  }

  /** Closes the connection if its unfinished frame is large and began longer ago than this. */
  closeIfUnfinishedFor(timeoutMs: number): void {
    if (this.#framer.pendingBytes <= MIN_TIMED_FRAME_BYTES || this.#share.ageMs <= timeoutMs) return;
    this.#owner.metrics.error('frame_timeout', 'connection');
    this.#socket.destroy();
  }

  /** Tries the waiting frames again; true when none is left. */
  retry(): boolean {
    if (!this.#queue.retry()) return false;
    if (this.#ended) this.#socket.end();
    return true;
  }

  /** Appends what was read, drops what the journal refuses, and closes. */
  close(): void {
    this.#finish();
    this.#queue.drop();
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    const { metrics, clock } = this.#owner;
    this.reads += 1;
    this.#receivedAt = clock.now();
    metrics.readBytes(chunk.length);
    if (this.#framer.push(chunk, this.#sink) === 'too-long') {
      metrics.dropped('too_large', 1, 0);
      this.#socket.destroy();
    }
    this.#countHeld();
    if (this.#queue.isWaiting) this.#owner.refused(this);
    else freeBuffer(chunk);
  }

  #countHeld(): void {
    if (this.#isNewFrame) this.#share.restart();
    this.#isNewFrame = this.#framer.pendingBytes === 0;
    const { heldBytes } = this.#framer;
    if (heldBytes !== this.#share.bytes) this.#share.resize(heldBytes);
  }

  #evicted(): void {
    this.#owner.metrics.dropped('memory_limit', 1, this.#framer.pendingBytes);
    this.#ended = true;
    this.#framer.discard();
    this.#socket.destroy();
  }

  #end(): void {
    this.#finish();
    if (!this.#queue.isWaiting) this.#socket.end();
  }

  /** The bytes after the last delimiter are a frame, too: a message, or a failure if it was cut off. */
  #finish(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#receivedAt = this.#owner.clock.now();
    this.#framer.end(this.#sink);
    if (this.#queue.isWaiting) this.#owner.refused(this);
  }

  #idle(): void {
    this.#owner.metrics.error('idle_timeout', 'connection');
    this.#socket.destroy();
  }

  #closed(): void {
    this.#finish();
    this.#share.close();
    this.#owner.metrics.connectionClosed();
    this.#owner.closed(this);
  }
}
