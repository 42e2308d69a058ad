import path from 'node:path';
import { type Clock, errorCode, errorMessage } from '#core/index.ts';
import type { SpaceLease } from './budget.ts';
import type { RecordChunk } from './chunk.ts';
import type { JournalFile, JournalFileSystem } from './file-system.ts';
import {
  CORRUPT_SUFFIX,
  encodeSegmentHeader,
  SEGMENT_HEADER_BYTES,
  segmentFileName,
  TEMPORARY_SUFFIX,
} from './format.ts';
import type { ReportIncident } from './incident.ts';

/** Bytes [from, to) of a chunk: records from `firstOffset` on. */
export interface GroupPart {
  readonly chunk: RecordChunk;
  readonly from: number;
  readonly to: number;
  readonly firstOffset: number;
}

/** One segment file. Grows only while it is the active one. */
export interface Segment {
  readonly file: string;
  readonly firstOffset: number;
  readonly createdAt: number;
  /** The offset after its last durable record; for an older one the first offset of its successor. */
  endOffset: number;
  /** Durable bytes, header included. */
  bytes: number;
  /** Places where a record is known to start, ascending; sparse. */
  readonly index: { offsets: number[]; positions: number[] };
  /** A bad record was found in it: kept as `.corrupt` when its turn to be deleted comes. */
  damaged: boolean;
}

export interface SegmentSettings {
  readonly directory: string;
  readonly segmentBytes: number;
  readonly segmentAgeMs: number;
}

export interface SegmentDeps {
  readonly files: JournalFileSystem;
  readonly clock: Clock;
  readonly space: SpaceLease;
  readonly report: ReportIncident;
}

/** Bytes between two index entries: a seek reads at most this much in vain. */
const INDEX_STEP_BYTES = 256 * 1024;
/** A segment of which everything is committed is sealed early once it has this share of its full size. */
const EARLY_SEAL_SHARE = 0.25;

/** The segment files of a partition, oldest first, and the one being appended to. */
export class SegmentLog {
  readonly #deps: SegmentDeps;
  readonly #settings: SegmentSettings;
  readonly #segments: Segment[];
  #active: { readonly segment: Segment; readonly file: JournalFile } | undefined;
  #sealRequested = false;
  /** The last sealed segment has bytes of a failed group at its end, and no successor yet. */
  #tailUncut = false;
  /** Removed from the list, not yet from the disk. */
  #doomed: Segment[] = [];
  #removing: Promise<void> | undefined;

  constructor(deps: SegmentDeps, settings: SegmentSettings, recovered: Segment[]) {
    this.#deps = deps;
    this.#settings = settings;
    this.#segments = recovered;
  }

  get segments(): readonly Segment[] {
    return this.#segments;
  }

