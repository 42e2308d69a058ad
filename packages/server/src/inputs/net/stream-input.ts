import type { Server, Socket } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { TlsOptions } from 'node:tls';
import { createStreamFramer, type StreamFramerConfig } from '#codecs/index.ts';
import { createPeriodicJob, monotonicClock, type PeriodicJob } from '#core/index.ts';
import type { Input, InputContext } from '../input.ts';
import type { InputMetrics } from '../input-metrics.ts';
import { frameSource } from './address.ts';
import { createStreamServer } from './connections.ts';
import { FrameQueue, MutableBatch } from './frame-queue.ts';
import { createServerInput, type ServerInputConfig, type ServerInputParts } from './server-input.ts';
import { createSharedMemory, type SharedMemory } from './shared-memory.ts';
import { StreamConnection } from './stream-connection.ts';

export interface StreamInputSettings {
  readonly framing: StreamFramerConfig;
  /** 0: never. */
  readonly idleTimeoutMs: number;
  /** How long a large frame may take from its first byte to its end. 0: any time. */
  readonly frameTimeoutMs: number;
  /** Bytes of unfinished frames that all connections together may hold. */
  readonly maxPendingBytes?: number;
}

const DEFAULT_MAX_PENDING_BYTES = 128 * 1024 * 1024;
const FRAME_CHECKS_PER_TIMEOUT = 10;
/** Stopping continues to read until nothing arrived for this long, up to a maximum. */
const QUIET_MS = 20;
const MAX_READ_ON_MS = 500;
/** How long stopping waits for the journal to take what was read. */
const MAX_WAIT_FOR_ROOM_MS = 2000;

/**
 * An input that takes delimited frames from TCP or TLS connections. While the journal refuses, connections
 * are not read: their senders wait, nothing that was read is lost.
 */
export function createStreamInput(
  context: InputContext,
  metrics: InputMetrics,
  config: ServerInputConfig,
  settings: StreamInputSettings,
): Input {
  const connections = new StreamConnections(context, metrics, config, settings);
  return createServerInput(context, metrics, config, connections);
}

/** The connections of one input and the bytes they hold. */
class StreamConnections implements ServerInputParts {
  readonly #context: InputContext;
  readonly #metrics: InputMetrics;
  readonly #config: ServerInputConfig;
  readonly #settings: StreamInputSettings;
  readonly #memory: SharedMemory;
  readonly #connections = new Set<StreamConnection>();
  /** Connections with frames that wait for the journal, in the order they were refused. */
  readonly #waiting = new Set<StreamConnection>();
  readonly #batch = new MutableBatch();
  #frameTimeouts: PeriodicJob | undefined;
  #stopWaitingForRoom: (() => void) | undefined;

  constructor(
    context: InputContext,
    metrics: InputMetrics,
    config: ServerInputConfig,
    settings: StreamInputSettings,
  ) {
    this.#context = context;
    this.#metrics = metrics;
    this.#config = config;
    this.#settings = settings;
    this.#memory = createSharedMemory(
      { monotonic: monotonicClock },
      { limitBytes: settings.maxPendingBytes ?? DEFAULT_MAX_PENDING_BYTES },
    );
  }

  createServer(tls: TlsOptions | undefined): Server {
    this.#stopWaitingForRoom = this.#context.journal.onRoom(() => this.#room());
    this.#startFrameTimeouts();
    return createStreamServer(this.#config, tls, this.#metrics, (socket) => this.#accept(socket));
  }

  async finish(): Promise<void> {
    await this.#readOn();
    for (const connection of this.#connections) connection.close();
  }

  release(): void {
    this.#stopWaitingForRoom?.();
    void this.#frameTimeouts?.stop();
  }

  #startFrameTimeouts(): void {
    const { frameTimeoutMs } = this.#settings;
    if (frameTimeoutMs === 0) return;
    this.#frameTimeouts = createPeriodicJob(
      { run: () => this.#closeUnfinished(frameTimeoutMs), logger: this.#context.logger },
      {
        name: 'closing connections with unfinished frames',
        intervalMs: frameTimeoutMs / FRAME_CHECKS_PER_TIMEOUT,
      },
    );
    this.#frameTimeouts.start();
  }

  #closeUnfinished(frameTimeoutMs: number): void {
    // While nothing is read, an unfinished frame is not its sender's fault.
    if (this.#waiting.size > 0) return;
    for (const connection of this.#connections) connection.closeIfUnfinishedFor(frameTimeoutMs);
  }

  /** What is in the kernel counts as delivered to its sender: reads until the connections are quiet. */
  async #readOn(): Promise<void> {
    for (let waited = 0, seen = -1; this.#connections.size > 0; waited += QUIET_MS) {
      const reads = this.#reads();
      const stuck = this.#waiting.size > 0;
      if (stuck ? waited >= MAX_WAIT_FOR_ROOM_MS : reads === seen || waited >= MAX_READ_ON_MS) return;
      if (stuck && this.#context.journal.refusal === 'closed') return;
      seen = reads;
      await delay(QUIET_MS);
      // Sockets are read after timers: a thread that was held up must read before it may seem quiet.
      await nextTurn();
    }
  }

  #reads(): number {
    let reads = 0;
    for (const connection of this.#connections) reads += connection.reads;
    return reads;
  }

  #accept(socket: Socket): void {
    const { journal, clock } = this.#context;
    const source = frameSource(this.#context, socket.remoteAddress, socket.remotePort);
    const connection = new StreamConnection(
      {
        clock,
        metrics: this.#metrics,
        idleTimeoutMs: this.#settings.idleTimeoutMs,
        memory: this.#memory,
        refused: (refused) => this.#refused(refused),
        closed: (gone) => this.#forget(gone),
      },
      socket,
      source.remoteAddress,
      createStreamFramer(this.#settings.framing, () => this.#metrics.error('newline_delimited', 'framing')),
      new FrameQueue(journal, this.#metrics, source, this.#batch),
    );
    this.#connections.add(connection);
    if (this.#waiting.size > 0) connection.pause();
  }

  /** The first refusal stops all reading, so that only a few reads wait, however many connections there are. */
  #refused(connection: StreamConnection): void {
    if (this.#waiting.size === 0) {
      this.#metrics.readPaused();
      for (const each of this.#connections) each.pause();
    }
    this.#waiting.add(connection);
  }

  /** A closed connection may still have waiting frames. It is kept for them while there are not too many. */
  #forget(connection: StreamConnection): void {
    if (connection.isWaiting && this.#connections.size <= this.#config.max_connections) return;
    connection.close();
    this.#waiting.delete(connection);
    this.#connections.delete(connection);
  }

  /** In the order of refusal. When one is refused again, there is no more room. */
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
