/** How extractors change messages. */
import { DateTime, type Value } from '@millrace/rules';
import { resolveLevel } from '#codecs/index.ts';
import type { Message } from '#core/index.ts';
import { isoDate, storedValueOf, writeField } from '../rules/index.ts';

/** What a field contains that an extractor has cut away. Graylog's name for it. */
export const FULLY_CUT = 'fullyCutByExtractor';
/** Where a `level` is kept that is none, as for messages that arrive with one. */
const ORIGINAL_LEVEL = 'original_level';

/**
 * Sets a field. Texts of dates and names of levels are understood where a message has nothing else. Throws when the
 * message cannot have the value.
 */
export function writeExtracted(message: Message, field: string, value: Value): void {
  if (field === 'level') writeLevel(message, value);
  else if (field === 'timestamp' && typeof value === 'string') {
    const date = isoDate(value, 'UTC');
    if (date === undefined) throw new Error(`"${value.slice(0, 100)}" is not a date; add the converter date`);
    writeField(message, field, date);
  } else writeField(message, field, value);
}

function writeLevel(message: Message, value: Value): void {
  const stored = value instanceof DateTime ? String(value) : storedValueOf(value);
  if (stored === undefined || stored === '') return;
  const level = resolveLevel(stored);
  if (level.note === 'level_replaced') writeField(message, ORIGINAL_LEVEL, stored);
  else message.level = level.value;
}

/** The text without the ranges that were extracted. */
export function cutText(
  text: string,
  ranges: readonly { readonly begin: number; readonly end: number }[],
): string {
  let rest = text;
  for (const { begin, end } of ranges.toSorted((one, other) => other.end - one.end)) {
    rest = rest.slice(0, begin) + rest.slice(end);
  }
  return rest.trim() === '' ? FULLY_CUT : rest;
}
