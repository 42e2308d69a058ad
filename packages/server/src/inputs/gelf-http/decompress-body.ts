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
import { type DecompressionAllowance, payloadKind, withoutPadding } from '#codecs/index.ts';
import { errorCode } from '#core/index.ts';
import type { BodyEncoding, BodyFault } from './read-body.ts';

/** Removes the compression of bodies. */
export interface BodyDecompressor {
  /**
   * The body without its compression: what `Content-Encoding` says, and then a payload that is compressed by
   * itself, as GELF senders do with UDP. `sender` is its address.
   */
  decompress(body: Buffer, encoding: BodyEncoding, sender: string): Promise<Buffer | BodyFault>;
}

/** More is decompressed in another thread: it would hold up all other connections. */
const IN_PLACE_BYTES = 64 * 1024;
const IN_PLACE_OUTPUT_BYTES = 1024 * 1024;

const inThread = { gzip: promisify(gunzip), zlib: promisify(inflate), raw: promisify(inflateRaw) };
const inPlace = { gzip: gunzipSync, zlib: inflateSync, raw: inflateRawSync };

type Format = keyof typeof inPlace;
type Work = (maxBytes: number) => Buffer | Promise<Buffer>;

const LIMIT_OF = { sender: 'senders-decompression-limit', everyone: 'overall-decompression-limit' } as const;

export function createBodyDecompressor(
  deps: { readonly allowance: DecompressionAllowance },
  settings: { readonly maxBytes: number },
): BodyDecompressor {
  // The threads belong to the whole process, and the journal writes with them: this takes one at most.
  let lastInThread: Promise<unknown> = Promise.resolve();

  function takeTurn(body: Buffer, format: Format, sender: string): Promise<Buffer | BodyFault> {
    const turn = lastInThread.then(() =>
      bounded(body, sender, settings.maxBytes, (maxBytes) => inThread[format](body, options(body, maxBytes))),
    );
    lastInThread = turn;
    return turn;
  }

  /** Decompresses within the allowance of the sender, and accounts for it. Never rejects. */
  async function bounded(
    body: Buffer,
    sender: string,
    maxBytes: number,
    work: Work,
  ): Promise<Buffer | BodyFault> {
    const allowed = deps.allowance.limitFor(sender, body.length);
    const limit = Math.max(1, Math.min(maxBytes, allowed.bytes));
    try {
      const output = await work(limit);
      deps.allowance.spend(sender, body.length, output.length);
      return output;
    } catch (error) {
      const isDamaged = !isTooLarge(error);
      // Damage is found early as a rule. It must not cost what the body might have become.
      if (isDamaged && !(await exceeds(allowed.freeBytes, work))) return 'corrupt';
      deps.allowance.spend(sender, body.length, limit);
      if (isDamaged) return 'corrupt';
      return limit < maxBytes ? LIMIT_OF[allowed.of] : 'too-large';
    }
  }

  async function decompress(compressed: Buffer, format: Format, sender: string): Promise<Buffer | BodyFault> {
    const body = format === 'gzip' ? withoutPadding(compressed) : compressed;
    if (body.length > IN_PLACE_BYTES) return takeTurn(body, format, sender);
    const maxBytes = Math.min(settings.maxBytes, IN_PLACE_OUTPUT_BYTES);
    const small = await bounded(body, sender, maxBytes, (limit) =>
      inPlace[format](body, options(body, limit)),
    );
    return small === 'too-large' && maxBytes < settings.maxBytes ? takeTurn(body, format, sender) : small;
  }

  return {
    async decompress(body, encoding, sender) {
      const format = namedFormat(body, encoding);
      const decoded = format === undefined ? body : await decompress(body, format, sender);
      if (typeof decoded === 'string') return decoded;
      const kind = payloadKind(decoded);
      return kind === 'gzip' || kind === 'zlib' ? decompress(decoded, kind, sender) : decoded;
    },
  };
}

export function isCompressed(body: Buffer, encoding: BodyEncoding): boolean {
  if (encoding === 'gzip' || encoding === 'deflate') return true;
  const kind = payloadKind(body);
  return kind === 'gzip' || kind === 'zlib';
}

/** `deflate` means zlib. Some senders leave out its header. */
function namedFormat(body: Buffer, encoding: BodyEncoding): Format | undefined {
  if (encoding === 'gzip') return 'gzip';
  if (encoding === 'deflate') return payloadKind(body) === 'zlib' ? 'zlib' : 'raw';
  return undefined;
}

/** Whether there is more output than this, before the damage if there is any. */
async function exceeds(maxBytes: number, work: Work): Promise<boolean> {
  try {
    await work(Math.max(1, maxBytes));
    return false;
  } catch (error) {
    return isTooLarge(error);
  }
}

function isTooLarge(error: unknown): boolean {
  return errorCode(error) === 'ERR_BUFFER_TOO_LARGE';
}

function options(body: Buffer, maxOutputLength: number): ZlibOptions {
  return { maxOutputLength, chunkSize: Math.min(Math.max(4096, body.length * 4), 256 * 1024) };
}
