import {
  type Clock,
  errorMessage,
  type JournalStats,
  type JournalWriter,
  type RewindableReader,
} from '#core/index.ts';
import { type ByteBudget, SpaceLease } from './budget.ts';
import { CheckpointWriter } from './checkpoint.ts';
import { ChunkPool } from './chunk.ts';
import { DiskCursor } from './disk-cursor.ts';
import { type JournalFileSystem, nodeFileSystem } from './file-system.ts';
import { SEGMENT_HEADER_BYTES } from './format.ts';
import type { JournalIncident, ReportIncident } from './incident.ts';
import { ConsumerProgress } from './progress.ts';
import { PartitionReader } from './reader.ts';
import { type Recovered, recoverPartition } from './recovery.ts';
import { type Segment, SegmentLog } from './segments.ts';
import { MemoryWindow } from './window.ts';
import { PartitionWriter } from './writer.ts';

/** What the user configures, with Graylog's meaning where a setting has its name. */
export interface PartitionConfig {
  readonly directory: string;
  /** `message_journal_flush_age`. */
  readonly flushAgeMs: number;
  /** `message_journal_full_policy`. */
  readonly fullPolicy: 'block' | 'drop_oldest';
  readonly segmentBytes?: number;
  readonly segmentAgeMs?: number;
}

/** What the program decides; the defaults are right for a worker. */
export interface PartitionTuning {
  readonly chunkBytes?: number;
  readonly windowBytes?: number;
  readonly maxPendingBytes?: number;
  /** A group of this size is written at once; that of a chunk unless given. */
  readonly flushBytes?: number;
  readonly retryDelayMs?: number;
  /** How long a commit may wait for others before it is written. */
  readonly commitDelayMs?: number;
}

export interface PartitionDeps {
  readonly clock: Clock;
  /** This partition's share of the node's `message_journal_max_size`. */
  readonly budget: ByteBudget;
  /** Gets everything a person should know; called from anywhere, must not throw. */
  readonly report: ReportIncident;
  readonly files?: JournalFileSystem;
  readonly tuning?: PartitionTuning;
  /** Memory that partitions of one thread share, with chunks of `chunkBytes`; its own unless given. */
  readonly chunks?: ChunkPool;
  /** For a bound of the window that changes: asked whenever memory may be given back. */
  readonly windowBytes?: () => number;
  /** For a bound of what waits for the disk that changes: asked with every append. */
  readonly maxPendingBytes?: () => number;
}

/** One journal partition: one writing worker, one consumer, one directory. */
export interface JournalPartition {
  readonly writer: JournalWriter;
  readonly reader: RewindableReader;
  stats(): JournalStats;
  /** The last frame that was on disk when the partition was opened, even if it was committed. */
  readonly lastFrame: Buffer | undefined;
  /** True as soon as everything accepted so far is on disk; false if the partition was closed before. */
  whenDurable(): Promise<boolean>;
  /** Makes everything accepted durable, writes the checkpoint, closes the files. Never loses what is on disk. */
  close(): Promise<void>;
}

const MIB = 1024 * 1024;
const DEFAULT_SEGMENT_BYTES = 64 * MIB;
const DEFAULT_SEGMENT_AGE_MS = 3_600_000;
const DEFAULT_CHUNK_BYTES = MIB;
const DEFAULT_WINDOW_BYTES = 24 * MIB;
const DEFAULT_MAX_PENDING_BYTES = 16 * MIB;
const DEFAULT_RETRY_DELAY_MS = 1000;
const DEFAULT_COMMIT_DELAY_MS = 100;
/** A segment is at most this share of the budget, so that committing frees space in steps. */
const SEGMENTS_PER_BUDGET = 16;

/**
 * Recovers the directory and opens it for appending and reading. Rejects with a `StartupError` when the
 * files cannot be read at all; damage in them is repaired, counted and reported instead.
 */
