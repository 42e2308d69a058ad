import type { Socket } from 'node:net';
import type { FrameSource } from '#core/index.ts';
import type { MemoryShare } from '../net/shared-memory.ts';
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
  /** The answer to a message that is on disk. */
  accepted(): string;
  idle(): void;
  /** Gives the connection to Node's server for good. What was not answered is in the socket to be read again. */
  handOver(socket: Socket): void;
}

/**
 * A connection whose requests have been plain so far. Node's own server needs three times as long for such a request
 * as everything else that happens to it until its message is in the journal.
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
    socket.setTimeout(owner.firstRequestTimeoutMs);
  }

  #read(chunk: Buffer): void {
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
    const request = this.#pending;
    const next = this.#next;
    this.#pending = undefined;
    this.#next = [];
    if (this.#socket.destroyed) return;
    if (!durable) {
      if (this.#ended || request === undefined) this.#socket.destroy();
      else this.#handOver(request, ...next);
      return;
    }
    this.#socket.write(this.#owner.accepted(), 'latin1');
    if (next.length > 0) this.#handOver(...next);
    else if (this.#ended) this.#socket.end();
    else if (!this.#answered) this.#socket.setTimeout(this.#owner.idleTimeoutMs);
    this.#answered = true;
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
    socket.off('data', this.#onData);
    socket.off('end', this.#onEnd);
    socket.off('close', this.#onClose);
    socket.off('error', this.#onError);
    socket.off('timeout', this.#onTimeout);
    socket.setTimeout(0);
    this.share.close();
    socket.pause();
    socket.unshift(Buffer.concat(unread));
    this.#owner.handOver(socket);
    socket.resume();
  }
}
