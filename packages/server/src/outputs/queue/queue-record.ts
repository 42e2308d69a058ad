/**
 * A record of an output's queue, as it stands in the frame of a journal record (`journal/format.ts`).
 *
 *    0  8  secured: the queue has every message for the output from records of the node's journal below this
 *          offset (float64)
 *    8  8  timestamp of the message, milliseconds since the epoch (float64)
 *   16  1  length of the id; 0 in a mark, which is not a message and only carries `secured`
 *   17     id (ASCII), then the message as the destination gets it
 *
 * The journal record around it has the message's sender and time of receipt, so that a message the destination refuses
 * is found with them.
 */
import type { OutgoingMessage } from '../output.ts';

const HEADER_BYTES = 17;

export function recordLength(id: string, payload: Buffer): number {
  return HEADER_BYTES + id.length + payload.length;
}

/** Writes a record at `at` and returns its end. */
export function writeRecord(
  target: Buffer,
  at: number,
  secured: number,
  { id, timestamp, payload }: OutgoingMessage,
): number {
  target.writeDoubleLE(secured, at);
  target.writeDoubleLE(timestamp, at + 8);
  target[at + 16] = id.length;
  target.write(id, at + HEADER_BYTES, 'latin1');
  const start = at + HEADER_BYTES + id.length;
  payload.copy(target, start);
  return start + payload.length;
}

export function markRecord(secured: number): Buffer {
  const mark = Buffer.alloc(HEADER_BYTES);
  mark.writeDoubleLE(secured);
  return mark;
}

export function securedBy(frame: Buffer): number {
  return frame.readDoubleLE(0);
}

export function isMark(frame: Buffer): boolean {
  return frame[16] === 0;
}

/** Reads from the journal's buffer when it is asked: most outputs need nothing but the payload. */
export class QueuedMessage implements OutgoingMessage {
  readonly payload: Buffer;
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly #end: number;

  constructor(bytes: Buffer, start: number, end: number) {
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
    this.payload = bytes.subarray(start + HEADER_BYTES + (bytes[start + 16] ?? 0), end);
  }

  /** In memory of its own. */
  copy(): QueuedMessage {
    const bytes = Buffer.from(this.#bytes.subarray(this.#start, this.#end));
    return new QueuedMessage(bytes, 0, bytes.length);
  }

  get isMark(): boolean {
    return this.#bytes[this.#start + 16] === 0;
  }

  get timestamp(): number {
    return this.#bytes.readDoubleLE(this.#start + 8);
  }

  get id(): string {
    const start = this.#start + HEADER_BYTES;
    return this.#bytes.toString('latin1', start, start + (this.#bytes[this.#start + 16] ?? 0));
  }
}
