export { parseInstant } from './instant.ts';
export { parseTimeRangeText, type TimeRange, type TimeSpan, timeSpanOf } from './time-range.ts';
export { requireTimeZone } from './time-zone.ts';
export { createTimeWords, type TimeWords } from './words.ts';
