import path from 'node:path';
import { errorMessage, StartupError } from '#core/index.ts';
import { type CheckpointState, loadCheckpoint } from './checkpoint.ts';
import { ChunkPool } from './chunk.ts';
import { RecordDecoder } from './decode.ts';
import type { JournalFile, JournalFileSystem } from './file-system.ts';
import {
  CORRUPT_SUFFIX,
  decodeSegmentHeader,
  firstOffsetOfFileName,
  type RecordState,
  SEGMENT_HEADER_BYTES,
  type SegmentHeader,
  TEMPORARY_SUFFIX,
} from './format.ts';
import type { ReportIncident } from './incident.ts';
import { addToIndex, type Segment } from './segments.ts';

export interface Recovered {
  readonly segments: Segment[];
  readonly checkpoint: CheckpointState;
  readonly checkpointSequence: number;
  /** The offset the next record gets: above everything that was ever durable or handed out. */
  readonly nextOffset: number;
  /** Ranges of lost records at the ends; those between segments are found when they are read. */
  readonly missing: readonly OffsetRange[];
  /** A copy of the last frame that is still there, whether it was committed or not. */
  readonly lastFrame: Buffer | undefined;
}

export interface OffsetRange {
  readonly from: number;
  readonly to: number;
}

export interface RecoveryDeps {
  readonly files: JournalFileSystem;
  readonly report: ReportIncident;
}

const SCAN_BLOCK_BYTES = 1024 * 1024;

/** Reads a partition's directory as a crash at any moment may have left it, and repairs it. */
export async function recoverPartition(deps: RecoveryDeps, directory: string): Promise<Recovered> {
  const { files } = deps;
  await files.createDirectory(directory);
  const names = await files.list(directory);
  for (const name of names) {
    if (name.endsWith(TEMPORARY_SUFFIX)) await files.remove(path.join(directory, name));
  }
  const loaded = await loadCheckpoint(files, directory);
  const known = loaded.kind === 'found' ? loaded.state : { committed: 0, durable: 0, inFlight: [] };
  // Whatever was handed out or committed had been durable before.
  const durable = Math.max(known.committed, known.durable, ...known.inFlight.map((batch) => batch.endOffset));

  const segments = await openSegments(deps, directory, names);
  const lastFrame = await cutLastSegment(deps, directory, segments, durable);

  const first = segments[0]?.firstOffset;
  const end = segments.at(-1)?.endOffset ?? 0;
  const oldest = first ?? durable;
  // Segments are deleted only after a checkpoint that allows it. If they are gone and a slot is damaged, then that
  // slot was the last state, and they were committed.
  const newestLost = loaded.kind === 'found' && loaded.oneSlot && oldest > known.committed;
  const committed = loaded.kind === 'found' && !newestLost ? known.committed : oldest;
  if (loaded.kind === 'damaged' || newestLost) reportDamagedCheckpoint(deps, directory, committed);
  const missing = missingRanges(committed, durable, first, end);
  for (const range of missing) reportMissing(deps, directory, range);
  return {
    segments,
    checkpoint: { committed, durable, inFlight: known.inFlight },
    checkpointSequence: loaded.kind === 'found' ? loaded.sequence + 1 : 0,
    nextOffset: Math.max(end, durable),
    missing,
    lastFrame: lastFrame ?? (await lastFrameOf(deps, segments.at(-1))),
  };
}

/**
 * For a segment that is not the last one: a crash came after its successor was created and before it had records. What
 * follows `endOffset` in its file was refused and could not be cut off.
 */
async function lastFrameOf(deps: RecoveryDeps, segment: Segment | undefined): Promise<Buffer | undefined> {
  if (segment === undefined) return undefined;
  const file = await open(deps, segment.file, 'read');
  try {
    const { lastFrame } = await scan(
      file,
      { ...segment, index: { offsets: [], positions: [] } },
      segment.bytes,
      segment.endOffset,
    );
    return lastFrame;
  } finally {
    await file.close();
  }
}

