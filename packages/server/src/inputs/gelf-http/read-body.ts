import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import {
  gunzip,
  gunzipSync,
  inflate,
  inflateRaw,
  inflateRawSync,
  inflateSync,
  type ZlibOptions,
} from 'node:zlib';
import { payloadKind } from '#codecs/index.ts';
import { errorCode } from '#core/index.ts';
import { freeBuffer } from '../net/free-buffer.ts';

export type BodyFault = 'too-large' | 'incomplete' | 'memory-limit' | 'corrupt';
export type BodyEncoding = 'identity' | 'gzip' | 'deflate' | 'detect';

/** Memory for bodies, shared by all requests of an input. */
export interface BodyBudget {
  /** False when not enough is left. */
  take(bytes: number): boolean;
  release(bytes: number): void;
}

export function createBodyBudget(limit: number): BodyBudget {
  let used = 0;
  return {
    take(bytes) {
      if (used + bytes > limit) return false;
      used += bytes;
      return true;
    },
    release(bytes) {
      used -= bytes;
    },
  };
}

/**
 * The encoding a request names; undefined when it is unknown. For a list of them the bytes decide: graypy sends
 * `gzip,deflate` and means that its body is one of the two.
 */
export function bodyEncoding(header: string | undefined): BodyEncoding | undefined {
  const names = new Set(
    (header ?? '')
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  );
  names.delete('');
  names.delete('identity');
  const known = [...names].map((name) => ENCODINGS.get(name));
  if (known.length === 0) return 'identity';
  if (known.includes(undefined)) return undefined;
  return known.length === 1 ? known[0] : 'detect';
}

const ENCODINGS: ReadonlyMap<string, BodyEncoding> = new Map([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
]);

/**
 * Reads a body of at most `maxBytes`. The callback is called once. The bytes are accounted for in `budget`
 * until the caller releases them. After a fault nothing is held.
 */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  budget: BodyBudget,
  done: (body: Buffer | BodyFault) => void,
): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let finished = false;

  function finish(result: Buffer | BodyFault): void {
    if (finished) return;
    finished = true;
    if (typeof result === 'string') {
      chunks.length = 0;
      budget.release(bytes);
    }
    done(result);
  }

  request.on('data', (chunk: Buffer) => {
    if (finished) return;
    if (bytes + chunk.length > maxBytes) return finish('too-large');
    if (!budget.take(chunk.length)) return finish('memory-limit');
    bytes += chunk.length;
    chunks.push(chunk);
  });
  request.on('end', () => {
    const [first] = chunks;
    if (chunks.length === 1 && first !== undefined) return finish(first);
    const whole = Buffer.concat(chunks, bytes);
    for (const chunk of chunks) freeBuffer(chunk);
    finish(whole);
  });
  request.on('error', () => finish('incomplete'));
  request.on('close', () => finish('incomplete'));
}

/** Larger bodies are decompressed in another thread: they would hold up all other connections. */
const SYNCHRONOUS_BYTES = 64 * 1024;

const inThread = { gzip: promisify(gunzip), zlib: promisify(inflate), raw: promisify(inflateRaw) };
const inPlace = { gzip: gunzipSync, zlib: inflateSync, raw: inflateRawSync };

/**
 * The body without its compression: what `Content-Encoding` says, and then a payload that is compressed by
 * itself, as GELF senders do with UDP.
 */
export async function decompressBody(
  body: Buffer,
  encoding: BodyEncoding,
  maxBytes: number,
): Promise<Buffer | BodyFault> {
  const decoded = isByName(encoding) ? await decompress(body, encoding, maxBytes) : body;
  if (typeof decoded === 'string') return decoded;
  const kind = payloadKind(decoded);
  return kind === 'gzip' || kind === 'zlib' ? decompress(decoded, kind, maxBytes) : decoded;
}

export function isCompressed(body: Buffer, encoding: BodyEncoding): boolean {
  if (isByName(encoding)) return true;
  const kind = payloadKind(body);
  return kind === 'gzip' || kind === 'zlib';
}

function isByName(encoding: BodyEncoding): encoding is 'gzip' | 'deflate' {
  return encoding === 'gzip' || encoding === 'deflate';
}

async function decompress(
  body: Buffer,
  encoding: 'gzip' | 'deflate' | 'zlib',
  maxBytes: number,
): Promise<Buffer | BodyFault> {
  // `deflate` means zlib. Some senders leave out its header.
  const format =
    encoding === 'gzip' ? 'gzip' : encoding === 'zlib' || payloadKind(body) === 'zlib' ? 'zlib' : 'raw';
  const options: ZlibOptions = {
    maxOutputLength: maxBytes,
    chunkSize: Math.min(Math.max(4096, body.length * 4), 256 * 1024),
  };
  try {
    return body.length <= SYNCHRONOUS_BYTES
      ? inPlace[format](body, options)
      : await inThread[format](body, options);
  } catch (error) {
    return errorCode(error) === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : 'corrupt';
  }
}