export async function openPartition(deps: PartitionDeps, config: PartitionConfig): Promise<JournalPartition> {
  const files = deps.files ?? nodeFileSystem;
  let lostRecords = 0;
  const report = (incident: JournalIncident): void => {
    if (incident.kind === 'records_lost') lostRecords += incident.records;
    deps.report(incident);
  };
  const recovered = await recoverPartition({ files, report }, config.directory);
  const partition = new Partition({ ...deps, files, report }, config, recovered, () => lostRecords);
  await partition.open(recovered.checkpointSequence);
  return partition;
}

interface ResolvedDeps extends PartitionDeps {
  readonly files: JournalFileSystem;
}

class Partition implements JournalPartition {
  readonly reader: PartitionReader;
  readonly writer: PartitionWriter;
  readonly #deps: ResolvedDeps;
  readonly #config: PartitionConfig;
  readonly #progress: ConsumerProgress;
  readonly #space: SpaceLease;
  readonly #log: SegmentLog;
  readonly #window: MemoryWindow;
  readonly #lostRecords: () => number;
  readonly #firstCommitted: number;
  readonly lastFrame: Buffer | undefined;
  #durableWaiters: { readonly offset: number; readonly resolve: (durable: boolean) => void }[] = [];
  #checkpoint: CheckpointWriter | undefined;
  #commitTimer: NodeJS.Timeout | undefined;
  #checkpointFailing = false;
  #droppedRecords = 0;
  #sealing = false;
  #closed: Promise<void> | undefined;

  constructor(deps: ResolvedDeps, config: PartitionConfig, recovered: Recovered, lostRecords: () => number) {
    const tuning = deps.tuning ?? {};
    this.#deps = deps;
    this.#config = config;
    this.#lostRecords = lostRecords;
    this.lastFrame = recovered.lastFrame;
    this.#progress = new ConsumerProgress(recovered.checkpoint.committed, recovered.checkpoint.inFlight);
    for (const range of recovered.missing) this.#progress.skip(range.from, range.to);
    this.#firstCommitted = this.#progress.committed;
    this.#space = new SpaceLease(deps.budget);
    deps.budget.reset(recordBytes(recovered.segments));
    const segmentBytes = Math.min(
      config.segmentBytes ?? DEFAULT_SEGMENT_BYTES,
      Math.ceil(deps.budget.limit / SEGMENTS_PER_BUDGET),
    );
    this.#log = new SegmentLog(
      { files: deps.files, clock: deps.clock, space: this.#space, report: deps.report },
      {
        directory: config.directory,
        segmentBytes,
        segmentAgeMs: config.segmentAgeMs ?? DEFAULT_SEGMENT_AGE_MS,
      },
      recovered.segments,
    );
    const chunkBytes = tuning.chunkBytes ?? DEFAULT_CHUNK_BYTES;
    const windowBytes = tuning.windowBytes ?? DEFAULT_WINDOW_BYTES;
    const pool = deps.chunks ?? new ChunkPool(chunkBytes, Math.ceil(windowBytes / chunkBytes));
    this.#window = new MemoryWindow(pool, deps.windowBytes ?? (() => windowBytes));
    this.writer = this.#createWriter(pool, recovered.nextOffset);
    this.reader = this.#createReader(pool);
  }