function missingRanges(
  committed: number,
  durable: number,
  first: number | undefined,
  end: number,
): OffsetRange[] {
  const ranges: OffsetRange[] = [];
  const front = first ?? durable;
  if (front > committed) ranges.push({ from: committed, to: front });
  const back = Math.max(end, committed);
  if (first !== undefined && durable > back) ranges.push({ from: back, to: durable });
  return ranges;
}

async function openSegments(
  deps: RecoveryDeps,
  directory: string,
  names: readonly string[],
): Promise<Segment[]> {
  const segments: Segment[] = [];
  for (const name of names.toSorted()) {
    const promised = firstOffsetOfFileName(name);
    if (promised === undefined) continue;
    const segment = await openSegment(deps, directory, path.join(directory, name), promised);
    if (segment === undefined) continue;
    const previous = segments.at(-1);
    if (previous !== undefined) previous.endOffset = segment.firstOffset;
    segments.push(segment);
  }
  return segments;
}

async function openSegment(
  deps: RecoveryDeps,
  directory: string,
  file: string,
  promised: number,
): Promise<Segment | undefined> {
  const { header, bytes } = await readHeader(deps, file);
  const problem =
    typeof header === 'string'
      ? header
      : header.firstOffset !== promised
        ? `the header says first offset ${header.firstOffset}, the name says ${promised}`
        : undefined;
  if (typeof header !== 'string' && problem === undefined) {
    return {
      file,
      firstOffset: promised,
      createdAt: header.createdAt,
      endOffset: promised,
      bytes,
      index: { offsets: [], positions: [] },
      damaged: false,
    };
  }
  // Created but not yet usable when the process ended: no record can have been in it.
  if (bytes <= SEGMENT_HEADER_BYTES) {
    await deps.files.remove(file);
    return undefined;
  }
  await deps.files.rename(file, file + CORRUPT_SUFFIX);
  deps.report({
    kind: 'segment_unusable',
    message: `${problem} in the journal segment ${file} (${bytes} bytes); it was renamed to ${CORRUPT_SUFFIX}, its records cannot be read`,
    partition: directory,
    file,
    records: 0,
    bytes,
    offset: promised,
  });
  return undefined;
}

async function readHeader(
  deps: RecoveryDeps,
  file: string,
): Promise<{ header: SegmentHeader | string; bytes: number }> {
  const handle = await open(deps, file, 'read');
  try {
    const bytes = await handle.size();
    const buffer = Buffer.alloc(SEGMENT_HEADER_BYTES);
    const length = await handle.read(buffer, SEGMENT_HEADER_BYTES, 0);
    const header = decodeSegmentHeader(buffer.subarray(0, length));
    if (typeof header === 'object' && 'unknownVersion' in header) {
      throw new StartupError(
        `the journal segment ${file} has format version ${header.unknownVersion}, which this program does not know`,
        'Start the version that wrote it once more until its journal is empty, or move the file away.',
      );
    }
    return { header, bytes };
  } finally {
    await handle.close();
  }
}

async function open(deps: RecoveryDeps, file: string, mode: 'read' | 'update'): Promise<JournalFile> {
  try {
    return await deps.files.open(file, mode);
  } catch (error) {
    throw new StartupError(
      `cannot open the journal file ${file}: ${errorMessage(error)}`,
      'Check the disk and that the user who runs the server owns the journal directory.',
      { cause: error },
    );
  }
}

