/**
 * The journal's files.
 *
 * CONSTRAINTS
 * One directory is one partition: one writing worker, one consumer, one process. Files are only ever
 * appended to and deleted whole; a file that was open when the process ended is never appended to again.
 * All numbers are little endian. Offsets number records from 0 without gaps while all goes well; they are
 * not stored per record but follow from the segment's first offset and the record's place in it.
 *
 * SEGMENT FILE  `<first offset, 20 digits>.segment`
 *    0  8  magic "MILLJRNL"
 *    8  4  checksum of bytes [12, 32), seed 0
 *   12  4  format version: 2, or 1 for a file without runs
 *   16  8  first offset (float64; integers up to 2^53 are exact)
 *   24  8  created, milliseconds since the epoch (float64)
 *   32     records, one after the other, no padding
 *
 * RECORD
 *    0  4  length of the whole record, these four bytes included
 *    4  4  checksum of bytes [8, length), seed = the low 32 bits of the record's offset
 *    8  8  receive time, milliseconds since the epoch (float64)
 *   16  1  kind: 1 frame, 2 void (a frame whose sender was told that it is not stored; skipped by readers), 3 run of
 *          frames, 4 void run
 *   17  1  codec: the number of the codec that decodes the frame (0, GELF, in all records written before there
 *          were others)
 *   18  2  length of the source
 *   20     source: 1 byte length + input id, 1 byte length + remote address (both UTF-8), 2 bytes port
 *          frame, to the end of the record
 * The checksum is xxHash32 (see checksum.ts). Seeding it with the offset means that an intact record in the
 * wrong place is detected, too.
 *
 * RUN
 * Frames that came together are one record in the file and one for each frame everywhere else: they share header,
 * source and checksum, and their bytes are copied at once with what stood between them. Its offset is that of its first
 * frame. After the source:
 *       4  number of frames, at least 1
 *       8  for each frame where it starts and ends (4 bytes each), counted from the end of this table
 *          frames, to the end of the record, with at most 16 bytes between two of them
 *
 * WRITE
 * A segment is created with its header, synced, and its directory entry synced, before the first record.
 * Records go to disk in groups: one write, one fdatasync; a group is written only after the one before it
 * is durable. So at any moment only the end of the last segment can be torn, and only by records nobody
 * was told about. A failed group is cut off again (truncate) and retried.
 *
 * READ
 * From a segment's start or from a place known to be the start of a record. A segment's records end at the
 * first offset of the next segment, whatever follows in the file: a retry after an I/O error goes into a
 * new segment and may leave a tail behind that could not be cut off.
 *
 * RECOVERY
 * The last segment is read whole and cut at its first bad record. Older segments are checked when they are
 * read: a bad record there ends the segment, what follows up to the next one is counted as lost, and the
 * file is kept as `.corrupt` instead of being deleted. The checkpoint (checkpoint.ts) says where to start.
 */
import type { FrameBatch, FrameSource } from '#core/index.ts';
import { xxHash32 } from './checksum.ts';

export const FORMAT_VERSION = 2;
const OLDEST_FORMAT_VERSION = 1;
export const SEGMENT_HEADER_BYTES = 32;
export const RECORD_HEADER_BYTES = 20;
export const KIND_FRAME = 1;
export const KIND_VOID = 2;
export const KIND_RUN = 3;
export const KIND_VOID_RUN = 4;
/** No record is longer; a longer length is damage. Inputs limit their frames to far less. */
export const MAX_RECORD_BYTES = 64 * 1024 * 1024;
export const SEGMENT_SUFFIX = '.segment';
export const CORRUPT_SUFFIX = '.corrupt';
export const TEMPORARY_SUFFIX = '.tmp';
export const CHECKPOINT_FILE = 'checkpoint';

const MAGIC = Buffer.from('MILLJRNL', 'latin1');
const MIN_SOURCE_BYTES = 4;
const OFFSET_DIGITS = 20;
const SEGMENT_NAME = /^\d{20}\.segment$/;

export function segmentFileName(firstOffset: number): string {
  return String(firstOffset).padStart(OFFSET_DIGITS, '0') + SEGMENT_SUFFIX;
}

/** The first offset a segment's name promises; undefined for any other file. */
export function firstOffsetOfFileName(name: string): number | undefined {
  if (!SEGMENT_NAME.test(name)) return undefined;
  const offset = Number(name.slice(0, OFFSET_DIGITS));
  return Number.isSafeInteger(offset) ? offset : undefined;
}

export interface SegmentHeader {
  readonly firstOffset: number;
  readonly createdAt: number;
}

