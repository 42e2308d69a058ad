/**
 * Processing of one journal partition, inside the worker that owns it: joins the journal, the processor and the sinks.
 * Nothing is read before the main thread has sent the streams. The storage may become available later: until then
 * messages are processed up to what the writer can hold, so that live tails show them.
 */
import { CODECS, createMessageEncoder } from '#codecs/index.ts';
import {
  createFieldLayouts,
  errorMessage,
  type JournalReader,
  monotonicClock,
  type OutputSink,
  type RoutingTarget,
  Secret,
} from '#core/index.ts';
import { createProcessor, failureMessage, type Processor } from '#processing/index.ts';
import {
  type ClickHouse,
  type ClickHouseEndpoint,
  createClickHouse,
  createMessageWriter,
  type IndexSetSnapshot,
  type MessageWriter,
} from '#storage/index.ts';
import type { ProcessingSnapshot } from '#streams/index.ts';
import { type Consumer, createConsumer } from './consumer.ts';
import { endWorker } from './end-worker.ts';
import type { FromWorker, ProcessingMessage, StorageServer } from './protocol.ts';
import { createRuleDebug } from './rule-debug.ts';
import { createSinkFanOut, type SinkFanOut } from './sink-fan-out.ts';
import type { CreateProcessing, Processing, ProcessingContext } from './worker-partitions.ts';

export function createPartitionProcessing(deps: {
  readonly post: (message: FromWorker) => void;
}): CreateProcessing {
  return (reader, context) => new PartitionProcessing(deps.post, reader, context);
}

interface Running {
  readonly processor: Processor;
  readonly writer: MessageWriter;
  readonly sinks: SinkFanOut;
  readonly consumer: Consumer;
}

type StreamsMessage = Extract<ProcessingMessage, { readonly kind: 'streams' }>;

class PartitionProcessing implements Processing {
  readonly #post: (message: FromWorker) => void;
  readonly #reader: JournalReader;
  readonly #context: ProcessingContext;
  #paused: boolean;
  #clickhouse: ClickHouse | undefined;
  #endpoints: readonly ClickHouseEndpoint[] = [];
  #database: string | undefined;
  #streams: ProcessingSnapshot | undefined;
  #indexSets: IndexSetSnapshot | undefined;
  #running: Running | undefined;
  #isStopped = false;
  /** Snapshots of streams are used in their order. */
  #following: Promise<void> = Promise.resolve();
  #outputs: ReadonlyMap<string, OutputSink> = new Map();

  constructor(post: (message: FromWorker) => void, reader: JournalReader, context: ProcessingContext) {
    this.#post = post;
    this.#reader = reader;
    this.#context = context;
    this.#paused = context.paused;
  }

  receive(message: ProcessingMessage): void {
    switch (message.kind) {
      case 'storage':
        this.#endpoints = message.servers.map(endpointOf);
        this.#database = message.database;
        if (this.#endpoints.length > 0) {
          const { replication } = message;
          this.#clickhouse ??= createClickHouse(() => this.#endpoints, { replication });
        }
        this.#startWhenReady();
        break;
      case 'index-sets':
        this.#indexSets = message.snapshot;
        this.#running?.writer.useIndexSets(message.snapshot);
        break;
      case 'streams':
        this.#followStreams(message);
    }
  }

  /** Not before the outputs that the streams name can take messages: what is routed earlier would not reach them. */
  #followStreams({ snapshot }: StreamsMessage): void {
    const { outputs, logger } = this.#context;
    const used = this.#following.then(async () => {
      if (this.#streams === undefined) await outputs?.open((sinks) => this.#useOutputs(sinks));
      await outputs?.settled();
      if (this.#isStopped) return;
      this.#streams = snapshot;
      this.#running?.processor.useSnapshot(snapshot);
      this.#startWhenReady();
    });
    // The one before stays in use, and the next one is tried.
    this.#following = used.catch((error: unknown) => {
      logger.error({ reason: errorMessage(error) }, 'a change of streams or pipelines could not be used');
    });
  }

  #useOutputs(sinks: ReadonlyMap<string, OutputSink>): void {
    this.#outputs = sinks;
    this.#running?.sinks.useOutputs(sinks);
  }

  #startWhenReady(): void {
    if (this.#running !== undefined || this.#streams === undefined || this.#database === undefined) return;
    this.#running = this.#start(this.#streams, this.#database);
  }

  setPaused(paused: boolean): void {
    this.#paused = paused;
    this.#running?.consumer.setPaused(paused);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running?.consumer.stop();
    await this.#clickhouse?.close();
  }

  #start(snapshot: ProcessingSnapshot, database: string): Running {
    const { metrics, logger, partition, observer, lookups, droppedFields } = this.#context;
    const layouts = createFieldLayouts();
    const encoder = createMessageEncoder();
    const processor = createProcessor(
      {
        metrics,
        monotonic: monotonicClock,
        codecs: CODECS,
        layouts,
        faulted: (fault) => this.#post({ kind: 'stream-fault', fault }),
        extractorFaulted: (fault) => this.#post({ kind: 'extractor-fault', fault }),
        ruleFaulted: (fault) => this.#post({ kind: 'rule-fault', fault }),
        fieldsDropped: (...field) => droppedFields.add(...field),
        lookups,
        debug: createRuleDebug((text) => logger.info(text), monotonicClock),
      },
      { partition: `${snapshot.nodeId}/${partition}`, leaveInFrames: true },
    );
    processor.useSnapshot(snapshot);
    const writer = createMessageWriter(
      {
        reader: this.#reader,
        clickhouse: () => this.#clickhouse,
        metrics,
        logger,
        monotonic: monotonicClock,
        failureMessage: ({ type, cause, details, message }) =>
          failureMessage(layouts, {
            type,
            cause,
            details,
            frame: encoder.encode(message),
            source: message.origin,
            receivedAt: message.receivedAt,
          }),
        failureTarget: targetOf(snapshot.failureStream),
        newFields: (fields) => this.#post({ kind: 'new-fields', fields }),
        manyFieldNames: (found) => this.#post({ kind: 'many-field-names', found }),
        crashed: endWorker,
      },
      { nodeId: snapshot.nodeId, database },
    );
    if (this.#indexSets !== undefined) writer.useIndexSets(this.#indexSets);
    const withoutOutput = metrics.counter('millrace.outputs.missing', {
      help: 'Messages that were routed to an output that does not run',
    });
    const sinks = createSinkFanOut({
      storage: writer,
      observer,
      consumer: this.#reader,
      missingOutput: (_, messages) => withoutOutput.increment(messages),
    });
    sinks.useOutputs(this.#outputs);
    const consumer = createConsumer(
      { reader: this.#reader, processor, sinks, logger },
      { paused: this.#paused },
    );
    return { processor, writer, sinks, consumer };
  }
}

function targetOf(stream: { readonly id: string; readonly indexSetId: string }): RoutingTarget {
  return { streamIds: [stream.id], indexSetIds: [stream.indexSetId], outputIds: [] };
}

function endpointOf({ password, replicas, ...server }: StorageServer): ClickHouseEndpoint {
  return {
    ...server,
    password: new Secret(password),
    ...(replicas !== undefined && { replicas: replicas.map(endpointOf) }),
  };
}
