/**
 * What takes messages out of a journal partition: reads records, decodes and routes them, hands them to the
 * storage. One for each partition, inside the thread that owns it. Nothing is read before the main thread has
 * said which streams there are. The storage may come later: what it will get is processed already, up to what the
 * writer holds, so that who follows messages live sees them.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  createFieldLayouts,
  errorMessage,
  type JournalReader,
  type MessageSink,
  monotonicClock,
  type RecordBatch,
  type RoutedBatch,
  type RoutingTarget,
  Secret,
} from '#core/index.ts';
import {
  createProcessor,
  failureMessage,
  type ProcessingSnapshot,
  type Processor,
} from '#processing/index.ts';
import {
  type ClickHouse,
  type ClickHouseEndpoint,
  createClickHouse,
  createMessageWriter,
  type IndexSetSnapshot,
  type MessageWriter,
} from '#storage/index.ts';
import type { Logger } from '#telemetry/index.ts';
import type { FromIntakeThread, ProcessingMessage } from './intake-protocol.ts';
import type { CreateProcessing, MessageTap, Processing, ProcessingContext } from './intake-thread.ts';

/** So many records are decoded and routed before sockets and timers of the thread get their turn. */
const RECORDS_PER_TURN = 2048;

export function createMessageProcessing(deps: {
  readonly post: (message: FromIntakeThread) => void;
}): CreateProcessing {
  return (reader, context) => new PartitionProcessing(deps.post, reader, context);
}

interface Running {
  readonly processor: Processor;
  readonly writer: MessageWriter;
  readonly consumer: Consumer;
}

class PartitionProcessing implements Processing {
  readonly #post: (message: FromIntakeThread) => void;
  readonly #reader: JournalReader;
  readonly #context: ProcessingContext;
  #paused: boolean;
  #clickhouse: ClickHouse | undefined;
  #endpoints: readonly ClickHouseEndpoint[] = [];
  #database: string | undefined;
  #streams: ProcessingSnapshot | undefined;
  #indexSets: IndexSetSnapshot | undefined;
  #running: Running | undefined;

  constructor(post: (message: FromIntakeThread) => void, reader: JournalReader, context: ProcessingContext) {
    this.#post = post;
    this.#reader = reader;
    this.#context = context;
    this.#paused = context.paused;
  }

