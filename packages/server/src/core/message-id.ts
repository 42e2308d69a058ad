/**
 * Ids of messages: 26 digits of Crockford's base 32, as a ULID. Ten digits hold the time of receipt in milliseconds, so
 * that ids sort by time; eight hold the journal partition and eight the offset in it. Tables store these three as
 * numbers. Nothing in an id is random: a record that is read again after a crash gets the id it had.
 *
 * When a record gives several messages, because processing clones or creates some, the partition of the second one is
 * the partition plus one, and so on: the offset in an id is always that of the record.
 */
export const MESSAGE_ID_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const MESSAGE_ID_DIGITS = { time: 10, partition: 8, offset: 8 } as const;
export const MESSAGE_ID_LENGTH = 26;
/** How many partitions, and how many offsets, their digits can tell apart; larger numbers start again at 0. */
export const MESSAGE_ID_PARTITIONS = 32 ** MESSAGE_ID_DIGITS.partition;
export const MESSAGE_ID_OFFSETS = 32 ** MESSAGE_ID_DIGITS.offset;

const ID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const NOT_A_DIGIT = 255;
const VALUES = new Uint8Array(128).fill(NOT_A_DIGIT);
for (let value = 0; value < MESSAGE_ID_ALPHABET.length; value++) {
  VALUES[MESSAGE_ID_ALPHABET.charCodeAt(value)] = value;
}

const PARTITION_START = MESSAGE_ID_DIGITS.time;
const OFFSET_START = PARTITION_START + MESSAGE_ID_DIGITS.partition;
/** JavaScript's bit operations have 32 bits: four digits at a time. */
const FOUR_DIGITS = 2 ** 20;
/** The last digits come from a table; those before them stay the same for this many offsets. */
const LOW_DIGITS = 2;
const LOW_COUNT = 32 ** LOW_DIGITS;
const LOW = Array.from({ length: LOW_COUNT }, (_, number) => encodePart(number, LOW_DIGITS));

export interface MessageIdParts {
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  readonly partition: number;
  readonly offset: number;
}

/** Undefined for a text that is not a message id. Lower case is accepted. */
export function parseMessageId(id: string): MessageIdParts | undefined {
  const upper = id.toUpperCase();
  if (!ID.test(upper)) return undefined;
  return {
    receivedAt: numberOf(upper, 0, 2) * FOUR_DIGITS ** 2 + eightDigits(upper, 2),
    partition: eightDigits(upper, PARTITION_START),
    offset: eightDigits(upper, OFFSET_START),
  };
}

/** The digits before the last two, of the newest id: those of the next one are nearly always the same. */
let newest = { receivedAt: -1, partition: -1, high: -1, digits: '' };

export function messageIdText({ receivedAt, partition, offset }: MessageIdParts): string {
  const high = Math.floor(offset / LOW_COUNT);
  if (newest.receivedAt !== receivedAt || newest.partition !== partition || newest.high !== high) {
    const digits =
      encodePart(receivedAt, MESSAGE_ID_DIGITS.time) +
      encodePart(partition, MESSAGE_ID_DIGITS.partition) +
      encodePart(high, MESSAGE_ID_DIGITS.offset - LOW_DIGITS);
    newest = { receivedAt, partition, high, digits };
  }
  return newest.digits + LOW[offset % LOW_COUNT];
}

function encodePart(number: number, digits: number): string {
  let text = '';
  let rest = number;
  for (let digit = 0; digit < digits; digit++) {
    text = (MESSAGE_ID_ALPHABET[rest % 32] ?? '0') + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function eightDigits(text: string, start: number): number {
  return numberOf(text, start, 4) * FOUR_DIGITS + numberOf(text, start + 4, 4);
}

function numberOf(text: string, start: number, digits: number): number {
  let number = 0;
  for (let at = start; at < start + digits; at++) number = (number << 5) | (VALUES[text.charCodeAt(at)] ?? 0);
  return number;
}
