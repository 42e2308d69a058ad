/**
 * The checkpoint: how far the consumer has come, and which batches are on their way to storage.
 *
 * CONSTRAINTS
 * Written before every batch is sent, so it must be cheap (one write, one fdatasync, in place) and must
 * survive being torn. It never grows, so a full disk does not stop the consumer, which is what frees space.
 *
 * LAYOUT  file `checkpoint`: two slots of 4096 bytes, little endian, in each:
 *    0  4  magic "MRCP"
 *    4  4  xxHash32 of bytes [8, 16 + payload length), seed 0
 *    8  4  format version, 1
 *   12  4  payload length
 *   16     payload: sequence, committed offset, durable offset (float64 each), number of batches (2 bytes),
 *          then for each batch: from, end (float64 each), token length (1 byte), token (UTF-8)
 *
 * WRITE
 * State number `n` goes to slot `n mod 2`: a torn write damages the older of the two states only.
 *
 * READ
 * The intact slot with the higher sequence. A state that was not the last one written is safe too: records
 * committed since then are handed out again, under the same tokens as before if they had been begun by then.
 *
 * RECOVERY
 * No file: a new partition, start at the oldest record. No intact slot: start at the oldest record as well,
 * and say so, because records that were stored but whose segment is still there will be stored twice.
 */
import path from 'node:path';
import { xxHash32 } from './checksum.ts';
import type { JournalFile, JournalFileSystem } from './file-system.ts';
import { CHECKPOINT_FILE, TEMPORARY_SUFFIX, viewOf } from './format.ts';
import type { InFlightBatch } from './progress.ts';

export interface CheckpointState {
  readonly committed: number;
  /** Every record below was durable when this was written; fewer after a recovery means a loss. */
  readonly durable: number;
  readonly inFlight: readonly InFlightBatch[];
}

const MAGIC = 0x5043524d;
const VERSION = 1;
const SLOT_BYTES = 4096;
const PAYLOAD_AT = 16;
const FIXED_PAYLOAD_BYTES = 26;
const FIXED_BATCH_BYTES = 17;

export function encodeSlot(sequence: number, state: CheckpointState): Buffer {
  const slot = Buffer.alloc(SLOT_BYTES);
  slot.writeUInt32LE(MAGIC, 0);
  slot.writeUInt32LE(VERSION, 8);
  slot.writeDoubleLE(sequence, PAYLOAD_AT);
  slot.writeDoubleLE(state.committed, PAYLOAD_AT + 8);
  slot.writeDoubleLE(state.durable, PAYLOAD_AT + 16);
  slot.writeUInt16LE(state.inFlight.length, PAYLOAD_AT + 24);
  let at = PAYLOAD_AT + FIXED_PAYLOAD_BYTES;
  for (const batch of state.inFlight) {
    slot.writeDoubleLE(batch.fromOffset, at);
    slot.writeDoubleLE(batch.endOffset, at + 8);
    const length = slot.write(batch.token, at + FIXED_BATCH_BYTES, 'utf8');
    slot.writeUInt8(length, at + 16);
    at += FIXED_BATCH_BYTES + length;
  }
  slot.writeUInt32LE(at - PAYLOAD_AT, 12);
  slot.writeUInt32LE(xxHash32(viewOf(slot), 8, at, 0), 4);
  return slot;
}

export interface DecodedSlot {
  readonly sequence: number;
  readonly state: CheckpointState;
}

/** Undefined for anything that is not an intact slot. */
export function decodeSlot(slot: Buffer): DecodedSlot | undefined {
  if (slot.length < PAYLOAD_AT + FIXED_PAYLOAD_BYTES || slot.readUInt32LE(0) !== MAGIC) return undefined;
  if (slot.readUInt32LE(8) !== VERSION) return undefined;
  const end = PAYLOAD_AT + slot.readUInt32LE(12);
  if (end > slot.length || end < PAYLOAD_AT + FIXED_PAYLOAD_BYTES) return undefined;
  if (xxHash32(viewOf(slot), 8, end, 0) !== slot.readUInt32LE(4)) return undefined;
  const inFlight: InFlightBatch[] = [];
  let at = PAYLOAD_AT + FIXED_PAYLOAD_BYTES;
  for (let left = slot.readUInt16LE(PAYLOAD_AT + 24); left > 0; left -= 1) {
    if (at + FIXED_BATCH_BYTES > end) return undefined;
    const tokenEnd = at + FIXED_BATCH_BYTES + slot.readUInt8(at + 16);
    if (tokenEnd > end) return undefined;
    inFlight.push({
      fromOffset: slot.readDoubleLE(at),
      endOffset: slot.readDoubleLE(at + 8),
      token: slot.toString('utf8', at + FIXED_BATCH_BYTES, tokenEnd),
    });
    at = tokenEnd;
  }
  return {
    sequence: slot.readDoubleLE(PAYLOAD_AT),
    state: {
      committed: slot.readDoubleLE(PAYLOAD_AT + 8),
      durable: slot.readDoubleLE(PAYLOAD_AT + 16),
      inFlight,
    },
  };
}

