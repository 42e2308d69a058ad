import { createJsonEncoder } from '#codecs/index.ts';
import type { Encoding, OutgoingMessage } from './output.ts';

/** Messages as JSON objects on one line. Every output that sends JSON shares the work. */
export function jsonEncoding(serverFields: boolean): Encoding {
  return { key: `json:${serverFields}`, create: () => createJsonEncoder({ serverFields }) };
}

const LINE_FEED = 0x0a;

/** A message on each line. A copy: the messages are views of memory that is used again. */
export function jsonLines(messages: readonly OutgoingMessage[]): Buffer {
  return delimited(messages, LINE_FEED);
}

/** Each message with this byte after it. With `memory` that is large enough, a part of that. */
export function delimited(messages: readonly OutgoingMessage[], delimiter: number, memory?: Buffer): Buffer {
  let length = messages.length;
  for (const message of messages) length += message.payloadLength;
  const bytes = length <= (memory?.length ?? 0) ? (memory as Buffer) : Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const message of messages) {
    at += message.copyPayload(bytes, at);
    bytes[at++] = delimiter;
  }
  return bytes.subarray(0, length);
}

export function jsonArray(messages: readonly OutgoingMessage[]): Buffer {
  const parts: Buffer[] = [Buffer.from('[')];
  const comma = Buffer.from(',');
  for (const [index, { payload }] of messages.entries()) {
    if (index > 0) parts.push(comma);
    parts.push(payload);
  }
  return Buffer.concat([...parts, Buffer.from(']')]);
}
