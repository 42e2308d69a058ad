import { journalSummarySchema } from '@millrace/contract';
import { expect, test } from 'vitest';
import type { JournalStats } from '#core/index.ts';
import { createMetrics } from '#telemetry/index.ts';
import { createNodeJournal, type PartitionReport } from './node-journal.ts';

const config = {
  directory: '/data/journal',
  maxBytes: 1000,
  maxAgeMs: 1,
  segmentBytes: 2,
  segmentAgeMs: 3,
  flushAgeMs: 4,
};

const stats = (changes: Partial<JournalStats>): JournalStats => ({
  appendedRecords: 0,
  appendedBytes: 0,
  readRecords: 0,
  committedRecords: 0,
  uncommittedRecords: 0,
  inProcessRecords: 0,
  sizeBytes: 0,
  limitBytes: 1000,
  usedBytes: 0,
  utilization: 0,
  segments: 0,
  oldestSegmentAt: undefined,
  groups: 0,
  failedGroups: 0,
  refusedRecords: { full: 0, backlogged: 0, failing: 0, closed: 0 },
  droppedRecords: 0,
  lostRecords: 0,
  memoryReads: 0,
  diskReads: 0,
  ...changes,
});

test('without a report it is empty, and says so in the shape of the API', () => {
  const journal = createNodeJournal({ partitions: () => [], metrics: createMetrics() }, config);
  const summary = journal.summary();
  expect(journalSummarySchema.parse(summary)).toEqual(summary);
  expect(summary).toMatchObject({ enabled: true, journal_size: 0, oldest_segment: null });
  expect(journal.utilization()).toBe(0);
});

test('partitions are added up; how full it is says the fullest, how old the oldest', () => {
  const metrics = createMetrics();
  const partitions: PartitionReport[] = [
    { number: 0, stats: stats({ sizeBytes: 10, segments: 1, uncommittedRecords: 3, utilization: 0.3 }) },
    {
      number: 5,
      stats: stats({ sizeBytes: 20, segments: 2, utilization: 0.5, oldestSegmentAt: Date.UTC(2026, 0, 2) }),
    },
    { number: 6, stats: stats({ oldestSegmentAt: Date.UTC(2026, 0, 1) }) },
  ];
  const journal = createNodeJournal({ partitions: () => partitions, metrics }, config);
  const worker = createMetrics();
  worker.gauge('org.graylog2.journal.append.1-sec-rate', () => 7, { merge: 'sum' });
  worker.gauge('org.graylog2.journal.read.1-sec-rate', () => 5, { merge: 'sum' });
  metrics.importData('worker-0', worker.exportData());

  const oldest = '2026-01-01T00:00:00.000Z';
  expect(journal.utilization()).toBe(0.5);
  expect(journal.summary()).toEqual({
    enabled: true,
    append_events_per_second: 7,
    read_events_per_second: 5,
    uncommitted_journal_entries: 3,
    journal_size: 30,
    journal_size_limit: 1000,
    number_of_segments: 3,
    oldest_segment: oldest,
    journal_config: {
      directory: '/data/journal',
      segment_size: 2,
      segment_age: 3,
      max_size: 1000,
      max_age: 1,
      flush_interval: 0,
      flush_age: 4,
    },
  });
  const gauges = Object.fromEntries(
    metrics
      .byPrefix('org.graylog2.journal')
      .map(({ full_name: name, metric }) => [name.slice('org.graylog2.journal.'.length), metric]),
  );
  expect(gauges).toMatchObject({
    'entries-uncommitted': { value: 3 },
    size: { value: 30 },
    'size-limit': { value: 1000 },
    segments: { value: 3 },
    'utilization-ratio': { value: 0.5 },
    'oldest-segment': { value: oldest },
  });
});

test('what waits for processing and for storage is measured under the names of buffers', () => {
  const metrics = createMetrics();
  const partition = stats({
    uncommittedRecords: 70,
    inProcessRecords: 20,
    utilization: 0.25,
  });
  createNodeJournal({ partitions: () => [{ number: 0, stats: partition }], metrics }, config);
  const value = (name: string) => metrics.get(`org.graylog2.buffers.${name}`)?.metric;
  expect(value('output.usage')).toEqual({ value: 20 });
  expect(value('process.usage')).toEqual({ value: 50 });
  expect(value('process.size')).toEqual({ value: 200 });
});
