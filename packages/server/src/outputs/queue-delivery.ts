import path from 'node:path';
import type { Clock, MessageOrigin, OutputSink } from '#core/index.ts';
import { partitionDirectory } from '#journal/index.ts';
import type { Logger } from '#telemetry/index.ts';
import { Delivery, type DeliveryState } from './delivery/delivery.ts';
import type { Output, OutputPlan } from './output.ts';
import type { OutputMetrics } from './output-metrics.ts';
import type { OutputReport, OutputState } from './output-state.ts';
import { OutputQueue, type QueueStats } from './queue/output-queue.ts';
import type { QueueMemory } from './queue/queue-memory.ts';
import type { QueuedMessage } from './queue/queue-record.ts';
import type { SharedEncoder, SharedEncodings } from './shared-encodings.ts';

/** A message that a destination does not take. */
export interface RefusedMessage {
  readonly outputId: string;
  readonly reason: string;
  readonly payload: Buffer;
  readonly origin: MessageOrigin;
}

export interface QueueDeliveryDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: OutputMetrics;
  readonly encodings: SharedEncodings;
  readonly memory: QueueMemory;
  readonly refused: (message: RefusedMessage) => void;
}

export interface QueueDeliverySettings {
  readonly outputId: string;
  readonly partition: number;
  /** The directory of all queues of the node. */
  readonly directory: string;
  /** Among how many workers the bound of the queue is divided. */
  readonly shares: number;
}

/** How an output should run now. */
export interface WantedDelivery {
  readonly plan: OutputPlan;
  readonly createOutput: (lost: (reason: string) => void) => Output;
}

const RATE_WINDOW_MS = 1000;

export function queueDirectory(directory: string, outputId: string, partition: number): string {
  return partitionDirectory(path.join(directory, outputId), partition);
}

/** One output for one journal partition: its queue, and its delivery while it is not paused. */
export class QueueDelivery {
  readonly #deps: QueueDeliveryDeps;
  readonly #settings: QueueDeliverySettings;
  readonly #queue: OutputQueue;
  /** The one that the queue uses: while it is paused, still that of the configuration it ran with. */
  #encoder: SharedEncoder;
  #delivery: Delivery | undefined;
  #state: OutputState = 'PAUSED';
  #message: string | undefined;
  #lastError: OutputReport['lastError'];
  #sent = 0;
  readonly #dropped: () => number;
  #refused = 0;
  #rate = { at: 0, sent: 0, perSecond: 0 };

  static async open(
    deps: QueueDeliveryDeps,
    settings: QueueDeliverySettings,
    plan: OutputPlan,
    journalEnd: number,
  ): Promise<QueueDelivery> {
    let dropped = 0;
    const encoder = deps.encodings.use(plan.encoding);
    try {
      const queue = await OutputQueue.open(
        {
          clock: deps.clock,
          memory: deps.memory,
          report: ({ kind, message }) =>
            deps.logger.warn({ incident: kind }, `the queue of an output: ${message}`),
          cannotOpen: (error) =>
            deps.logger.warn({ err: error }, 'the queue of an output cannot be opened; trying again'),
          queued: deps.metrics.received,
          dropped(reason, messages, bytes) {
            dropped += messages;
            deps.metrics.dropped(reason, messages, bytes);
          },
        },
        queueSettings(settings, plan),
        encoder,
        journalEnd,
      );
      return new QueueDelivery(deps, settings, { queue, encoder, dropped: () => dropped });
    } catch (error) {
      encoder.release();
      throw error;
    }
  }

  private constructor(
    deps: QueueDeliveryDeps,
    settings: QueueDeliverySettings,
    opened: { queue: OutputQueue; encoder: SharedEncoder; dropped: () => number },
  ) {
    this.#deps = deps;
    this.#settings = settings;
    this.#queue = opened.queue;
    this.#encoder = opened.encoder;
    this.#dropped = opened.dropped;
  }

  get partition(): number {
    return this.#settings.partition;
  }

  get sink(): OutputSink {
    return this.#queue;
  }

  stats(): QueueStats {
    return this.#queue.stats();
  }

  get isEmpty(): boolean {
    return this.#queue.stats().messages === 0;
  }