  receive(message: ProcessingMessage): void {
    switch (message.kind) {
      case 'storage':
        this.#endpoints = message.servers.map((server) => ({
          ...server,
          password: new Secret(server.password),
        }));
        this.#database = message.database;
        if (this.#endpoints.length > 0) this.#clickhouse ??= createClickHouse(() => this.#endpoints);
        this.#beginWhenReady();
        break;
      case 'index-sets':
        this.#indexSets = message.snapshot;
        this.#running?.writer.useIndexSets(message.snapshot);
        break;
      case 'streams':
        this.#streams = message.snapshot;
        this.#running?.processor.useSnapshot(message.snapshot);
        this.#beginWhenReady();
    }
  }

  #beginWhenReady(): void {
    if (this.#running !== undefined || this.#streams === undefined || this.#database === undefined) return;
    this.#running = this.#begin(this.#streams, this.#database);
  }

  setPaused(paused: boolean): void {
    this.#paused = paused;
    this.#running?.consumer.setPaused(paused);
  }

  async stop(): Promise<void> {
    await this.#running?.consumer.stop();
    await this.#clickhouse?.close();
  }

  #begin(snapshot: ProcessingSnapshot, database: string): Running {
    const { metrics, logger, partition, tap } = this.#context;
    const layouts = createFieldLayouts();
    const processor = createProcessor(
      {
        metrics,
        monotonic: monotonicClock,
        layouts,
        faulted: (fault) => this.#post({ kind: 'stream-fault', fault }),
      },
      { partition: `${snapshot.nodeId}/${partition}` },
    );
    processor.useSnapshot(snapshot);
    const writer = createMessageWriter(
      {
        reader: this.#reader,
        clickhouse: () => this.#clickhouse,
        metrics,
        logger,
        monotonic: monotonicClock,
        failureMessage: (refused) => failureMessage(layouts, refused),
        failureTarget: targetOf(snapshot.failureStream),
        newFields: (fields) => this.#post({ kind: 'new-fields', fields }),
      },
      { nodeId: snapshot.nodeId, database },
    );
    if (this.#indexSets !== undefined) writer.useIndexSets(this.#indexSets);
    const consumer = createConsumer(
      { reader: this.#reader, processor, sink: writer, logger, ...(tap && { tap }) },
      { paused: this.#paused },
    );
    return { processor, writer, consumer };
  }
}

function targetOf(stream: { readonly id: string; readonly indexSetId: string }): RoutingTarget {
  return { streamIds: [stream.id], indexSetIds: [stream.indexSetId] };
}

export interface ConsumerDeps {
  readonly reader: JournalReader;
  readonly processor: Pick<Processor, 'process'>;
  readonly sink: MessageSink;
  readonly logger: Logger;
  readonly tap?: MessageTap;
}

export interface Consumer {
  setPaused(paused: boolean): void;
  stop(): Promise<void>;
}

/**
 * The loop from journal to storage: synchronous from read to write, it waits only for records, for room in
 * the storage, or for a pause to end.
 */
export function createConsumer(deps: ConsumerDeps, options: { readonly paused: boolean }): Consumer {
  const { reader, processor, sink, logger, tap } = deps;
  let resumed = options.paused ? Promise.withResolvers<void>() : undefined;
  let stopping = false;

  function processAndRelease(records: RecordBatch): RoutedBatch {
    try {
      return processor.process(records);
    } finally {
      records.release();
    }
  }

  /** Whoever follows messages live is told that they wait. */
  async function waitFor(room: Promise<void>): Promise<void> {
    tap?.waitBegins(reader);
    try {
      await room;
    } finally {
      tap?.waitEnds(reader);
    }
  }

  function hand(records: RecordBatch): Promise<void> {
    const routed = processAndRelease(records);
    tap?.batch(routed);
    const room = sink.write(routed);
    return room === undefined ? nextTurn() : waitFor(room);
  }

  /** Not for the tap: what is replayed was seen before the end of the program, and may be long ago. */
  async function replay(): Promise<void> {
    for (;;) {
      const again = await reader.nextReplay();
      if (again === undefined || stopping) return;
      const routed = again.records.map(processAndRelease);
      await waitFor(sink.replay(joined(routed, again), again.token));
    }
  }

  async function run(): Promise<void> {
    await resumed?.promise;
    if (!stopping) await replay();
    while (!stopping && !reader.closed) {
      if (resumed !== undefined) await waitFor(resumed.promise);
      if (stopping) return;
      const records = reader.read({ records: RECORDS_PER_TURN });
      if (records === undefined) await reader.whenReadable();
      else await hand(records);
    }
  }

  const done = run().catch((error: unknown) => {
    if (stopping) return;
    logger.error({ err: error }, `processing failed: ${errorMessage(error)}`);
    // Ends the thread, which is then started again. Nothing is lost: what was not committed is read again.
    process.nextTick(() => {
      throw error;
    });
  });

  return {
    setPaused(paused) {
      if (paused) resumed ??= Promise.withResolvers();
      else {
        resumed?.resolve();
        resumed = undefined;
      }
    },
    async stop() {
      stopping = true;
      resumed?.resolve();
      await sink.stop();
      // Waiting for records ends only with the journal, which is closed after us.
      await Promise.race([done, nextTurn()]);
    },
  };
}

function joined(
  batches: readonly RoutedBatch[],
  range: { readonly fromOffset: number; readonly endOffset: number },
): RoutedBatch {
  return {
    firstOffset: range.fromOffset,
    endOffset: range.endOffset,
    messages: batches.flatMap((batch) => batch.messages),
    targets: batches.flatMap((batch) => batch.targets),
  };
}