export type CheckpointLoad =
  | {
      readonly kind: 'found';
      readonly state: CheckpointState;
      readonly sequence: number;
      /** Only one slot is intact. That is usual after a crash, and the other state was never in use. */
      readonly oneSlot: boolean;
    }
  | { readonly kind: 'absent' | 'damaged' };

export async function loadCheckpoint(files: JournalFileSystem, directory: string): Promise<CheckpointLoad> {
  const names = await files.list(directory);
  if (!names.includes(CHECKPOINT_FILE)) return { kind: 'absent' };
  const file = await files.open(path.join(directory, CHECKPOINT_FILE), 'read');
  try {
    const bytes = Buffer.alloc(SLOT_BYTES * 2);
    const length = await file.read(bytes, bytes.length, 0);
    let best: DecodedSlot | undefined;
    let intact = 0;
    for (let at = 0; at < length; at += SLOT_BYTES) {
      const slot = decodeSlot(bytes.subarray(at, Math.min(at + SLOT_BYTES, length)));
      if (slot === undefined) continue;
      intact += 1;
      if (best === undefined || slot.sequence > best.sequence) best = slot;
    }
    if (best === undefined) return { kind: 'damaged' };
    return { kind: 'found', state: best.state, sequence: best.sequence, oneSlot: intact === 1 };
  } finally {
    await file.close();
  }
}

/** Writes checkpoints of one partition; calls that arrive while one is being written share the next one. */
export class CheckpointWriter {
  readonly #file: JournalFile;
  readonly #current: () => CheckpointState;
  #sequence: number;
  #running: Promise<CheckpointState> | undefined;
  #queued: Promise<CheckpointState> | undefined;

  private constructor(file: JournalFile, sequence: number, current: () => CheckpointState) {
    this.#file = file;
    this.#sequence = sequence;
    this.#current = current;
  }

  /** Replaces the file whole (temporary file, sync, rename), with the current state in both slots. */
  static async create(
    files: JournalFileSystem,
    directory: string,
    sequence: number,
    current: () => CheckpointState,
  ): Promise<CheckpointWriter> {
    // Even, so that each state is in the slot of its number.
    const first = sequence + (sequence % 2);
    const target = path.join(directory, CHECKPOINT_FILE);
    const temporary = target + TEMPORARY_SUFFIX;
    await files.remove(temporary);
    const file = await files.open(temporary, 'create');
    try {
      const state = current();
      await file.write([encodeSlot(first, state), encodeSlot(first + 1, state)], 0);
      await file.sync();
      await files.rename(temporary, target);
      await files.syncDirectory(directory);
    } catch (error) {
      await file.close();
      throw error;
    }
    return new CheckpointWriter(file, first + 2, current);
  }

  /** Resolves with the state that is durable now, which is the current one or newer. */
  persist(): Promise<CheckpointState> {
    if (this.#running === undefined) {
      this.#running = this.#write().finally(() => {
        this.#running = undefined;
      });
      return this.#running;
    }
    // The state being written is older than this call: the next one counts.
    this.#queued ??= this.#running.then(ignore, ignore).then(() => {
      this.#queued = undefined;
      return this.persist();
    });
    return this.#queued;
  }

  async close(): Promise<void> {
    await this.#queued?.then(ignore, ignore);
    await this.#running?.then(ignore, ignore);
    await this.#file.close();
  }

  async #write(): Promise<CheckpointState> {
    const current = this.#current();
    const state = { ...current, inFlight: [...current.inFlight] };
    const sequence = this.#sequence;
    await this.#file.write([encodeSlot(sequence, state)], (sequence % 2) * SLOT_BYTES);
    await this.#file.sync();
    // A failed state keeps its slot: the other slot holds the last one that is known to be good.
    this.#sequence = sequence + 1;
    return state;
  }
}

function ignore(): void {}