  get sizeBytes(): number {
    let bytes = 0;
    for (const segment of this.#segments) bytes += segment.bytes;
    for (const segment of this.#doomed) bytes += segment.bytes;
    return bytes;
  }

  /** The segment that holds `offset`, or else the first one after it. */
  segmentAt(offset: number): Segment | undefined {
    return this.#segments.find((segment) => offset < segment.endOffset);
  }

  isActive(segment: Segment): boolean {
    return this.#active?.segment === segment;
  }

  /** The next group starts a new segment. */
  requestSeal(): void {
    this.#sealRequested = true;
  }

  /**
   * Writes one group and resolves when it is durable. On failure nothing of it counts; call `retreat`
   * before trying again.
   */
  async append(parts: readonly GroupPart[], endOffset: number, committed: number): Promise<void> {
    if (this.#active !== undefined && this.#shouldSeal(this.#active.segment, committed)) await this.seal();
    this.#active ??= await this.#create((parts[0] as GroupPart).firstOffset);
    const { segment, file } = this.#active;
    await file.write(
      parts.map((part) => part.chunk.buffer.subarray(part.from, part.to)),
      segment.bytes,
    );
    await file.sync();
    for (const part of parts) {
      addToIndex(segment, part.firstOffset, segment.bytes);
      segment.bytes += part.to - part.from;
    }
    segment.endOffset = endOffset;
  }

  /**
   * Makes sure that nothing of a failed group, which began at `firstOffset`, is ever read: cuts it off, or
   * if the disk refuses that, starts a new segment at that offset. False when neither worked;
   * then a crash now could bring records of the group back.
   */
  async retreat(error: unknown, firstOffset: number): Promise<boolean> {
    const active = this.#active;
    const outOfSpace = errorCode(error) === 'ENOSPC' || errorCode(error) === 'EDQUOT';
    if (active !== undefined) {
      try {
        await active.file.truncate(active.segment.bytes);
        await active.file.sync();
      } catch {
        this.#tailUncut = true;
      }
      // After any other error this file cannot be trusted: the retry goes into a new one.
      if (this.#tailUncut || !outOfSpace) await this.seal();
    }
    if (!this.#tailUncut) return true;
    try {
      this.#active = await this.#create(firstOffset);
      return true;
    } catch {
      return false;
    }
  }

  /** Closes the active segment; its file is complete. */
  async seal(): Promise<void> {
    const active = this.#active;
    this.#active = undefined;
    this.#sealRequested = false;
    if (active === undefined) return;
    await active.file.close().catch(() => undefined);
    if (active.segment.endOffset > active.segment.firstOffset) return;
    // Without records it makes room for its successor, which has the same first offset. The file stays
    // until then: it may be what ends a segment whose tail could not be cut.
    this.#segments.splice(this.#segments.indexOf(active.segment), 1);
  }

  /** Removes every sealed segment below `offset` from the list and deletes the files in the background. */
  removeThrough(offset: number): void {
    for (;;) {
      const oldest = this.#segments[0];
      if (oldest === undefined || oldest.endOffset > offset || this.isActive(oldest)) break;
      this.#discard(oldest);
    }
    this.#sweep();
  }

  /** For `drop_oldest`: removes the oldest sealed segment from the list and the budget, and returns it. */
  dropOldest(): Segment | undefined {
    const oldest = this.#segments[0];
    if (oldest === undefined || this.isActive(oldest)) return undefined;
    this.#discard(oldest);
    this.#sweep();
    return oldest;
  }

  /** Resolves when no file is being deleted. */
  async removed(): Promise<void> {
    await this.#removing;
  }

  #shouldSeal(segment: Segment, committed: number): boolean {
    if (segment.endOffset === segment.firstOffset) return false;
    if (this.#sealRequested || segment.bytes >= this.#settings.segmentBytes) return true;
    if (this.#deps.clock.now() - segment.createdAt >= this.#settings.segmentAgeMs) return true;
    return committed >= segment.endOffset && segment.bytes >= this.#settings.segmentBytes * EARLY_SEAL_SHARE;
  }

  async #create(firstOffset: number): Promise<{ segment: Segment; file: JournalFile }> {
    const { files, clock } = this.#deps;
    const name = path.join(this.#settings.directory, segmentFileName(firstOffset));
    const temporary = name + TEMPORARY_SUFFIX;
    await files.remove(temporary);
    const createdAt = clock.now();
    const file = await files.open(temporary, 'create');
    try {
      await file.write([encodeSegmentHeader({ firstOffset, createdAt })], 0);
      await file.sync();
      // A file of that name can only be left from an attempt that failed here before. Replaced in one step:
      // at no moment is the segment before it without an end.
      await files.rename(temporary, name);
      await files.syncDirectory(this.#settings.directory);
    } catch (error) {
      await file.close().catch(() => undefined);
      await files.remove(temporary).catch(() => undefined);
      throw error;
    }
    const segment = {
      file: name,
      firstOffset,
      createdAt,
      endOffset: firstOffset,
      bytes: SEGMENT_HEADER_BYTES,
      index: { offsets: [], positions: [] },
      damaged: false,
    };
    this.#segments.push(segment);
    this.#tailUncut = false;
    return { segment, file };
  }

  #discard(oldest: Segment): void {
    this.#segments.shift();
    this.#doomed.push(oldest);
    this.#deps.space.giveBack(oldest.bytes - SEGMENT_HEADER_BYTES);
  }

  #sweep(): void {
    if (this.#removing !== undefined || this.#doomed.length === 0) return;
    this.#removing = this.#removeFiles().finally(() => {
      this.#removing = undefined;
    });
  }

  async #removeFiles(): Promise<void> {
    for (;;) {
      const segment = this.#doomed[0];
      if (segment === undefined) return;
      try {
        if (segment.damaged) await this.#deps.files.rename(segment.file, segment.file + CORRUPT_SUFFIX);
        else await this.#deps.files.remove(segment.file);
        this.#doomed.shift();
      } catch (error) {
        // Tried again with the next segment to be removed, and at the next start.
        this.#deps.report({
          kind: 'remove_failing',
          message: `cannot delete the finished journal segment ${segment.file}: ${errorMessage(error)}`,
          partition: this.#settings.directory,
          file: segment.file,
          records: 0,
          bytes: segment.bytes,
          cause: error,
        });
        return;
      }
    }
  }
}

export function addToIndex(segment: Segment, offset: number, position: number): void {
  const { offsets, positions } = segment.index;
  const last = positions.at(-1) ?? SEGMENT_HEADER_BYTES;
  if (position - last < INDEX_STEP_BYTES) return;
  offsets.push(offset);
  positions.push(position);
}
