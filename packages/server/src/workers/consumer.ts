/**
 * The loop from the journal to the storage: synchronous from read to write. It waits only for records, for room
 * in the storage, or for a pause to end.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  errorMessage,
  type JournalReader,
  type MessageSink,
  type RecordBatch,
  type RoutedBatch,
} from '#core/index.ts';
import type { Processor } from '#processing/index.ts';
import type { Logger } from '#telemetry/index.ts';
import type { MessageTap } from './worker-partitions.ts';

/** How many records are decoded and routed before the worker's sockets and timers get their turn. */
const RECORDS_PER_TURN = 2048;

export interface ConsumerDeps {
  readonly reader: JournalReader;
  readonly processor: Pick<Processor, 'process'>;
  readonly sink: MessageSink;
  readonly logger: Logger;
  readonly tap: MessageTap | undefined;
}

export interface Consumer {
  setPaused(paused: boolean): void;
  stop(): Promise<void>;
}

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

  /** Followers of a live tail are told that messages wait. */
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

  /** Replayed messages do not go to the tap: it saw them before the last stop, which may be long ago. */
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
    // Ends the worker, which is then restarted. Nothing is lost: what was not committed is read again.
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
      // A wait for records ends only when the journal is closed, which happens after this.
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
