import { type Clock, type JournalStats, monotonicClock } from '#core/index.ts';
import type { PartitionReport } from './node-journal.ts';

/** Up to which time of receipt every message of this node is stored. */
export interface StoredUntil {
  /** Call it whenever a worker has reported. */
  reported(): void;
  /** Milliseconds since the epoch. Without messages it follows the clock at the pace of the reports. */
  time(): number;
}

interface Mark {
  readonly at: number;
  /** How many records must be committed so that everything received before `at` is stored. */
  readonly records: number;
}

interface Partition {
  readonly marks: readonly Mark[];
  /** The last report, and when it arrived: no other time here is later. */
  readonly stats: JournalStats;
  readonly reportedAt: number;
  readonly storedUntil: number;
}

/** Marks of a partition that has fallen behind; of more, every second one goes. */
const MAX_MARKS = 1000;

/**
 * A report says how many records a partition has. When as many are committed, all of them are stored. A report was made
 * shortly before it arrives, so it counts for the time when the one before arrived.
 */
export function createStoredUntil(deps: {
  readonly partitions: () => readonly PartitionReport[];
  readonly clock: Clock;
  /** Shows how far the clock was set back. */
  readonly monotonic?: Clock;
}): StoredUntil {
  const { clock, monotonic = monotonicClock } = deps;
  let partitions = new Map<number, Partition>();
  /** When a worker last reported, by the monotonic clock. */
  let reportedAt = monotonic.now();

  return {
    reported() {
      const [now, passed] = [clock.now(), monotonic.now() - reportedAt];
      reportedAt += passed;
      const before = Math.floor(now - passed);
      partitions = new Map(
        deps.partitions().map(({ number, stats }) => {
          const known = partitions.get(number);
          return [number, updated(known && notAfter(known, before), stats, now)];
        }),
      );
    },
    time() {
      const times = [...partitions.values()].map(({ storedUntil }) => storedUntil);
      return times.length === 0 ? 0 : Math.min(...times);
    },
  };
}

/**
 * `time` is when the last report arrived, by the clock as it is set now. If that is earlier than it was, then the clock
 * was set back since, and what is received from then on is not stored only because something later is.
 */
function notAfter(known: Partition, time: number): Partition {
  if (known.reportedAt <= time) return known;
  return {
    ...known,
    marks: known.marks.map(({ at, records }) => ({ at: Math.min(at, time), records })),
    reportedAt: time,
    storedUntil: Math.min(known.storedUntil, time),
  };
}

function updated(known: Partition | undefined, stats: JournalStats, now: number): Partition {
  // Another worker has reported.
  if (known?.stats === stats) return known;
  // The counters start again with the worker, and what was received before is not known until its next report.
  if (known === undefined || stats.committedRecords < known.stats.committedRecords) {
    return { marks: [], stats, reportedAt: now, storedUntil: known?.storedUntil ?? 0 };
  }
  const { committedRecords: committed, uncommittedRecords: uncommitted } = stats;
  const marks = [...known.marks, { at: known.reportedAt, records: committed + uncommitted }];
  const open = marks.filter(({ records }) => records > committed);
  const reached = marks.filter(({ records }) => records <= committed).map(({ at }) => at);
  return {
    marks: open.length > MAX_MARKS ? open.filter((_, at) => at % 2 === 1) : open,
    stats,
    reportedAt: now,
    storedUntil: Math.max(known.storedUntil, ...reached),
  };
}
