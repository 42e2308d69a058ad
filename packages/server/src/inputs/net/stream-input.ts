import type { Server, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createDelimitedFramer, type DelimitedFramerConfig } from '#codecs/index.ts';
import type { Input, InputContext, Listening } from '../input.ts';
import type { InputMetrics } from '../input-metrics.ts';
import { peerAddress } from './address.ts';
import { type ConnectionConfig, createStreamServer, trackSockets } from './connections.ts';
import { FrameQueue, MutableBatch } from './frame-queue.ts';
import { listen } from './listen.ts';
import { StreamConnection } from './stream-connection.ts';
import { followServerRenewals, tlsServerOptions } from './tls.ts';

export interface StreamInputConfig extends ConnectionConfig {
  readonly bind_address: string;
  readonly port: number;
}

export interface StreamInputSettings {
  readonly framing: DelimitedFramerConfig;
  /** 0: never. */
  readonly idleTimeoutMs: number;
  /** Bytes of unfinished frames that all connections together may hold. */
  readonly maxPendingBytes?: number;
}

const DEFAULT_MAX_PENDING_BYTES = 128 * 1024 * 1024;
/** Stopping reads on until nothing came for this long, and no longer than the other. */
const QUIET_MS = 20;
const LONGEST_READ_ON_MS = 500;
/** How long stopping waits for the journal to take what was read. */
const LONGEST_WAIT_FOR_ROOM_MS = 2000;

/**
 * An input that takes delimited frames from TCP or TLS connections. While the journal refuses, connections
 * are not read: their senders wait, nothing that was read is lost.
 */
export function createStreamInput(
  context: InputContext,
  metrics: InputMetrics,
  config: StreamInputConfig,
  settings: StreamInputSettings,
): Input {
  return new StreamInput(context, metrics, config, settings);
}

class StreamInput implements Input {
  readonly #context: InputContext;
  readonly #metrics: InputMetrics;
  readonly #config: StreamInputConfig;
  readonly #settings: StreamInputSettings;
  readonly #maxPendingBytes: number;
  readonly #stopping = new AbortController();
  readonly #connections = new Set<StreamConnection>();
  /** Those with frames that wait for the journal, in the order in which they were refused. */
  readonly #waiting = new Set<StreamConnection>();
  readonly #batch = new MutableBatch();
  #pendingBytes = 0;
  #server: Server | undefined;
  #destroySockets: (() => void) | undefined;
  #stopFollowing: (() => void) | undefined;
  #stopWaitingForRoom: (() => void) | undefined;
  #stopped: Promise<void> | undefined;

  constructor(
    context: InputContext,
    metrics: InputMetrics,
    config: StreamInputConfig,
    settings: StreamInputSettings,
  ) {
    this.#context = context;
    this.#metrics = metrics;
    this.#config = config;
    this.#settings = settings;
    this.#maxPendingBytes = settings.maxPendingBytes ?? DEFAULT_MAX_PENDING_BYTES;
  }

  async start(): Promise<Listening> {
    const { bind_address, port } = this.#config;
    const tls = await tlsServerOptions(this.#context, this.#config);
    const server = createStreamServer(this.#config, tls, this.#metrics, (socket) => this.#accept(socket));
    this.#server = server;
    this.#destroySockets = trackSockets(server);
    this.#stopFollowing = followServerRenewals(this.#context, this.#config, server);
    this.#stopWaitingForRoom = this.#context.journal.onRoom(() => this.#room());
    try {
      return await listen(this.#context, server, bind_address, port, this.#stopping.signal);
    } catch (error) {
      this.#stopWaitingForRoom();
      throw error;
    }
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#stopping.abort(new Error('the input was stopped'));
    const server = this.#server;
    if (server === undefined) return;
    this.#stopFollowing?.();
    const closed = new Promise((resolve) => server.close(resolve));
    await this.#readOn();
    for (const connection of this.#connections) connection.close();
    this.#destroySockets?.();
    await closed;
    this.#stopWaitingForRoom?.();
  }

  /** A sender believes delivered what the kernel has: reads until the connections are quiet. */
  async #readOn(): Promise<void> {
    for (let waited = 0, seen = -1; this.#connections.size > 0; waited += QUIET_MS) {
      const reads = this.#reads();
      const stuck = this.#waiting.size > 0;
      if (stuck ? waited >= LONGEST_WAIT_FOR_ROOM_MS : reads === seen || waited >= LONGEST_READ_ON_MS) return;
      if (stuck && this.#context.journal.refusal === 'closed') return;
      seen = reads;
      await delay(QUIET_MS);
    }
  }

  #reads(): number {
    let reads = 0;
    for (const connection of this.#connections) reads += connection.reads;
    return reads;
  }

  #accept(socket: Socket): void {
    const { inputId, journal, clock } = this.#context;
    const source = {
      inputId,
      remoteAddress: peerAddress(socket.remoteAddress),
      remotePort: socket.remotePort ?? 0,
    };
    const connection = new StreamConnection(
      {
        clock,
        metrics: this.#metrics,
        idleTimeoutMs: this.#settings.idleTimeoutMs,
        refused: (refused) => this.#refused(refused),
        pending: (change) => this.#countPending(change),
        closed: (gone) => this.#forget(gone),
      },
      socket,
      createDelimitedFramer(this.#settings.framing),
      new FrameQueue(journal, this.#metrics, source, this.#batch),
    );
    this.#connections.add(connection);
    if (this.#waiting.size > 0) connection.pause();
  }

  #countPending(change: number): boolean {
    this.#pendingBytes += change;
    return change <= 0 || this.#pendingBytes <= this.#maxPendingBytes;
  }

  /** The first refusal stops all reading: what waits is then what a few reads brought, however many peers. */
  #refused(connection: StreamConnection): void {
    if (this.#waiting.size === 0) {
      this.#metrics.readPaused();
      for (const each of this.#connections) each.pause();
    }
    this.#waiting.add(connection);
  }

  /** A connection that is gone may still have frames that wait; not more of them than live ones are allowed. */
  #forget(connection: StreamConnection): void {
    if (connection.isWaiting && this.#connections.size <= this.#config.max_connections) return;
    connection.close();
    this.#waiting.delete(connection);
    this.#connections.delete(connection);
  }

  /** First refused, first served; the first one refused again means that there is no more room. */
  #room(): void {
    if (this.#waiting.size === 0) return;
    for (const connection of this.#waiting) {
      if (!connection.retry()) return;
      this.#waiting.delete(connection);
      if (connection.isClosed) this.#connections.delete(connection);
    }
    for (const connection of this.#connections) connection.resume();
  }
}