  async open(checkpointSequence: number): Promise<void> {
    this.#checkpoint = await CheckpointWriter.create(
      this.#deps.files,
      this.#config.directory,
      checkpointSequence,
      () => ({
        committed: this.#progress.committed,
        durable: this.writer.durableOffset,
        inFlight: this.#progress.inFlight,
      }),
    );
    this.#log.removeThrough(this.#progress.committed);
    await this.#log.removed();
  }

  stats(): JournalStats {
    const { writer, reader } = this;
    const { budget } = this.#deps;
    const usedBytes = budget.used();
    return {
      appendedRecords: writer.appendedRecords,
      appendedBytes: writer.appendedBytes,
      readRecords: reader.readRecords,
      committedRecords: this.#progress.committed - this.#firstCommitted,
      uncommittedRecords: this.#progress.uncommittedBelow(writer.durableOffset),
      inProcessRecords: this.#progress.uncommittedBelow(Math.min(reader.position, writer.durableOffset)),
      sizeBytes: this.#log.sizeBytes,
      limitBytes: budget.limit,
      usedBytes,
      utilization: usedBytes / budget.limit,
      segments: this.#log.segments.length,
      oldestSegmentAt: this.#log.segments[0]?.createdAt,
      groups: writer.groups,
      failedGroups: writer.failedGroups,
      refusedRecords: { ...writer.refusedRecords },
      droppedRecords: this.#droppedRecords,
      lostRecords: this.#lostRecords(),
      memoryReads: reader.memoryReads,
      diskReads: reader.diskReads,
    };
  }

  whenDurable(): Promise<boolean> {
    const offset = this.writer.nextOffset;
    if (this.writer.durableOffset >= offset) return Promise.resolve(true);
    if (this.#closed !== undefined) return Promise.resolve(false);
    return new Promise((resolve) => this.#durableWaiters.push({ offset, resolve }));
  }

  #wakeDurableWaiters(): void {
    const durable = this.writer.durableOffset;
    const count = this.#durableWaiters.findIndex(({ offset }) => offset > durable);
    const woken = this.#durableWaiters.splice(0, count === -1 ? this.#durableWaiters.length : count);
    for (const { resolve } of woken) resolve(true);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.writer.close();
    for (const { resolve } of this.#durableWaiters.splice(0)) resolve(false);
    await this.reader.close();
    clearTimeout(this.#commitTimer);
    await this.#log.seal();
    await this.#saveCommit();
    await this.#checkpoint?.close();
    await this.#log.removed();
    this.#window.clear();
    // The files stay. The next one to open them counts them again.
    this.#deps.budget.reset(0);
  }

  #createWriter(pool: ChunkPool, nextOffset: number): PartitionWriter {
    const tuning = this.#deps.tuning ?? {};
    return new PartitionWriter(
      {
        clock: this.#deps.clock,
        log: this.#log,
        pool,
        window: this.#window,
        space: this.#space,
        committed: () => this.#progress.committed,
        durable: () => {
          this.#window.trim(this.reader.position);
          this.reader.notify();
          this.#wakeDurableWaiters();
        },
        makeRoom: (bytes) => this.#makeRoom(bytes),
        report: this.#deps.report,
      },
      {
        partition: this.#config.directory,
        flushAgeMs: this.#config.flushAgeMs,
        flushBytes: tuning.flushBytes ?? tuning.chunkBytes ?? DEFAULT_CHUNK_BYTES,
        maxPendingBytes:
          this.#deps.maxPendingBytes ?? (() => tuning.maxPendingBytes ?? DEFAULT_MAX_PENDING_BYTES),
        retryDelayMs: tuning.retryDelayMs ?? DEFAULT_RETRY_DELAY_MS,
      },
      nextOffset,
    );
  }

  #createReader(pool: ChunkPool): PartitionReader {
    const tuning = this.#deps.tuning ?? {};
    const cursor = new DiskCursor(
      {
        files: this.#deps.files,
        log: this.#log,
        pool,
        progress: this.#progress,
        lost: (count, offset, segment, reason) => this.#reportLost(count, offset, segment, reason),
      },
      tuning.chunkBytes ?? DEFAULT_CHUNK_BYTES,
    );
    return new PartitionReader({
      partition: this.#config.directory,
      progress: this.#progress,
      window: this.#window,
      cursor,
      pool,
      durableOffset: () => this.writer.durableOffset,
      persist: () => this.#persist(),
      committed: () => this.#scheduleCommit(),
      report: this.#deps.report,
      retryDelayMs: tuning.retryDelayMs ?? DEFAULT_RETRY_DELAY_MS,
    });
  }

  async #persist(): Promise<void> {
    const state = await this.#checkpoint?.persist();
    this.#checkpointFailing = false;
    if (state !== undefined) this.#free(state.committed);
  }

  /** Deletes what is committed according to the checkpoint on disk. */
  #free(committed: number): void {
    this.#log.removeThrough(committed);
    this.#sealCommittedWhenFull();
    this.writer.checkRoom();
  }

  /** When the journal is full and even its last segment is committed, that is deleted, too. Otherwise it would stay full. */
  #sealCommittedWhenFull(): void {
    if (this.writer.refusal !== 'full' || this.#closed !== undefined) return;
    const active = this.#log.segments.at(-1);
    const done = (): boolean =>
      active !== undefined && this.#log.isActive(active) && active.endOffset <= this.#progress.committed;
    if (!done()) return;
    this.writer.betweenGroups(async () => {
      if (!done()) return;
      await this.#log.seal();
      await this.#saveCommit();
    });
  }

  #scheduleCommit(): void {
    if (this.#commitTimer !== undefined || this.#closed !== undefined) return;
    // A full journal waits for this commit.
    const delay =
      this.writer.refusal === 'full' ? 0 : (this.#deps.tuning?.commitDelayMs ?? DEFAULT_COMMIT_DELAY_MS);
    this.#commitTimer = setTimeout(() => {
      this.#commitTimer = undefined;
      void this.#saveCommit();
    }, delay);
  }

  async #saveCommit(): Promise<void> {
    try {
      await this.#persist();
    } catch (error) {
      if (!this.#checkpointFailing) this.#reportCheckpointFailure(error);
      this.#checkpointFailing = true;
      if (this.#closed === undefined) this.#scheduleCommit();
    }
  }

  #makeRoom(bytes: number): boolean {
    if (this.#config.fullPolicy !== 'drop_oldest' || bytes > this.#deps.budget.limit / 2) return false;
    while (!this.#space.couldTake(bytes)) {
      const dropped = this.#log.dropOldest();
      if (dropped === undefined) {
        this.#sealForDropping();
        return false;
      }
      this.#countDropped(dropped);
    }
    return true;
  }

  /** Only the segment being written is left: once it is sealed there is something to drop. */
  #sealForDropping(): void {
    if (this.#sealing || this.#log.segments.length === 0) return;
    this.#sealing = true;
    this.writer.betweenGroups(async () => {
      await this.#log.seal();
      this.#sealing = false;
    });
  }

  #countDropped(dropped: Segment): void {
    const before = this.#progress.uncommittedBelow(dropped.endOffset);
    this.#progress.commitThrough(dropped.endOffset);
    this.reader.moveTo(dropped.endOffset);
    this.#scheduleCommit();
    if (before === 0) return;
    this.#droppedRecords += before;
    this.#deps.report({
      kind: 'records_dropped',
      message: `the journal is full: dropped its oldest ${before} records, which were not stored yet (message_journal_full_policy = drop_oldest)`,
      partition: this.#config.directory,
      file: dropped.file,
      records: before,
      bytes: dropped.bytes,
      offset: dropped.firstOffset,
      endOffset: dropped.endOffset,
    });
  }

  #reportLost(count: number, offset: number, segment: Segment, reason: string): void {
    this.#deps.report({
      kind: 'records_lost',
      message: `${count} records from offset ${offset} on cannot be read from the journal segment ${segment.file}: ${reason}`,
      partition: this.#config.directory,
      file: segment.file,
      records: count,
      bytes: 0,
      offset,
    });
  }

  #reportCheckpointFailure(error: unknown): void {
    this.#deps.report({
      kind: 'checkpoint_failing',
      message: `cannot write the journal checkpoint in ${this.#config.directory}: ${errorMessage(error)}; trying again`,
      partition: this.#config.directory,
      records: 0,
      bytes: 0,
      cause: error,
    });
  }
}

function recordBytes(segments: readonly Segment[]): number {
  return segments.reduce((sum, segment) => sum + segment.bytes - SEGMENT_HEADER_BYTES, 0);
}
