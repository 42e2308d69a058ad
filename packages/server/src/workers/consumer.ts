/**
 * The loop from the journal to the sinks, synchronous from read to write. It waits only for records, for room in the
 * storage, or for a pause to end.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  errorMessage,
  type JournalReader,
  type RecordBatch,
  type ReplayBatch,
  type RoutedBatch,
} from '#core/index.ts';
import type { Processor } from '#processing/index.ts';
import type { Logger } from '#telemetry/index.ts';
import { endWorker } from './end-worker.ts';
import type { SinkFanOut } from './sink-fan-out.ts';

/** How many records are processed before the worker's sockets and timers get their turn. */
const RECORDS_PER_TURN = 2048;

export interface ConsumerDeps {
  readonly reader: JournalReader;
  readonly processor: Pick<Processor, 'process'>;
  readonly sinks: Pick<SinkFanOut, 'write' | 'replay' | 'whileWaiting' | 'stop'>;
  readonly logger: Logger;
}

export interface Consumer {
  setPaused(paused: boolean): void;
  stop(): Promise<void>;
}

export function createConsumer(deps: ConsumerDeps, options: { readonly paused: boolean }): Consumer {
  const { reader, processor, sinks, logger } = deps;
  let resumed = options.paused ? Promise.withResolvers<void>() : undefined;
  let stopping = false;

  /** Several batches are replayed as one, so their messages outlive their records. */
  function processAndRelease(records: RecordBatch): RoutedBatch {
    try {
      const batch = processor.process(records);
      for (const message of batch.messages) message.detach();
      return batch;
    } finally {
      records.release();
    }
  }

  /** Outputs may send frames on as they came, so the records are released after that. */
  function processAndWrite(records: RecordBatch): Promise<void> | undefined {
    try {
      return sinks.write(processor.process(records));
    } finally {
      records.release();
    }
  }

  async function replay(): Promise<void> {
    for (;;) {
      const again = await reader.nextReplay();
      if (again === undefined || stopping) return;
      await sinks.replay(joined(again, again.records.map(processAndRelease)), again.token);
    }
  }

  async function run(): Promise<void> {
    await resumed?.promise;
    if (!stopping) await replay();
    while (!stopping && !reader.closed) {
      if (resumed !== undefined) await sinks.whileWaiting(resumed.promise);
      if (stopping) return;
      const records = reader.read({ records: RECORDS_PER_TURN });
      if (records === undefined) await reader.whenReadable();
      else await (processAndWrite(records) ?? nextTurn());
    }
  }

  const done = run().catch((error: unknown) => {
    if (stopping) return;
    logger.error({ err: error }, `processing failed: ${errorMessage(error)}`);
    endWorker(error);
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
      await sinks.stop();
      // A wait for records ends only when the journal is closed, which happens after this.
      await Promise.race([done, nextTurn()]);
    },
  };
}

function joined({ fromOffset, endOffset }: ReplayBatch, batches: readonly RoutedBatch[]): RoutedBatch {
  return {
    firstOffset: fromOffset,
    endOffset,
    messages: batches.flatMap((batch) => batch.messages),
    targets: batches.flatMap((batch) => batch.targets),
  };
}
