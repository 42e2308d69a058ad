import type { RemoteInfo, Socket } from 'node:dgram';
import { type DatagramSink, SingleDatagram } from './datagrams.ts';
import type { ReceiveMany } from './receive-many.ts';
import type { Senders } from './senders.ts';

/** The part of Node's handle of a UDP socket that is used: the descriptor, and whether Node reads from it. */
export interface ReceivingHandle {
  /** Negative when the socket is closed. */
  readonly fd: number;
  recvStart(): number;
  recvStop(): number;
}

/** Datagrams that arrive within it are appended together. The journal collects for longer anyway. */
const WINDOW_MS = 1;
/** With at least this many datagrams in a window, polling costs less than a call for each. */
export const BUSY_DATAGRAMS = 16;
/** Polling ends after this many windows with fewer datagrams than this. */
const QUIET_DATAGRAMS = 4;
const QUIET_WINDOWS = 16;
/** Calls in one turn of the event loop, so that other work gets its turn. */
const CALLS_PER_TURN = 32;

/**
 * Reads a UDP socket in one of two ways.
 *
 * While few datagrams arrive, Node reads them: a wake-up of the thread, a buffer, an address and a call for each,
 * about 10 µs. When many arrive, Node is told to stop, and every millisecond the kernel's buffer is emptied, many
 * datagrams with one call. In between the thread sleeps or works. When it gets quiet, Node reads again, so that an
 * idle input costs nothing.
 *
 * Where many cannot be received at once, Node always reads.
 */
export class UdpReader {
  /** Datagrams read so far. */
  datagrams = 0;
  readonly #sink: DatagramSink;
  readonly #senders: Senders;
  readonly #busyFrom: number;
  readonly #batched: (datagrams: number) => void;
  readonly #single = new SingleDatagram();
  readonly #endWindow = () => this.#windowEnded();
  #many: { readonly handle: ReceivingHandle; readonly receiver: ReceiveMany } | undefined;
  #isPolling = false;
  #inWindow = 0;
  #quietWindows = 0;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;

  /** `batched` is called with the number of datagrams that were read many at a time. */
  constructor(
    sink: DatagramSink,
    senders: Senders,
    batched: (datagrams: number) => void,
    busyFrom = BUSY_DATAGRAMS,
  ) {
    this.#sink = sink;
    this.#senders = senders;
    this.#batched = batched;
    this.#busyFrom = busyFrom;
  }

  /** From now on many datagrams may be received at a time. */
  useMany(handle: ReceivingHandle, receiver: ReceiveMany): void {
    this.#many = { handle, receiver };
  }

  /** For the socket's `message` event. */
  receive(datagram: Buffer, { address, port }: RemoteInfo): void {
    this.#timer ??= setTimeout(this.#endWindow, WINDOW_MS);
    this.datagrams += 1;
    this.#inWindow += 1;
    this.#sink.receive(this.#single.of(datagram, this.#senders.of(address, port)));
    if (this.#inWindow < this.#busyFrom || this.#many === undefined || this.#isPolling) return;
    this.#isPolling = true;
    this.#quietWindows = 0;
    this.#many.handle.recvStop();
  }

  /** Stops reading. Call it before the socket is closed. */
  stop(): void {
    this.#many = undefined;
    this.#isPolling = false;
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
    this.#sink.flush();
  }

  #windowEnded(): void {
    this.#timer = undefined;
    this.#inWindow = 0;
    if (this.#isPolling && this.#many !== undefined) this.#poll(this.#many.handle, this.#many.receiver);
    else this.#sink.flush();
  }

  #poll(handle: ReceivingHandle, receiver: ReceiveMany): void {
    let count = 0;
    let last = 0;
    for (let calls = 0; calls < CALLS_PER_TURN && handle.fd >= 0; calls += 1) {
      last = receiver.receive(handle.fd, this.#sink);
      count += last;
      if (last < receiver.slots) break;
    }
    this.datagrams += count;
    this.#batched(count);
    this.#sink.flush();
    this.#quietWindows = count < QUIET_DATAGRAMS ? this.#quietWindows + 1 : 0;
    if (this.#quietWindows > QUIET_WINDOWS) {
      this.#isPolling = false;
      handle.recvStart();
    } else if (last === receiver.slots) this.#immediate = setImmediate(this.#endWindow);
    else this.#timer = setTimeout(this.#endWindow, WINDOW_MS);
  }
}

/**
 * Node keeps the handle of a socket in a state object under a symbol, and there is no other way to it. The version
 * of Node is pinned, and a test fails when a new one moves it. Without the handle, Node always reads.
 */
export function receivingHandle(socket: Socket): ReceivingHandle | undefined {
  const symbol = Object.getOwnPropertySymbols(socket).find(
    ({ description }) => description === 'state symbol',
  );
  const state: unknown = symbol === undefined ? undefined : Reflect.get(socket, symbol);
  if (typeof state !== 'object' || state === null || !('handle' in state)) return undefined;
  return isReceivingHandle(state.handle) ? state.handle : undefined;
}

function isReceivingHandle(handle: unknown): handle is ReceivingHandle {
  return (
    typeof handle === 'object' &&
    handle !== null &&
    'fd' in handle &&
    typeof handle.fd === 'number' &&
    handle.fd >= 0 &&
    'recvStart' in handle &&
    typeof handle.recvStart === 'function' &&
    'recvStop' in handle &&
    typeof handle.recvStop === 'function'
  );
}
