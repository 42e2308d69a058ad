/** The journal of the whole node, summed up from its partitions: for the API, metrics and load balancers. */
import type { JournalSummary } from '@millrace/contract';
import type { JournalStats } from '#core/index.ts';
import type { Metrics } from '#telemetry/index.ts';

export interface PartitionReport {
  readonly number: number;
  readonly stats: JournalStats;
}

export interface NodeJournal {
  /** `GET /system/journal` */
  summary(): JournalSummary;
  /** How full it is, from 0 to 1, or more when the bound was lowered. */
  utilization(): number;
}

export interface NodeJournalSettings {
  readonly directory: string;
  readonly maxBytes: number;
  readonly maxAgeMs: number;
  readonly segmentBytes: number;
  readonly segmentAgeMs: number;
  readonly flushAgeMs: number;
}

export interface NodeJournalDeps {
  readonly partitions: () => readonly PartitionReport[];
  readonly metrics: Metrics;
}

/** As Graylog names what waits between its parts. */
const BUFFERS = 'org.graylog2.buffers';
const NOMINAL_MESSAGE_BYTES = 1024;
const APPEND_RATE = 'org.graylog2.journal.append.1-sec-rate';
const READ_RATE = 'org.graylog2.journal.read.1-sec-rate';

export function createNodeJournal(deps: NodeJournalDeps, settings: NodeJournalSettings): NodeJournal {
  const sum = (read: (stats: JournalStats) => number): number =>
    deps.partitions().reduce((total, { stats }) => total + read(stats), 0);

  const utilization = (): number =>
    deps.partitions().reduce((fullest, { stats }) => Math.max(fullest, stats.utilization), 0);

  function oldestSegment(): string | null {
    const times = deps.partitions().flatMap(({ stats }) => stats.oldestSegmentAt ?? []);
    return times.length === 0 ? null : new Date(Math.min(...times)).toISOString();
  }

  function rate(name: string): number {
    const metric = deps.metrics.get(name)?.metric;
    return metric !== undefined && 'value' in metric && typeof metric.value === 'number' ? metric.value : 0;
  }

  const { metrics } = deps;
  const gauge = (name: string, help: string, read: () => number | string | null): void =>
    metrics.gauge(`org.graylog2.journal.${name}`, read, { help });
  gauge('segments', 'Files of the journal', () => sum((stats) => stats.segments));
  gauge('entries-uncommitted', 'Messages in the journal that are not stored yet', () =>
    sum((stats) => stats.uncommittedRecords),
  );
  gauge('size', 'Bytes the journal takes', () => sum((stats) => stats.sizeBytes));
  gauge('size-limit', 'Bytes the journal may take', () => settings.maxBytes);
  gauge('utilization-ratio', 'How full the journal is, from 0 to 1', utilization);
  gauge('oldest-segment', 'When the oldest file of the journal was begun', oldestSegment);

  /** Read, and neither stored nor given up yet. */
  const inProcess = () => sum((stats) => stats.inProcessRecords);
  const buffer = (name: string, help: string, usage: () => number, size: () => number): void => {
    metrics.gauge(`${BUFFERS}.${name}.usage`, usage, { help });
    metrics.gauge(`${BUFFERS}.${name}.size`, size, { help: `The most of: ${help}` });
  };
  const unread = () => sum((stats) => stats.uncommittedRecords - stats.inProcessRecords);
  buffer('process', 'Messages in the journal that are not processed yet', unread, () => {
    // The journal is limited in bytes: as many messages as it has room for if they stay as large as they are.
    const used = utilization();
    const waiting = unread();
    const nominal = Math.floor(settings.maxBytes / NOMINAL_MESSAGE_BYTES);
    return waiting === 0 || used === 0 ? nominal : Math.ceil(waiting / Math.min(1, used));
  });
  metrics.gauge(`${BUFFERS}.output.usage`, inProcess, {
    help: 'Messages that are processed and not stored yet',
  });

  return {
    utilization,
    summary: () => ({
      enabled: true,
      append_events_per_second: rate(APPEND_RATE),
      read_events_per_second: rate(READ_RATE),
      uncommitted_journal_entries: sum((stats) => stats.uncommittedRecords),
      journal_size: sum((stats) => stats.sizeBytes),
      journal_size_limit: settings.maxBytes,
      number_of_segments: sum((stats) => stats.segments),
      oldest_segment: oldestSegment(),
      journal_config: {
        directory: settings.directory,
        segment_size: settings.segmentBytes,
        segment_age: settings.segmentAgeMs,
        max_size: settings.maxBytes,
        max_age: settings.maxAgeMs,
        // Groups are written by age and size, never by a number of messages.
        flush_interval: 0,
        flush_age: settings.flushAgeMs,
      },
    }),
  };
}
