import type { RequiredHeader } from './gate.ts';

/**
 * Recognises the requests that nearly all senders make: a whole POST with one message, in one read, with headers that
 * change nothing. It is far cheaper than a parser of HTTP because it refuses everything else; that goes to Node's parser.
 *
 * It must not see a request where Node's parser sees another one. So nothing is interpreted leniently: lines end in
 * CR LF, names are on a list, there is one `Host` and one `Content-Length` of digits, and the body ends where the read
 * does. Anything that could say otherwise how long the body is (`Transfer-Encoding`) is not on the list.
 */
export interface PlainRequests {
  /** Where the body of the request begins, which ends with the bytes; -1 when it is another kind of request. */
  bodyStart(bytes: Buffer): number;
}

export interface PlainRequestSettings {
  readonly required?: RequiredHeader | undefined;
}

const MAX_HEAD_BYTES = 2048;
const END_OF_HEAD = Buffer.from('\r\n\r\n');
/** The form of the whole head up to its last CR LF. Field names that are known are checked after it. */
const HEAD = /^POST \/(?:gelf|xlog) HTTP\/1\.1\r\n(?:[!#-'*+\-.0-9A-Z^-z|~]+:[\x20-\x7e]*\r\n)+$/;
const LENGTH = /^[1-9][0-9]{0,7}$/;

/** The receiver looks at none of these, and Node's parser does nothing because of them. */
const IGNORED: ReadonlySet<string> = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-type',
  'forwarded',
  'pragma',
  'sec-fetch-mode',
  'traceparent',
  'tracestate',
  'user-agent',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
  'x-request-id',
]);

/** Headers that senders use for a key. Another required header could say how the body is to be read. */
const KEY = /^(?:authorization|api-?key|token|x-.+)$/;

/** One for each connection: most heads of a sender are those of its last message. */
export function createPlainRequests(settings: PlainRequestSettings): PlainRequests {
  let lastHead = '';
  let lastLength = 0;

  return {
    bodyStart(bytes) {
      const end = bytes.indexOf(END_OF_HEAD);
      if (end < 0 || end > MAX_HEAD_BYTES) return -1;
      const head = bytes.toString('latin1', 0, end + 2);
      if (head !== lastHead) {
        const length = bodyLength(head, settings);
        if (length < 0) return -1;
        lastHead = head;
        lastLength = length;
      }
      const start = end + END_OF_HEAD.length;
      return start + lastLength === bytes.length ? start : -1;
    },
  };
}

function bodyLength(head: string, { required }: PlainRequestSettings): number {
  if (!HEAD.test(head)) return -1;
  if (required !== undefined && !KEY.test(required.name)) return -1;
  let length = -1;
  let hosts = 0;
  let isConnectionKnown = false;
  let isRight = required === undefined;
  for (let at = head.indexOf('\r\n') + 2; at < head.length; ) {
    const colon = head.indexOf(':', at);
    const end = head.indexOf('\r\n', colon);
    const name = head.slice(at, colon).toLowerCase();
    at = end + 2;
    if (name === required?.name) {
      if (isRight || !required.isRight(head.slice(colon + 1, end).trim())) return -1;
      isRight = true;
    } else if (name === 'content-length') {
      const value = head.slice(colon + 1, end).trim();
      if (length >= 0 || !LENGTH.test(value)) return -1;
      length = Number(value);
    } else if (name === 'host') {
      hosts += 1;
    } else if (name === 'connection') {
      if (
        isConnectionKnown ||
        head
          .slice(colon + 1, end)
          .trim()
          .toLowerCase() !== 'keep-alive'
      )
        return -1;
      isConnectionKnown = true;
    } else if (!IGNORED.has(name)) {
      return -1;
    }
  }
  return hosts === 1 && isRight ? length : -1;
}
