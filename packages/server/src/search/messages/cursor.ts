/** The end of a page of messages, as an opaque text that clients send back. */
import { InvalidError } from '#core/index.ts';
import type { TimeSpan } from '../time/index.ts';
import type { MessageSort, SortPosition } from './sort.ts';

export interface Cursor {
  readonly sort: MessageSort;
  /** The time range of the first page; a relative range would move from page to page. */
  readonly span: TimeSpan;
  readonly position: SortPosition;
}

const VERSION = 1;

export function encodeCursor({ sort, span, position }: Cursor): string {
  const { keys, timestamp, receivedAt, partition, offset } = position;
  const parts = [
    VERSION,
    sort.field,
    sort.direction,
    span.from,
    span.to,
    timestamp,
    receivedAt,
    partition,
    offset,
  ];
  return Buffer.from(JSON.stringify([...parts, ...keys])).toString('base64url');
}

/** Throws `InvalidError` for a text that `encodeCursor` has not made. */
export function parseCursor(text: string): Cursor {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    throw invalidCursor();
  }
  if (!Array.isArray(parts)) throw invalidCursor();
  const [version, field, direction, from, to, timestamp, receivedAt, partition, offset, ...keys] = parts;
  const numbers = [from, to, timestamp, receivedAt, partition, offset];
  if (version !== VERSION || typeof field !== 'string' || !numbers.every(Number.isSafeInteger))
    throw invalidCursor();
  if (direction !== 'asc' && direction !== 'desc') throw invalidCursor();
  if (!keys.every((key) => key === null || typeof key === 'string' || Number.isFinite(key)))
    throw invalidCursor();
  if (numbers.slice(2).some((number, index) => index >= 2 && number < 0)) throw invalidCursor();
  return {
    sort: { field, direction },
    span: { from, to },
    position: { keys, timestamp, receivedAt, partition, offset },
  };
}

export function invalidCursor(): InvalidError {
  return new InvalidError('The cursor is invalid. Start with the first page, without a cursor.');
}
