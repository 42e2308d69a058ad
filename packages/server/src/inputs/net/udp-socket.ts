import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { createPeriodicJob, errorMessage, formatHostPort } from '#core/index.ts';
import type { InputContext, Listening } from '../input.ts';
import type { InputMetrics } from '../input-metrics.ts';
import { listenError } from './address.ts';
import type { DatagramSink } from './datagrams.ts';
import { ReceiveMany } from './receive-many.ts';
import { Senders } from './senders.ts';
import { loadSocketCalls, MAX_BUFFER_BYTES, type SocketCalls } from './socket-calls.ts';
import { createKernelDrops } from './udp-drops.ts';
import { receivingHandle, UdpReader } from './udp-reader.ts';

export interface UdpSocketConfig {
  readonly bindAddress: string;
  readonly port: number;
  readonly receiveBufferBytes: number;
  /** Which worker a datagram goes to, where that matters; see `encodeSteering`. */
  readonly steering?: Buffer;
}

/** A UDP socket whose receive buffer and kernel drops are metrics. */
export interface UdpSocket {
  /** Rejects with an `InputStartError`. */
  open(): Promise<Listening>;
  /** Reads what the kernel still holds, then closes. Idempotent. */
  close(): Promise<void>;
}

const DROPS_EVERY_MS = 5000;
/** Closing waits until nothing was read for this long, up to a maximum. */
const QUIET_MS = 20;
const MAX_DRAIN_MS = 300;

export function createUdpSocket(
  context: InputContext,
  metrics: InputMetrics,
  config: UdpSocketConfig,
  sink: DatagramSink,
): UdpSocket {
  const { bindAddress, port } = config;
  const bufferBytes = Math.min(config.receiveBufferBytes, MAX_BUFFER_BYTES);
  const socket = createSocket({
    type: isIPv6(bindAddress) ? 'udp6' : 'udp4',
    reusePort: context.shared,
    recvBufferSize: bufferBytes,
  });
  const senders = new Senders(context);
  const batched = context.metrics.counter(`${metrics.prefix}.batched_datagrams`, {
    help: 'Datagrams that were read many at a time',
  });
  const reader = new UdpReader(
    sink,
    senders,
    (count) => batched.increment(count),
    context.udpReading?.busyDatagrams,
  );
  let state: 'new' | 'open' | 'closing' = 'new';
  let calls: SocketCalls | undefined;
  let stopWatching: (() => void) | undefined;
  let closed: Promise<void> | undefined;
  const opening = new AbortController();

  socket.on('message', (datagram, sender) => reader.receive(datagram, sender));

  async function open(): Promise<Listening> {
    try {
      calls = await (context.udpReading?.loadCalls ?? loadSocketCalls)();
      opening.signal.throwIfAborted();
      socket.bind({ port, address: bindAddress, exclusive: true });
      await once(socket, 'listening', { signal: opening.signal });
    } catch (error) {
      await close();
      throw listenError(error, 'udp', bindAddress, port);
    }
    // Without a listener, an error of the socket would end the process.
    socket.on('error', (error) => context.failed(`the UDP socket failed: ${errorMessage(error)}`));
    state = 'open';
    if (calls !== undefined) {
      readMany(calls, socket, reader, senders, bufferBytes);
      if (context.shared && config.steering !== undefined) steer(calls, socket, config.steering);
    }
    const bound = socket.address();
    stopWatching = watchSocket(context, metrics, socket, bound);
    const notice = bufferNotice(socket, bufferBytes);
    if (notice !== undefined) context.logger.warn(notice);
    return { address: bound.address, port: bound.port, ...(notice === undefined ? {} : { notice }) };
  }

  async function drainAndClose(): Promise<void> {
    const wasOpen = state === 'open';
    state = 'closing';
    stopWatching?.();
    opening.abort(new Error('the input was stopped'));
    if (wasOpen) await untilQuiet(reader);
    reader.stop();
    await new Promise<void>((resolve) => socket.close(resolve));
    calls?.close();
  }

  function close(): Promise<void> {
    closed ??= drainAndClose().catch(() => undefined);
    return closed;
  }

  return { open, close };
}

async function untilQuiet(reader: UdpReader): Promise<void> {
  let seen = -1;
  for (let waited = 0; seen !== reader.datagrams && waited < MAX_DRAIN_MS; waited += QUIET_MS) {
    seen = reader.datagrams;
    await delay(QUIET_MS);
    // Sockets are read after timers: a thread that was held up must read before it may seem quiet.
    await nextTurn();
  }
}

/** Adds what `node:dgram` lacks. */
function readMany(
  calls: SocketCalls,
  socket: Socket,
  reader: UdpReader,
  senders: Senders,
  bufferBytes: number,
): void {
  const handle = receivingHandle(socket);
  if (handle === undefined) return;
  reader.useMany(handle, new ReceiveMany(calls, senders));
  const given = receiveBufferOf(socket);
  if (given !== undefined && given < bufferBytes) calls.forceReceiveBuffer(handle.fd, bufferBytes);
}

/** Without it, sender address and port decide. */
function steer(calls: SocketCalls, socket: Socket, program: Buffer): void {
  const handle = receivingHandle(socket);
  if (handle !== undefined) calls.steer(handle.fd, program);
}

/** Publishes the receive buffer and the kernel's drops as metrics and logs new drops. */
function watchSocket(
  context: InputContext,
  metrics: InputMetrics,
  socket: Socket,
  { address, port }: { readonly address: string; readonly port: number },
): () => void {
  const drops = createKernelDrops(address, port);
  let counted: number | undefined = 0;
  // Every worker sees the drops of all sockets of this address, so they must not be added up.
  context.metrics.gauge(`${metrics.prefix}.kernel_drops`, () => counted ?? null, {
    merge: 'max',
    help: 'Datagrams the kernel dropped because its receive buffer was full',
  });
  context.metrics.gauge(`${metrics.prefix}.receive_buffer_bytes`, () => receiveBufferOf(socket) ?? null, {
    merge: 'max',
    help: 'The receive buffer the kernel gave',
  });
  async function read(): Promise<void> {
    const before = counted ?? 0;
    counted = await drops.read();
    if (counted === undefined || counted <= before) return;
    context.logger.warn(
      `the kernel dropped ${counted - before} datagrams for ${formatHostPort(address, port)} (UDP) ` +
        'because they arrived faster than they were read; raise recv_buffer_size or send by TCP',
    );
  }
  const job = createPeriodicJob(
    { run: read, logger: context.logger },
    { name: "reading the kernel's drops", intervalMs: DROPS_EVERY_MS },
  );
  job.start();
  return () => void job.stop();
}

/** Linux reports twice what it was asked for, bookkeeping included. */
function receiveBufferOf(socket: Socket): number | undefined {
  try {
    const reported = socket.getRecvBufferSize();
    return process.platform === 'linux' ? reported / 2 : reported;
  } catch {
    return undefined;
  }
}

function bufferNotice(socket: Socket, wanted: number): string | undefined {
  const given = receiveBufferOf(socket);
  if (given === undefined || given >= wanted) return undefined;
  const remedy = process.platform === 'linux' ? `; raise it with: sysctl -w net.core.rmem_max=${wanted}` : '';
  return `the kernel gives a receive buffer of ${given} bytes instead of ${wanted}${remedy}`;
}
