import {
  createGelfEncoder,
  createJsonEncoder,
  type GelfEncodeOptions,
  type JsonEncodeOptions,
} from '#codecs/index.ts';
import type { Encoding } from '#outputs/index.ts';

/** Encodings of ours that a plugin's output may use. They need no containment, so messages can wait in any case. */
const own = new WeakSet<Encoding>();

function ownEncoding(encoding: Encoding): Encoding {
  own.add(encoding);
  return encoding;
}

export function isOwnEncoding(encoding: Encoding): boolean {
  return own.has(encoding);
}

/** Each message as a JSON object. */
export function jsonEncoding(options: JsonEncodeOptions = {}): Encoding {
  return ownEncoding({ key: `json:${JSON.stringify(options)}`, create: () => createJsonEncoder(options) });
}

/** Each message as GELF. */
export function gelfEncoding(options: GelfEncodeOptions = {}): Encoding {
  return ownEncoding({ key: `gelf:${JSON.stringify(options)}`, create: () => createGelfEncoder(options) });
}