/** Finds the end of the last segment and cuts off what a crash left after it. Returns its last frame. */
async function cutLastSegment(
  deps: RecoveryDeps,
  directory: string,
  segments: Segment[],
  durable: number,
): Promise<Buffer | undefined> {
  const last = segments.at(-1);
  if (last === undefined) return undefined;
  const file = await open(deps, last.file, 'update');
  try {
    const fileBytes = last.bytes;
    const { state, lastFrame } = await scan(file, last, fileBytes, Number.POSITIVE_INFINITY);
    if (last.bytes < fileBytes) {
      // Torn by a crash, nobody was told about these records. If more is gone, keep what is there.
      const acknowledged = last.endOffset < durable;
      if (acknowledged) await deps.files.copy(last.file, last.file + CORRUPT_SUFFIX);
      await file.truncate(last.bytes);
      await file.sync();
      reportCut(deps, directory, last, fileBytes - last.bytes, state, acknowledged);
    }
    return lastFrame;
  } finally {
    await file.close();
    // Without records it makes room for its successor, which has the same first offset. The file stays until
    // then: records that were refused may stand at the end of the segment before it.
    if (last.endOffset === last.firstOffset) segments.pop();
  }
}

interface Scanned {
  /** What follows the last record. */
  readonly state: RecordState;
  readonly lastFrame: Buffer | undefined;
}

/** Sets the segment's end, bytes and index from its records below `endOffset`. */
async function scan(
  file: JournalFile,
  segment: Segment,
  fileBytes: number,
  endOffset: number,
): Promise<Scanned> {
  const pool = new ChunkPool(SCAN_BLOCK_BYTES, 1);
  const decoder = new RecordDecoder();
  let position = SEGMENT_HEADER_BYTES;
  let offset = segment.firstOffset;
  let state: RecordState = 'incomplete';
  let blockBytes = SCAN_BLOCK_BYTES;
  let lastFrame: Buffer | undefined;
  while (position < fileBytes) {
    const wanted = Math.min(blockBytes, fileBytes - position);
    const chunk = pool.take(offset, wanted);
    const filled = await file.read(chunk.buffer, wanted, position);
    state = decoder.decode(chunk, filled, endOffset);
    const { count, length } = chunk;
    if (count > 0) {
      lastFrame = Buffer.from(
        chunk.buffer.subarray(chunk.frameStarts[count - 1], chunk.frameEnds[count - 1]),
      );
    }
    pool.release(chunk);
    if (count > 0) addToIndex(segment, offset, position);
    position += length;
    offset += count;
    if (state !== 'incomplete' || (count === 0 && wanted === fileBytes - position)) break;
    // A record longer than the block: read twice as much of it.
    blockBytes = count === 0 ? blockBytes * 2 : SCAN_BLOCK_BYTES;
  }
  segment.bytes = position;
  segment.endOffset = offset;
  return { state, lastFrame };
}

function reportCut(
  deps: RecoveryDeps,
  directory: string,
  segment: Segment,
  bytes: number,
  state: RecordState,
  acknowledged: boolean,
): void {
  const kept = acknowledged ? `; the whole file is kept as ${CORRUPT_SUFFIX}` : '';
  deps.report({
    kind: 'tail_cut',
    message: `cut ${bytes} bytes (${state}) off the end of the journal segment ${segment.file} at offset ${segment.endOffset}${kept}`,
    partition: directory,
    file: segment.file,
    records: 0,
    bytes,
    offset: segment.endOffset,
  });
}

function reportDamagedCheckpoint(deps: RecoveryDeps, directory: string, committed: number): void {
  deps.report({
    kind: 'checkpoint_lost',
    message: `the journal checkpoint in ${directory} is damaged; reading starts again at the oldest record (offset ${committed}), so records that were stored already may be stored twice`,
    partition: directory,
    records: 0,
    bytes: 0,
    offset: committed,
  });
}

function reportMissing(deps: RecoveryDeps, directory: string, range: OffsetRange): void {
  const count = range.to - range.from;
  deps.report({
    kind: 'records_lost',
    message: `${count} acknowledged records from offset ${range.from} on are gone from the journal in ${directory}: no segment file holds them`,
    partition: directory,
    records: count,
    bytes: 0,
    offset: range.from,
  });
}
