import type { RemoteInfo, Socket } from 'node:dgram';
import { type DatagramSink, SingleDatagram } from './datagrams.ts';
import type { Peers } from './peers.ts';
import type { ReceiveMany } from './receive-many.ts';

/** What of Node's own handle of a UDP socket is used: where to read, and that Node shall not. */
export interface ReceivingHandle {
  /** Negative when the socket is closed. */
  readonly fd: number;
  recvStart(): number;
  recvStop(): number;
}

/** Datagrams that arrive within it share what follows; the journal collects for longer anyway. */
const WINDOW_MS = 1;
/** From so many datagrams in a window on it is worth looking for them instead of being called for each. */
export const BUSY_DATAGRAMS = 16;
/** With fewer than so many datagrams in so many windows, it is not any more. */
const QUIET_DATAGRAMS = 4;
const QUIET_WINDOWS = 16;
/** Calls in one turn of the event loop, so that others have theirs. */
const CALLS_PER_TURN = 32;

/**
 * Reads a UDP socket in one of two ways.
 *
 * While little arrives Node reads it: a wake-up of the thread, a buffer, an address and a call for each
 * datagram, some 10 µs. When much arrives Node is told to stop, and every millisecond everything that has
 * arrived is taken out of the kernel's buffer, many datagrams with one call; in between the thread sleeps or
 * works. When it gets quiet Node reads again, so that an idle input costs nothing.
 *
 * Where receiving many is not possible Node reads always.
 */
export class UdpReader {
  /** Datagrams read so far. */
  datagrams = 0;
  readonly #sink: DatagramSink;
  readonly #peers: Peers;
  readonly #busyFrom: number;
  readonly #batched: (datagrams: number) => void;
  readonly #single = new SingleDatagram();
  readonly #endWindow = () => this.#windowEnded();
  #many: { readonly handle: ReceivingHandle; readonly receiver: ReceiveMany } | undefined;
  #isLooking = false;
  #inWindow = 0;
  #quietWindows = 0;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;

  /** `batched` is told how many datagrams were read many at a time. */
  constructor(
    sink: DatagramSink,
    peers: Peers,
    batched: (datagrams: number) => void,
    busyFrom = BUSY_DATAGRAMS,
  ) {
    this.#sink = sink;
    this.#peers = peers;
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
    this.#sink.receive(this.#single.of(datagram, this.#peers.of(address, port)));
    if (this.#inWindow < this.#busyFrom || this.#many === undefined || this.#isLooking) return;
    this.#isLooking = true;
    this.#quietWindows = 0;
    this.#many.handle.recvStop();
  }

  /** Reads no more; to be called before the socket is closed. */
  stop(): void {
    this.#many = undefined;
    this.#isLooking = false;
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
    this.#sink.flush();
  }

  #windowEnded(): void {
    this.#timer = undefined;
    this.#inWindow = 0;
    if (this.#isLooking && this.#many !== undefined) this.#look(this.#many.handle, this.#many.receiver);
    else this.#sink.flush();
  }

  #look(handle: ReceivingHandle, receiver: ReceiveMany): void {
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
      this.#isLooking = false;
      handle.recvStart();
    } else if (last === receiver.slots) this.#immediate = setImmediate(this.#endWindow);
    else this.#timer = setTimeout(this.#endWindow, WINDOW_MS);
  }
}

/**
 * Node keeps the handle of a socket in a state object under a symbol and offers no other way to it. The
 * version of Node is pinned; a test says when a new one has it elsewhere, and then Node reads always.
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
