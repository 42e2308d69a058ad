import type {
  FrameBatch,
  JournalReader,
  JournalRefusal,
  JournalStats,
  JournalWriter,
  ReadLimit,
  RecordBatch,
} from '#core/index.ts';
import type { Metrics } from '#telemetry/index.ts';

/*
 * The journal keeps its own figures; here they become metrics. Rates are counted as things happen, so that "the
 * last second" is right; everything else is updated with every report.
 */

/** What waits is limited in bytes, to 16 MiB: as many messages of 256 bytes. */
const NOMINAL_WAITING_FRAMES = 65_536;

const REFUSALS: readonly JournalRefusal[] = ['full', 'backlogged', 'failing', 'closed'];

/** The same writer, counting what it accepts. */
export function countedWriter(writer: JournalWriter, metrics: Metrics): JournalWriter {
  const appended = metrics.counterWithRate('org.graylog2.journal.append', {
    help: 'Messages written to the journal',
  });
  const waiting = 'Messages received that are not written to the journal yet';
  metrics.gauge('org.graylog2.buffers.input.usage', () => writer.nextOffset - writer.durableOffset, {
    merge: 'sum',
    help: waiting,
  });
  metrics.gauge('org.graylog2.buffers.input.size', () => NOMINAL_WAITING_FRAMES, {
    merge: 'sum',
    help: `The most of: ${waiting}`,
  });
  return {
    append(frames: FrameBatch, settled?: (durable: boolean) => void): boolean {
      const accepted = writer.append(frames, settled);
      if (accepted) appended.increment(frames.count);
      return accepted;
    },
    get refusal() {
      return writer.refusal;
    },
    onRoom: (listener) => writer.onRoom(listener),
    get nextOffset() {
      return writer.nextOffset;
    },
    get durableOffset() {
      return writer.durableOffset;
    },
  };
}

/** The same reader, counting what it hands out. */
export function countedReader(reader: JournalReader, metrics: Metrics): JournalReader {
  const read = metrics.counterWithRate('org.graylog2.journal.read', {
    help: 'Messages read from the journal',
  });
  return {
    nextReplay: () => reader.nextReplay(),
    read(limit?: ReadLimit): RecordBatch | undefined {
      const batch = reader.read(limit);
      if (batch !== undefined) read.increment(batch.count);
      return batch;
    },
    whenReadable: () => reader.whenReadable(),
    beginBatch: (endOffset, token) => reader.beginBatch(endOffset, token),
    commitBatch: (token) => reader.commitBatch(token),
    commit: (endOffset) => reader.commit(endOffset),
    get committedOffset() {
      return reader.committedOffset;
    },
    get closed() {
      return reader.closed;
    },
  };
}

export interface PartitionMetrics {
  update(stats: JournalStats): void;
}

/** Counts a partition as a component: what it took, what it is done with, and everything it lost. */
export function createPartitionMetrics(metrics: Metrics, partition: number): PartitionMetrics {
  const id = `partition-${partition}`;
  const component = metrics.component({
    kind: 'journal',
    type: 'journal',
    id,
    dropReasons: ['drop_oldest', 'lost'],
    errorTypes: ['write_failed'],
    stages: ['write'],
  });
  const refused = REFUSALS.map((reason) => ({
    reason,
    counter: metrics.counter(`millrace.component.journal.journal.${id}.refused.${reason}`, {
      help: 'Messages the journal refused, by reason; their senders were told or had to wait',
      series: { name: 'millrace_journal_refused_events', labels: { partition: String(partition), reason } },
    }),
  }));
  let counted: JournalStats | undefined;

  return {
    update(stats) {
      const since = (read: (of: JournalStats) => number): number =>
        read(stats) - (counted === undefined ? 0 : read(counted));
      component.received(
        since((of) => of.appendedRecords),
        since((of) => of.appendedBytes),
      );
      component.sent(
        since((of) => of.committedRecords),
        0,
      );
      component.dropped(
        'drop_oldest',
        since((of) => of.droppedRecords),
        0,
      );
      component.dropped(
        'lost',
        since((of) => of.lostRecords),
        0,
      );
      const failures = since((of) => of.failedGroups);
      if (failures > 0) component.error('write_failed', 'write', failures);
      for (const { reason, counter } of refused) counter.increment(since((of) => of.refusedRecords[reason]));
      counted = stats;
    },
  };
}