/** An intact header of a format that a later version wrote. Its file must not be touched. */
export interface UnknownSegmentHeader {
  readonly unknownVersion: number;
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function encodeSegmentHeader(header: SegmentHeader): Buffer {
  const bytes = Buffer.alloc(SEGMENT_HEADER_BYTES);
  MAGIC.copy(bytes);
  bytes.writeUInt32LE(FORMAT_VERSION, 12);
  bytes.writeDoubleLE(header.firstOffset, 16);
  bytes.writeDoubleLE(header.createdAt, 24);
  bytes.writeUInt32LE(xxHash32(viewOf(bytes), 12, SEGMENT_HEADER_BYTES, 0), 8);
  return bytes;
}

/** The header, or a sentence that says why these bytes are not one. */
export function decodeSegmentHeader(bytes: Buffer): SegmentHeader | UnknownSegmentHeader | string {
  if (bytes.length < SEGMENT_HEADER_BYTES) {
    return `the header has ${bytes.length} of ${SEGMENT_HEADER_BYTES} bytes`;
  }
  if (bytes.compare(MAGIC, 0, MAGIC.length, 0, MAGIC.length) !== 0) return 'the header has no magic bytes';
  if (xxHash32(viewOf(bytes), 12, SEGMENT_HEADER_BYTES, 0) !== bytes.readUInt32LE(8)) {
    return 'the header has a wrong checksum';
  }
  const version = bytes.readUInt32LE(12);
  if (version < OLDEST_FORMAT_VERSION || version > FORMAT_VERSION) return { unknownVersion: version };
  const firstOffset = bytes.readDoubleLE(16);
  const createdAt = bytes.readDoubleLE(24);
  if (!Number.isSafeInteger(firstOffset) || firstOffset < 0) return 'the header has an impossible offset';
  return { firstOffset, createdAt };
}

/**
 * A source as it stands in a record, padded with zeros to whole 32-bit words: copying words beats a call
 * into native code for so few bytes, and the frame overwrites the padding.
 */
export interface EncodedSource {
  readonly length: number;
  readonly words: Int32Array;
  /** Bytes 16 to 19 of a record of this source: kind, codec and source length. */
  readonly recordWord: number;
}

export function encodeSource(source: FrameSource): EncodedSource {
  const inputId = Buffer.from(source.inputId, 'utf8');
  const address = Buffer.from(source.remoteAddress, 'utf8');
  const port = source.remotePort;
  const codecId = source.codecId;
  if (inputId.length > 255) throw new RangeError(`input id is longer than 255 bytes: "${source.inputId}"`);
  if (address.length > 255) {
    throw new RangeError(`remote address is longer than 255 bytes: "${source.remoteAddress}"`);
  }
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new RangeError(`remote port is not between 0 and 65535: ${port}`);
  }
  if (!Number.isInteger(codecId) || codecId < 0 || codecId > 255) {
    throw new RangeError(`codec id is not between 0 and 255: ${codecId}`);
  }
  const length = MIN_SOURCE_BYTES + inputId.length + address.length;
  const bytes = Buffer.alloc((length + 3) & ~3);
  bytes[0] = inputId.length;
  inputId.copy(bytes, 1);
  bytes[1 + inputId.length] = address.length;
  address.copy(bytes, 2 + inputId.length);
  bytes.writeUInt16LE(port, length - 2);
  const view = viewOf(bytes);
  const words = new Int32Array(bytes.length / 4);
  for (let i = 0; i < words.length; i += 1) words[i] = view.getInt32(i * 4, true);
  return { length, words, recordWord: KIND_FRAME | (codecId << 8) | (length << 16) };
}

/** Undefined when the lengths inside do not add up. */
export function decodeSource(
  bytes: Buffer,
  start: number,
  end: number,
  codecId: number,
): FrameSource | undefined {
  if (end - start < MIN_SOURCE_BYTES) return undefined;
  const addressAt = start + 1 + bytes.readUInt8(start);
  if (addressAt + 3 > end) return undefined;
  const portAt = addressAt + 1 + bytes.readUInt8(addressAt);
  if (portAt + 2 !== end) return undefined;
  return {
    inputId: bytes.toString('utf8', start + 1, addressAt),
    remoteAddress: bytes.toString('utf8', addressAt + 1, portAt),
    remotePort: bytes.readUInt16LE(portAt),
    codecId,
  };
}

/** Room a record may touch: the source's padding reaches up to three bytes past an empty frame. */
export const RECORD_SLACK_BYTES = 4;

/**
 * Writes one record at `at` and returns its end. The caller has checked that `RECORD_SLACK_BYTES` more
 * than the record fit.
 */
export function encodeRecord(
  target: Buffer,
  view: DataView,
  at: number,
  offset: number,
  receivedAt: number,
  source: EncodedSource,
  frame: Buffer,
  frameStart: number,
  frameEnd: number,
): number {
  const body = writeHead(view, at, receivedAt, source);
  const end = body + frame.copy(target, body, frameStart, frameEnd);
  seal(view, at, end, offset);
  return end;
}

const COUNT_BYTES = 4;
/** Of each frame in the table of a run. */
export const PLACE_BYTES = 8;
const MAX_GAP_BYTES = 16;
/** Damage costs a whole run, and whoever reads a file reads whole runs. */
const MAX_RUN_BYTES = 64 * 1024;

/** What a frame takes up in the worst case, beside its own bytes; one more of these for each append of several frames. */
export function mostFrameOverhead({ length }: EncodedSource): number {
  return Math.max(RECORD_HEADER_BYTES + length, PLACE_BYTES + MAX_GAP_BYTES);
}

