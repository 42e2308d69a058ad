import type { TestMessage } from '../input.ts';

const INFORMATIONAL = 6;

/** A test message as GELF. */
export function gelfTestFrame({ source, text, fields }: TestMessage): string {
  const additional = Object.entries(fields).map(([name, value]) => [`_${name}`, value]);
  return JSON.stringify({
    version: '1.1',
    host: source,
    short_message: text,
    level: INFORMATIONAL,
    ...Object.fromEntries(additional),
  });
}
