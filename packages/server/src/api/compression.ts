import { pipeline, Readable } from 'node:stream';
import { constants, createGzip, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** For smaller bodies gzip costs more than it saves. */
const MIN_BYTES = 512;
/** Level 6 takes twice as long and makes JSON only 5 % smaller. */
const LEVEL = 4;
const COMPRESSIBLE =
  /^(?:text\/(?!event-stream)|application\/(?:[\w.+-]*\+)?(?:json|javascript|xml|x-ndjson)|image\/svg)/;
const REFUSES_GZIP = /gzip\s*;\s*q=0(?:\.0*)?\s*(?:,|$)/;

type Done = (error: Error | null, payload?: unknown) => void;

/** `onSend` hook: compresses bodies that benefit from it, for clients that accept gzip. */
export function gzipPayload(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: Done,
): void {
  if (!acceptsGzip(request) || !isCompressible(reply, payload)) {
    done(null, payload);
    return;
  }
  reply.header('content-encoding', 'gzip');
  if (payload instanceof Readable) {
    reply.removeHeader('content-length');
    // Flushed after every chunk, so that the rows of a slow export arrive as they are produced.
    const compressed = createGzip({ level: LEVEL, flush: constants.Z_SYNC_FLUSH });
    pipeline(payload, compressed, () => {});
    done(null, compressed);
    return;
  }
  gzip(payload as string | Buffer, { level: LEVEL }, (error, compressed) => {
    reply.removeHeader('content-length');
    done(error, compressed);
  });
}

function acceptsGzip(request: FastifyRequest): boolean {
  const header = request.headers['accept-encoding'];
  if (header === undefined || request.method === 'HEAD') return false;
  const text = String(header);
  return text.includes('gzip') && !REFUSES_GZIP.test(text);
}

/** Also sets `Vary`, because the answer depends on what the client accepts. */
function isCompressible(reply: FastifyReply, payload: unknown): boolean {
  const isStream = payload instanceof Readable;
  if (!isStream && !(typeof payload === 'string' || Buffer.isBuffer(payload))) return false;
  if (!isStream && payload.length < MIN_BYTES) return false;
  const contentType = reply.getHeader('content-type');
  if (typeof contentType !== 'string' || !COMPRESSIBLE.test(contentType)) return false;
  // The range of a part counts the bytes of what is not compressed.
  if (reply.hasHeader('content-encoding') || reply.hasHeader('content-range')) return false;
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`);
  return true;
}
