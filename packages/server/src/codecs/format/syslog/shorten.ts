const BLANK = 0x20;
const BACKSLASH = 0x5c;
const OPEN = 0x5b;
const CLOSE = 0x5d;
/** PRI and version, timestamp, host, application, process and message id: none of them contains a blank. */
const HEADER_PARTS = 6;
const NO_STRUCTURED_DATA = Buffer.from('-');

/**
 * Makes a message of `createSyslogEncoder` fit into `maxBytes`: first without its structured data, which is useless when it
 * is not whole, then by cutting off the end of the text, never within a character.
 */
export function shortenSyslog(payload: Buffer, maxBytes: number): Buffer {
  if (payload.length <= maxBytes) return payload;
  const short = withoutStructuredData(payload);
  if (short.length <= maxBytes) return short;
  let end = maxBytes;
  while (end > 0 && ((short[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return short.subarray(0, end);
}

function withoutStructuredData(payload: Buffer): Buffer {
  let start = 0;
  for (let part = 0; part < HEADER_PARTS; part++) start = payload.indexOf(BLANK, start) + 1;
  if (payload[start] !== OPEN) return payload;
  let end = start + 1;
  while (end < payload.length && payload[end] !== CLOSE) end += payload[end] === BACKSLASH ? 2 : 1;
  return Buffer.concat([payload.subarray(0, start), NO_STRUCTURED_DATA, payload.subarray(end + 1)]);
}
