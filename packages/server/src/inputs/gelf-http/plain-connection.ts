import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FrameSource } from '#core/index.ts';
import type { MemoryShare } from '../net/shared-memory.ts';
import { endedConnection } from './ended-connection.ts';
import type { PlainRequests } from './plain-request.ts';

export interface PlainConnectionOwner {
  readonly idleTimeoutMs: number;
  /** A connection that sends nothing at all is closed after this. */
  readonly firstRequestTimeoutMs: number;
  /**
   * Takes the message in `bytes` from `start` on. False when it is not one, or cannot be taken now: then the request is
   * given to Node's server, which knows the answer. Otherwise `settled` is called once; after false nothing was kept.
   */
  take(
    bytes: Buffer,
    start: number,
    connection: PlainConnection,
    settled: (durable: boolean) => void,
  ): boolean;
  /** The input stops: every answer is the last of its connection. */
  readonly isLeaving: boolean;
  /** The answer to a message that is on disk. */
  accepted(isLast: boolean): string;
  idle(): void;
  /** Gives the connection to Node's server for good. What was not answered is there to be read again. */
  handOver(connection: Duplex, source: FrameSource): void;
}

/** A connection stays open this much longer than its answers say, as with Node: a request may be on its way. */
const IDLE_GRACE_MS = 1000;

/**
 * A connection whose requests have been plain so far. Reading them here costs less than Node's own server does; figures
 * are in docs/performance.md.
 *
 * At the first request that is not plain, or gets another answer than 202, the connection is Node's.
 */
export class PlainConnection {
  readonly source: FrameSource;
  readonly share: MemoryShare;
  readonly #owner: PlainConnectionOwner;
  readonly #socket: Socket;
  readonly #requests: PlainRequests;
  /** The request whose message is on its way to the disk. */
  #pending: Buffer | undefined;
  /** What came after it. */
  #next: Buffer[] = [];
  #ended = false;
  #answered = false;
  readonly #onData = (chunk: Buffer) => this.#read(chunk);
  readonly #onEnd = () => this.#end();
  readonly #onClose = () => this.share.close();
  readonly #onError = () => this.#socket.destroy();
  readonly #onTimeout = () => this.#idle();
  readonly #onDrain = () => this.#drained();
  readonly #settled = (durable: boolean) => this.#answer(durable);

  constructor(
    owner: PlainConnectionOwner,
    socket: Socket,
    requests: PlainRequests,
    source: FrameSource,
    share: MemoryShare,
  ) {
    this.source = source;
    this.share = share;
    this.#owner = owner;
    this.#socket = socket;
    this.#requests = requests;
    // It only ever counts whole requests.
    share.pin();
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('close', this.#onClose);
    socket.on('error', this.#onError);
    socket.on('timeout', this.#onTimeout);
    socket.on('drain', this.#onDrain);
    socket.setTimeout(owner.firstRequestTimeoutMs);
  }

  /** Nobody is there to get an answer. */
  get isGone(): boolean {
    return this.#socket.destroyed;
  }

  #read(chunk: Buffer): void {
    // The last answer was given. The rest is read, so that its sender gets that answer and not a reset.
    if (this.#socket.writableEnded) return;
    if (this.#pending !== undefined) {
      // A sender that does not wait for the answer; its bytes wait in the socket.
      this.#next.push(chunk);
      this.#socket.pause();
      return;
    }
    const start = this.#requests.bodyStart(chunk);
    if (start < 0 || !this.#owner.take(chunk, start, this, this.#settled)) {
      this.#handOver(chunk);
      return;
    }
    this.#pending = chunk;
  }

  #answer(durable: boolean): void {
    const unanswered = this.#next;
    if (this.#pending !== undefined && !durable) unanswered.unshift(this.#pending);
    this.#pending = undefined;
    this.#next = [];
    if (this.#socket.destroyed) return;
    if (durable) this.#accept(unanswered.length === 0 && (this.#ended || this.#owner.isLeaving));
    if (unanswered.length > 0) this.#handOver(...unanswered);
  }

  #accept(isLast: boolean): void {
    const socket = this.#socket;
    // A sender that does not read its answers sends no more requests either.
    if (!socket.write(this.#owner.accepted(isLast), 'latin1')) socket.pause();
    if (isLast) socket.end();
    if (this.#answered) return;
    const { idleTimeoutMs } = this.#owner;
    socket.setTimeout(idleTimeoutMs > 0 ? idleTimeoutMs + IDLE_GRACE_MS : 0);
    this.#answered = true;
  }

  #drained(): void {
    if (this.#pending === undefined) this.#socket.resume();
  }

  #end(): void {
    this.#ended = true;
    if (this.#pending === undefined) this.#socket.end();
  }

  #idle(): void {
    if (this.#pending !== undefined) return;
    this.#owner.idle();
    this.#socket.destroy();
  }

  #handOver(...unread: Buffer[]): void {
    const socket = this.#socket;
    const bytes = Buffer.concat(unread);
    this.share.close();
    if (this.#ended) {
      this.#owner.handOver(endedConnection(socket, bytes), this.source);
      return;
    }
    socket.off('data', this.#onData);
    socket.off('end', this.#onEnd);
    socket.off('close', this.#onClose);
    socket.off('error', this.#onError);
    socket.off('timeout', this.#onTimeout);
    socket.off('drain', this.#onDrain);
    socket.setTimeout(0);
    socket.pause();
    socket.unshift(bytes);
    this.#owner.handOver(socket, this.source);
    socket.resume();
  }
}
