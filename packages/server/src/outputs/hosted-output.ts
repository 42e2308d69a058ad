import { setTimeout as delay } from 'node:timers/promises';
import {
  type Clock,
  type ComponentRegistry,
  errorMessage,
  InvalidConfiguration,
  type OutputPartition,
  type OutputSink,
} from '#core/index.ts';
import type { Logger, Metrics } from '#telemetry/index.ts';
import type { OutputPlan, OutputType } from './output.ts';
import { createOutputMetrics, type OutputMetrics } from './output-metrics.ts';
import type { OutputReport, WantedOutput } from './output-state.ts';
import type { QueueMemory } from './queue/queue-memory.ts';
import { QueueDelivery, type RefusedMessage, type WantedDelivery } from './queue-delivery.ts';
import type { SharedEncodings } from './shared-encodings.ts';

export interface HostedOutputDeps {
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly types: ComponentRegistry<OutputType>;
  readonly encodings: SharedEncodings;
  readonly memory: QueueMemory;
  readonly refused: (message: RefusedMessage, output: WantedOutput) => void;
  /** The directory of all queues of the node. */
  readonly directory: string;
  /** Below which outputs may write files. */
  readonly filesDirectory: string;
  readonly stallTimeoutMs?: number | undefined;
  readonly shares: number;
}

const OPEN_RETRY_MS = 1000;

/** One output of a worker, with a queue for each journal partition. Changes are made one after the other. */
export class HostedOutput {
  readonly #deps: HostedOutputDeps;
  readonly #logger: Logger;
  readonly #metrics: OutputMetrics;
  readonly #queues = new Map<number, QueueDelivery>();
  #wanted: WantedOutput;
  #plan: OutputPlan | InvalidConfiguration;
  #work: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(deps: HostedOutputDeps, wanted: WantedOutput) {
    this.#deps = deps;
    this.#wanted = wanted;
    this.#logger = deps.logger.child({ output: wanted.id });
    this.#plan = this.#planOf(wanted);
    this.#metrics = createOutputMetrics(deps.metrics, wanted, () => this.#queued());
  }

  /** The sinks of its open queues, by partition. */
  sink(partition: number): OutputSink | undefined {
    return this.#queues.get(partition)?.sink;
  }

  /** Without queues it has one report all the same: why it does not run. */
  reports(): OutputReport[] {
    if (this.#plan instanceof InvalidConfiguration && this.#queues.size === 0) {
      return [invalidReport(this.#wanted.id, this.#plan.text)];
    }
    return [...this.#queues.values()].map((queue) => queue.report());
  }

  want(wanted: WantedOutput): Promise<void> {
    return this.#inTurn(async () => {
      const { title: _, ...before } = this.#wanted;
      const { title: __, ...after } = wanted;
      this.#wanted = wanted;
      if (JSON.stringify(before) === JSON.stringify(after)) return;
      this.#plan = this.#planOf(wanted);
      await Promise.all([...this.#queues.values()].map((queue) => this.#follow(queue)));
    });
  }

  openPartition({ partition, journalEnd }: OutputPartition): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#queues.has(partition)) return;
      const queue = await this.#open(partition, journalEnd);
      if (queue === undefined) return;
      this.#queues.set(partition, queue);
      await this.#follow(queue);
    });
  }

  /** Deletes the queue of a partition that gets nothing more, if it is empty. */
  removeIfEmpty(partition: number): Promise<boolean> {
    const removed = Promise.withResolvers<boolean>();
    void this.#inTurn(async () => {
      const queue = this.#queues.get(partition);
      const isEmpty = queue?.isEmpty ?? true;
      if (queue !== undefined && isEmpty) {
        this.#queues.delete(partition);
        await queue.remove();
      }
      removed.resolve(isEmpty);
    }).catch(removed.reject);
    return removed.promise;
  }

  /** It was deleted, and its messages with it. */
  terminate(): Promise<void> {
    this.#isStopped = true;
    return this.#inTurn(async () => {
      await Promise.all([...this.#queues.values()].map((queue) => queue.remove()));
      this.#queues.clear();
      this.#metrics.remove();
    });
  }

  shutDown(graceMs: number): Promise<void> {
    this.#isStopped = true;
    return this.#inTurn(async () => {
      await Promise.all([...this.#queues.values()].map((queue) => queue.stop(graceMs)));
    });
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(work, work);
    return this.#work;
  }

  #planOf({ type, configuration }: WantedOutput): OutputPlan | InvalidConfiguration {
    const found = this.#deps.types.find(type);
    if (found !== undefined) return found.plan(configuration);
    return new InvalidConfiguration([{ path: 'type', message: `this version does not know "${type}"` }]);
  }

  /** Runs or pauses a queue as it is wanted. */
  async #follow(queue: QueueDelivery): Promise<void> {
    const delivery = this.#delivery(queue.partition);
    if (delivery instanceof InvalidConfiguration) await queue.pause('INVALID_CONFIGURATION', delivery.text);
    else if (this.#wanted.paused) await queue.pause('PAUSED');
    else await queue.run(delivery);
  }

  #delivery(partition: number): WantedDelivery | InvalidConfiguration {
    const { id, type, configuration } = this.#wanted;
    const plan = this.#plan;
    if (plan instanceof InvalidConfiguration) return plan;
    const { clock, filesDirectory, stallTimeoutMs, types } = this.#deps;
    return {
      plan,
      createOutput: (lost) => {
        const common = { filesDirectory, clock, logger: this.#logger, stallTimeoutMs };
        const context = { ...common, outputId: id, partition, lost };
        const output = types.find(type)?.create(context, configuration);
        if (output === undefined || output instanceof InvalidConfiguration) {
          throw new Error(`the configuration of output ${id} is not valid`);
        }
        return output;
      },
    };
  }

  async #open(partition: number, journalEnd: number): Promise<QueueDelivery | undefined> {
    const { id } = this.#wanted;
    const { clock, directory, encodings, memory, shares } = this.#deps;
    const plan = this.#plan;
    if (plan instanceof InvalidConfiguration) return undefined;
    const refused = (message: RefusedMessage) => this.#deps.refused(message, this.#wanted);
    for (let attempt = 0; !this.#isStopped; attempt++) {
      try {
        return await QueueDelivery.open(
          { clock, logger: this.#logger, metrics: this.#metrics, encodings, memory, refused },
          { outputId: id, partition, directory, shares },
          plan,
          journalEnd,
        );
      } catch (error) {
        if (attempt === 0) {
          this.#logger.error(
            { err: error },
            `cannot open the queue of output ${id}: ${errorMessage(error)}; trying again until it works`,
          );
        }
        await delay(OPEN_RETRY_MS);
      }
    }
    return undefined;
  }

  #queued() {
    const all = [...this.#queues.values()].map((queue) => queue.stats());
    return {
      messages: all.reduce((sum, { messages }) => sum + messages, 0),
      bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    };
  }
}

function invalidReport(id: string, message: string): OutputReport {
  return {
    id,
    partition: -1,
    state: 'INVALID_CONFIGURATION',
    message,
    queuedMessages: 0,
    queuedBytes: 0,
    oldestReceivedAt: undefined,
    sentMessages: 0,
    sentRate: 0,
    droppedMessages: 0,
    refusedMessages: 0,
    lastError: undefined,
  };
}