  /** Sends, with this configuration. */
  async run(wanted: WantedDelivery): Promise<void> {
    await this.#endDelivery(0);
    await this.#reconfigure(wanted.plan);
    this.#enter('STARTING', undefined);
    this.#delivery = new Delivery(
      {
        queue: this.#queue,
        createOutput: wanted.createOutput,
        clock: this.#deps.clock,
        events: {
          sent: (messages, bytes) => {
            this.#sent += messages;
            this.#deps.metrics.sent(messages, bytes);
          },
          refused: (message, reason) => this.#messageRefused(message, reason),
          stateChanged: (state) => this.#deliveryChanged(state),
        },
      },
      { limits: wanted.plan.limits, retryDelayMs: wanted.plan.retryDelayMs },
    );
  }

  async #reconfigure(plan: OutputPlan): Promise<void> {
    const [before, after] = [this.#encoder, this.#deps.encodings.use(plan.encoding)];
    this.#encoder = after;
    await this.#queue.reconfigure(queueSettings(this.#settings, plan), after);
    before.release();
  }

  /** Only queues from now on. */
  async pause(state: 'PAUSED' | 'INVALID_CONFIGURATION', message?: string): Promise<void> {
    await this.#endDelivery(0);
    this.#enter(state, message);
  }

  async stop(graceMs: number): Promise<void> {
    await this.#endDelivery(graceMs);
    await this.#queue.stop();
    this.#encoder.release();
  }

  async remove(): Promise<void> {
    const { messages } = this.#queue.stats();
    if (messages > 0) {
      this.#deps.logger.info({ messages }, 'an output was deleted with messages in its queue');
    }
    await this.#endDelivery(0);
    await this.#queue.remove();
    this.#encoder.release();
  }

  report(): OutputReport {
    const { messages, bytes } = this.#queue.stats();
    const oldest = this.#delivery === undefined ? this.#queue.peekOldest() : this.#delivery.oldestReceivedAt;
    return {
      id: this.#settings.outputId,
      partition: this.partition,
      state: this.#state,
      message: this.#message,
      queuedMessages: messages,
      queuedBytes: bytes,
      oldestReceivedAt: messages === 0 ? undefined : oldest,
      sentMessages: this.#sent,
      sentRate: this.#currentRate(),
      droppedMessages: this.#dropped(),
      refusedMessages: this.#refused,
      lastError: this.#lastError,
    };
  }

  #currentRate(): number {
    const now = this.#deps.clock.now();
    const elapsed = now - this.#rate.at;
    if (elapsed >= RATE_WINDOW_MS * 0.9 || elapsed < 0) {
      const perSecond = this.#rate.at === 0 ? 0 : ((this.#sent - this.#rate.sent) * 1000) / elapsed;
      this.#rate = { at: now, sent: this.#sent, perSecond: Math.max(0, perSecond) };
    }
    return this.#rate.perSecond;
  }

  #messageRefused(message: QueuedMessage, reason: string): void {
    this.#refused += 1;
    this.#lastError = { message: `refused a message: ${reason}`, at: this.#deps.clock.now() };
    this.#deps.metrics.refused(1, message.payloadLength);
    const { outputId } = this.#settings;
    const { payload, origin } = message;
    this.#deps.refused({ outputId, reason, payload, origin });
  }

  #deliveryChanged(state: DeliveryState): void {
    if (state.state !== 'FAILED') {
      this.#enter(state.state, undefined);
      return;
    }
    const seconds = Math.ceil(state.retryInMs / 1000);
    this.#deps.metrics.failed();
    this.#lastError = { message: state.message, at: this.#deps.clock.now() };
    this.#enter(
      'FAILED',
      state.retryInMs === 0 ? state.message : `${state.message}; next attempt in ${seconds} s`,
    );
  }

  #enter(state: OutputState, message: string | undefined): void {
    if (state === 'FAILED' && this.#state !== 'FAILED') {
      this.#deps.logger.warn(`output ${this.#settings.outputId}: ${message}`);
    }
    this.#state = state;
    this.#message = message;
  }

  async #endDelivery(graceMs: number): Promise<void> {
    const delivery = this.#delivery;
    this.#delivery = undefined;
    await delivery?.stop(graceMs);
  }
}

function queueSettings(settings: QueueDeliverySettings, { queue }: OutputPlan) {
  const { directory, outputId, partition, shares } = settings;
  return {
    directory: queueDirectory(directory, outputId, partition),
    maxBytes: Math.floor(queue.queue_max_size / shares),
    onFull: queue.on_full,
  };
}
