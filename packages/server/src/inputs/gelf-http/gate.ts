import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { unmetDemand } from '#core/index.ts';
import type { InputDropReason, InputErrorType } from '../input-metrics.ts';
import type { Refusal } from './answer.ts';
import type { GelfHttpConfig } from './config.ts';
import { type BodyEncoding, bodyEncoding } from './read-body.ts';

/** Why a request is refused because of its head, or how to read its body. */
export type GateResult =
  | { readonly kind: 'pass'; readonly encoding: BodyEncoding; readonly maxBytes: number }
  | { readonly kind: 'options' }
  | {
      readonly kind: 'refuse';
      readonly refusal: Refusal;
      readonly counted: { readonly error: InputErrorType } | { readonly dropped: InputDropReason };
    };

const PATHS = ['/gelf', '/gelf/', '/xlog', '/xlog/'];

/** Checks the head of requests: what HTTP demands, path, method, authorization, size and encoding, in this order. */
export function createGate(config: GelfHttpConfig): (request: IncomingMessage) => GateResult {
  const maxBytes = maxBodyBytes(config);
  const authorization = requiredHeader(config);

  return function pass(request) {
    const path = pathOf(request.url ?? '');
    const demand = unmetDemand(request);
    if (demand !== undefined) {
      const isMessage = request.method === 'POST' && PATHS.includes(path);
      const counted = isMessage
        ? ({ dropped: 'invalid_request' } as const)
        : ({ error: 'unreadable_request' } as const);
      return { kind: 'refuse', refusal: demand, counted };
    }
    if (request.method === 'OPTIONS') return { kind: 'options' };
    if (!PATHS.includes(path)) return unknownPath(path);
    if (request.method !== 'POST') return unknownMethod(request.method ?? '');
    if (authorization !== undefined && !authorization.isRight(request.headers[authorization.name])) {
      return UNAUTHORIZED;
    }
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
      return { kind: 'refuse', refusal: tooLarge(maxBytes), counted: { dropped: 'too_large' } };
    }
    const encoding = bodyEncoding(request.headers['content-encoding']);
    if (encoding === undefined) return unknownEncoding(request.headers['content-encoding'] ?? '');
    return { kind: 'pass', encoding, maxBytes };
  };
}

export function maxBodyBytes(config: GelfHttpConfig): number {
  return config.enable_bulk_receiving
    ? Math.max(config.max_bulk_size, config.max_chunk_size)
    : config.max_chunk_size;
}

/** What is before the path of a target in absolute form, which RFC 9112 wants servers to take. */
const BEFORE_PATH = /^https?:\/\/[^/?]*/i;

/** The query string is ignored: some senders append a token or a tag. */
function pathOf(target: string): string {
  const url = target.startsWith('/') ? target : target.replace(BEFORE_PATH, '');
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

export function tooLarge(maxBytes: number): Refusal {
  return { status: 413, message: `The body is larger than ${maxBytes} bytes.` };
}

const UNAUTHORIZED: GateResult = {
  kind: 'refuse',
  refusal: { status: 401, message: 'The header that this input requires is missing or has another value.' },
  counted: { dropped: 'unauthorized' },
};

function unknownPath(path: string): GateResult {
  const message = `There is nothing at ${path.slice(0, 200)}. Send messages to /gelf or /xlog.`;
  return { kind: 'refuse', refusal: { status: 404, message }, counted: { error: 'unknown_path' } };
}

function unknownMethod(method: string): GateResult {
  const message = `${method} is not possible here. Send messages with POST.`;
  const headers = { Allow: 'POST, OPTIONS' };
  return { kind: 'refuse', refusal: { status: 405, message, headers }, counted: { error: 'unknown_method' } };
}

function unknownEncoding(encoding: string): GateResult {
  const message = `The content encoding ${encoding.slice(0, 200)} is not known. Use gzip, deflate or none.`;
  const headers = { 'Accept-Encoding': 'gzip, deflate' };
  return {
    kind: 'refuse',
    refusal: { status: 415, message, headers },
    counted: { dropped: 'unsupported_encoding' },
  };
}

/** The header that every request must have, in lower case, and whether its value is the right one. */
export interface RequiredHeader {
  readonly name: string;
  isRight(value: string | readonly string[] | undefined): boolean;
}

/** Compares digests, so that the time it takes says nothing about the value. */
export function requiredHeader(config: GelfHttpConfig): RequiredHeader | undefined {
  const name = config.authorization_header_name?.toLowerCase();
  const value = config.authorization_header_value;
  if (name === undefined || value === undefined) return undefined;
  const second = config.authorization_header_value_secondary;
  const expected = [value, ...(second === undefined ? [] : [second])].map((each) => digest(each.reveal()));
  return {
    name,
    isRight(given) {
      if (typeof given !== 'string') return false;
      const sent = digest(given);
      return expected.some((each) => timingSafeEqual(sent, each));
    },
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The headers browsers need for requests from pages of another origin. */
export function createCrossOrigin(
  config: GelfHttpConfig,
): (request: IncomingMessage) => Record<string, string> | undefined {
  if (!config.enable_cors) return () => undefined;
  const allowed = new Set(['Authorization', 'Content-Type', 'Content-Encoding']);
  if (config.authorization_header_name !== undefined) allowed.add(config.authorization_header_name);
  const allowedHeaders = [...allowed].join(', ');
  return ({ headers: { origin } }) =>
    origin === undefined
      ? undefined
      : {
          'Access-Control-Allow-Origin': origin,
          'Access-Control-Allow-Credentials': 'true',
          'Access-Control-Allow-Headers': allowedHeaders,
          'Access-Control-Allow-Methods': 'POST, OPTIONS',
          Vary: 'Origin',
        };
}
