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
import type { ViewedBytes } from '#codecs/index.ts';
import { type Message, type MessageOrigin, messageIdLength } from '#core/index.ts';
import type { OutgoingMessage } from '../output.ts';

const HEADER_BYTES = 17;

export function recordLength(message: Message, payloadLength: number): number {
  return HEADER_BYTES + messageIdLength(message) + payloadLength;
}

/** Writes what comes before the id at `at`, and returns where the id belongs. */
export function writeHeader(
  { bytes, view }: ViewedBytes,
  at: number,
  secured: number,
  message: Message,
): number {
  view.setFloat64(at, secured, true);
  view.setFloat64(at + 8, message.timestamp, true);
  bytes[at + 16] = messageIdLength(message);
  return at + HEADER_BYTES;
}

/** Where the payload of the record at `start` begins. */
export function payloadStart(bytes: Buffer, start: number): number {
  return start + HEADER_BYTES + (bytes[start + 16] as number);
}

export function markRecord(secured: number): Buffer {
  const mark = Buffer.alloc(HEADER_BYTES);
  mark.writeDoubleLE(secured);
  return mark;
}

export function securedBy(frame: Buffer): number {
  return frame.readDoubleLE(0);
}

/** Whether the record at `start` is one. */
export function isMark(bytes: Buffer, start = 0): boolean {
  return bytes[start + 16] === 0;
}

/** Reads from the journal's buffer when it is asked: most outputs need nothing but the payload. */
export class QueuedMessage implements OutgoingMessage {
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly #payloadStart: number;
  readonly #end: number;
  /** Where it came from. */
  readonly origin: MessageOrigin;

  constructor(bytes: Buffer, start: number, end: number, origin: MessageOrigin) {
    this.#bytes = bytes;
    this.origin = origin;
    this.#start = start;
    this.#payloadStart = payloadStart(bytes, start);
    this.#end = end;
  }

  get payload(): Buffer {
    return this.#bytes.subarray(this.#payloadStart, this.#end);
  }

  get payloadLength(): number {
    return this.#end - this.#payloadStart;
  }

  copyPayload(target: Buffer, at: number): number {
    return this.#bytes.copy(target, at, this.#payloadStart, this.#end);
  }

  /** In memory of its own. */
  copy(): QueuedMessage {
    const bytes = Buffer.from(this.#bytes.subarray(this.#start, this.#end));
    return new QueuedMessage(bytes, 0, bytes.length, this.origin);
  }

  get isMark(): boolean {
    return isMark(this.#bytes, this.#start);
  }

  get timestamp(): number {
    return this.#bytes.readDoubleLE(this.#start + 8);
  }

  get id(): string {
    return this.#bytes.toString('latin1', this.#start + HEADER_BYTES, this.#payloadStart);
  }
}
