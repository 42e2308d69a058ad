/**
 * Ids of messages in storage. A message's id is 26 digits of Crockford's base 32: ten for the time of receipt,
 * eight for the journal partition, eight for the offset in it. The table keeps these three as numbers.
 */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const NO_DIGIT = 255;
const VALUES = new Uint8Array(128).fill(NO_DIGIT);
for (let value = 0; value < DIGITS.length; value++) VALUES[DIGITS.charCodeAt(value)] = value;

const TIME_END = 10;
const PARTITION_END = 18;
const OFFSET_END = 26;
/** JavaScript's bit operations have 32 bits: four digits at a time. */
const FOUR_DIGITS = 2 ** 20;

export interface MessageIdParts {
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  readonly partition: number;
  readonly offset: number;
}

/** Undefined for a text that is no id of a message. Lower case is understood. */
export function parseMessageId(id: string): MessageIdParts | undefined {
  const upper = id.toUpperCase();
  if (!ID.test(upper)) return undefined;
  return {
    receivedAt: numberOf(upper, 0, 2) * FOUR_DIGITS ** 2 + eightDigits(upper, 2),
    partition: partitionOf(upper),
    offset: offsetOf(upper),
  };
}

export function messageIdText(parts: MessageIdParts): string {
  return (
    encode(parts.receivedAt, TIME_END) +
    encode(parts.partition, PARTITION_END - TIME_END) +
    encode(parts.offset, OFFSET_END - PARTITION_END)
  );
}

/** The journal partition in an id that is known to be one. */
export function partitionOf(id: string): number {
  return eightDigits(id, TIME_END);
}

/** The offset in an id that is known to be one. */
export function offsetOf(id: string): number {
  return eightDigits(id, PARTITION_END);
}

function eightDigits(text: string, start: number): number {
  return numberOf(text, start, 4) * FOUR_DIGITS + numberOf(text, start + 4, 4);
}

function numberOf(text: string, start: number, digits: number): number {
  let number = 0;
  for (let at = start; at < start + digits; at++) number = (number << 5) | (VALUES[text.charCodeAt(at)] ?? 0);
  return number;
}

function encode(number: number, digits: number): string {
  let text = '';
  let rest = number;
  for (let digit = 0; digit < digits; digit++) {
    text = (DIGITS[rest % 32] ?? '0') + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