/** Where the run of the frame `from` ends that fits into `room` bytes; `from` when not even that frame does. */
export function endOfRun(frames: FrameBatch, from: number, source: EncodedSource, room: number): number {
  const { starts, ends, count } = frames;
  const first = starts[from] as number;
  const most = Math.min(room, MAX_RUN_BYTES) - RECORD_HEADER_BYTES - source.length - COUNT_BYTES;
  let to = from;
  while (to < count) {
    const gap = to === from ? 0 : (starts[to] as number) - (ends[to - 1] as number);
    const size = (ends[to] as number) - first + PLACE_BYTES * (to + 1 - from);
    if (gap < 0 || gap > MAX_GAP_BYTES || size > most) break;
    to += 1;
  }
  return to;
}

/** Writes the frames [from, to) as one run at `at` and returns where its table begins. */
export function encodeRun(
  target: Buffer,
  view: DataView,
  at: number,
  offset: number,
  source: EncodedSource,
  frames: FrameBatch,
  from: number,
  to: number,
): number {
  const { bytes, starts, ends } = frames;
  const first = starts[from] as number;
  const table = writeHead(view, at, frames.receivedAt, source) + COUNT_BYTES;
  view.setUint32(table - COUNT_BYTES, to - from, true);
  let place = table;
  for (let index = from; index < to; index += 1, place += PLACE_BYTES) {
    view.setUint32(place, (starts[index] as number) - first, true);
    view.setUint32(place + 4, (ends[index] as number) - first, true);
  }
  view.setUint8(at + 16, KIND_RUN);
  const end = place + bytes.copy(target, place, first, ends[to - 1] as number);
  seal(view, at, end, offset);
  return table;
}

/** How many frames a good record has. */
export function frameCount(view: DataView, at: number): number {
  return view.getUint8(at + 16) < KIND_RUN ? 1 : view.getUint32(tableOfRun(view, at) - COUNT_BYTES, true);
}

/** Where the table of the run at `at` begins. */
export function tableOfRun(view: DataView, at: number): number {
  return at + RECORD_HEADER_BYTES + view.getUint16(at + 18, true) + COUNT_BYTES;
}

/** Turns a record into a void in place; its offset and length stay. */
export function voidRecord(view: DataView, at: number, offset: number): void {
  view.setUint8(at + 16, view.getUint8(at + 16) < KIND_RUN ? KIND_VOID : KIND_VOID_RUN);
  seal(view, at, at + view.getUint32(at, true), offset);
}

/** Writes everything before the frames but what depends on them, and returns where it ends. */
function writeHead(view: DataView, at: number, receivedAt: number, source: EncodedSource): number {
  const words = source.words;
  view.setFloat64(at + 8, receivedAt, true);
  view.setUint32(at + 16, source.recordWord, true);
  for (let i = 0, to = at + RECORD_HEADER_BYTES; i < words.length; i += 1, to += 4) {
    view.setInt32(to, words[i] as number, true);
  }
  return at + RECORD_HEADER_BYTES + source.length;
}

/** Length and checksum, once everything else is there. */
function seal(view: DataView, at: number, end: number, offset: number): void {
  view.setUint32(at, end - at, true);
  view.setUint32(at + 4, xxHash32(view, at + 8, end, offset >>> 0), true);
}

/** What is where a record should begin. `incomplete`: the record needs more bytes than there are. */
export type RecordState = 'good' | 'incomplete' | BadRecord;
export type BadRecord = 'zeros' | 'impossible length' | 'wrong checksum' | 'malformed';

/** Checks the record at `at`, given bytes up to `end`. `good` means every length inside can be trusted. */
export function inspectRecord(view: DataView, at: number, end: number, offset: number): RecordState {
  if (end - at < 4) return 'incomplete';
  const length = view.getUint32(at, true);
  if (length === 0) return 'zeros';
  if (length < RECORD_HEADER_BYTES + MIN_SOURCE_BYTES || length > MAX_RECORD_BYTES)
    return 'impossible length';
  if (length > end - at) return 'incomplete';
  if (xxHash32(view, at + 8, at + length, offset >>> 0) !== view.getUint32(at + 4, true)) {
    return 'wrong checksum';
  }
  const kind = view.getUint8(at + 16);
  const sourceLength = view.getUint16(at + 18, true);
  if (kind < KIND_FRAME || kind > KIND_VOID_RUN) return 'malformed';
  if (RECORD_HEADER_BYTES + sourceLength > length) return 'malformed';
  return kind < KIND_RUN || isWholeRun(view, at, at + length) ? 'good' : 'malformed';
}

function isWholeRun(view: DataView, at: number, end: number): boolean {
  const table = tableOfRun(view, at);
  if (table + PLACE_BYTES > end) return false;
  const count = view.getUint32(table - COUNT_BYTES, true);
  const body = table + count * PLACE_BYTES;
  if (count === 0 || body > end) return false;
  for (let place = table, before = 0; place < body; place += PLACE_BYTES) {
    const frameStart = view.getUint32(place, true);
    const frameEnd = view.getUint32(place + 4, true);
    if (frameStart < before || frameEnd < frameStart || frameEnd > end - body) return false;
    before = frameEnd;
  }
  return true;
}
