import type { z } from 'zod';
import { errorMessage, SESSION_COOKIE } from '#core/index.ts';
import type { Logger } from '#telemetry/index.ts';

/** A node as the registry knows it, as far as it must be known to talk to it. */
export interface Peer {
  readonly nodeId: string;
  /** The root of its REST API, with a slash at the end: `http://10.0.0.2:9000/api/`. */
  readonly transportAddress: string;
}

/** The request on whose behalf another node is asked. A route's request is one. */
export interface CallerRequest {
  /** By lower-case name. Only what says who the caller is is passed on. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Aborted when the caller goes away. Looked at only when there is somebody to ask: making one costs. */
  readonly signal?: AbortSignal;
}

export interface PeerRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /**
   * Relative to the API's root, without a leading slash, every parameter percent-encoded. Must be something the
   * peer answers by itself (`system/...`): a peer that would ask its peers again could ask forever.
   */
  readonly path: `system${string}` | `count${string}` | `search/tail${string}`;
  readonly body?: unknown;
  readonly caller: CallerRequest;
}

/** `unreachable`: no answer in time, or one that is no answer at all. */
export type PeerAnswer<T> =
  | { readonly kind: 'answer'; readonly value: T }
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  | { readonly kind: 'unreachable'; readonly reason: string };

export interface FanOut {
  /** Asks one node. Never rejects. */
  ask<T>(peer: Peer, request: PeerRequest, schema: z.ZodType<T>): Promise<PeerAnswer<T>>;
  /**
   * Asks all peers at once, and `own` for this node, which is not called over HTTP. The answer has one entry
   * per node: `null` where there was no usable answer within the time limit. Never rejects because of a peer.
   * Answers at once, not with a promise, when there is nobody else to ask and `own` does so too.
   */
  askAll<T>(
    peers: readonly Peer[],
    request: PeerRequest,
    schema: z.ZodType<T>,
    own: () => T | null | Promise<T | null>,
  ): AllAnswers<T> | Promise<AllAnswers<T>>;
  /**
   * An answer that goes on until the caller's signal ends it; the time limit is for its beginning. Rejects when the
   * peer refuses or does not answer.
   */
  open(peer: Peer, request: PeerRequest): Promise<AsyncIterable<Uint8Array>>;
}

/** By node id. */
export type AllAnswers<T> = Record<string, T | null>;

export interface FanOutConfig {
  readonly nodeId: string;
  /** How long one node may take. */
  readonly timeoutMs?: number;
  /** A longer answer counts as none. */
  readonly maxAnswerBytes?: number;
}

const DEFAULT_TIMEOUT_MS = 3000;
const DEFAULT_MAX_ANSWER_BYTES = 16 * 1024 * 1024;
const MAX_REFUSAL_LENGTH = 300;

export function createFanOut(deps: { readonly logger: Logger }, config: FanOutConfig): FanOut {
  const timeoutMs = config.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const maxAnswerBytes = config.maxAnswerBytes ?? DEFAULT_MAX_ANSWER_BYTES;

  async function ask<T>(peer: Peer, request: PeerRequest, schema: z.ZodType<T>): Promise<PeerAnswer<T>> {
    const timeout = AbortSignal.timeout(timeoutMs);
    const { signal } = request.caller;
    try {
      const response = await fetch(new URL(request.path, peer.transportAddress), {
        method: request.method ?? 'GET',
        headers: peerHeaders(request),
        // The credentials are meant for that node and for no place it may name.
        redirect: 'error',
        signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      });
      const text = await readBounded(response, maxAnswerBytes);
      if (!response.ok) return { kind: 'refused', status: response.status, message: refusalMessage(text) };
      const parsed = schema.safeParse(text === '' ? undefined : JSON.parse(text));
      if (parsed.success) return { kind: 'answer', value: parsed.data };
      return { kind: 'unreachable', reason: `unexpected answer: ${parsed.error.issues[0]?.message}` };
    } catch (error) {
      return {
        kind: 'unreachable',
        reason: timeout.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(error),
      };
    }
  }

  async function askForAll<T>(
    peer: Peer,
    request: PeerRequest,
    schema: z.ZodType<T>,
    own: () => T | null | Promise<T | null>,
  ): Promise<T | null> {
    if (peer.nodeId === config.nodeId) return own();
    const answer = await ask(peer, request, schema);
    if (answer.kind === 'answer') return answer.value;
    const reason = answer.kind === 'refused' ? `status ${answer.status}` : answer.reason;
    deps.logger.debug({ node: peer.nodeId, path: request.path, reason }, 'a node did not answer');
    return null;
  }

  async function open(peer: Peer, request: PeerRequest): Promise<AsyncIterable<Uint8Array>> {
    const beginning = new AbortController();
    const timer = setTimeout(() => beginning.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    const { signal } = request.caller;
    try {
      const response = await fetch(new URL(request.path, peer.transportAddress), {
        headers: { ...peerHeaders(request), accept: 'text/event-stream' },
        redirect: 'error',
        signal: signal ? AbortSignal.any([beginning.signal, signal]) : beginning.signal,
      });
      if (response.ok && response.body !== null) return response.body;
      const text = await readBounded(response, maxAnswerBytes);
      throw new Error(`status ${response.status}. ${refusalMessage(text)}`.trim());
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    ask,
    open,
    askAll(peers, request, schema, own) {
      // The common case, a cluster of one, is spared the rest.
      if (peers.length === 1 && peers[0]?.nodeId === config.nodeId) {
        const answer = own();
        return answer instanceof Promise
          ? answer.then((settled) => ({ [config.nodeId]: settled }))
          : { [config.nodeId]: answer };
      }
      return Promise.all(
        peers.map(async (peer) => [peer.nodeId, await askForAll(peer, request, schema, own)] as const),
      ).then((answers) => Object.fromEntries(answers));
    },
  };
}

/** Says who asks, in the caller's own words, and nothing else of what the caller sent. */
function peerHeaders(request: PeerRequest): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json' };
  const { authorization, cookie, 'x-graylog-no-session-extension': noExtension } = request.caller.headers;
  if (typeof authorization === 'string') headers.authorization = authorization;
  const session = typeof cookie === 'string' ? sessionCookie(cookie) : undefined;
  if (session !== undefined) headers.cookie = session;
  if (typeof noExtension === 'string') headers['x-graylog-no-session-extension'] = noExtension;
  if (request.method !== undefined && request.method !== 'GET') headers['x-requested-by'] = 'millrace-node';
  if (request.body !== undefined) headers['content-type'] = 'application/json';
  return headers;
}

function sessionCookie(cookie: string): string | undefined {
  return cookie
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${SESSION_COOKIE}=`));
}

async function readBounded(response: Response, limit: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop cancels the stream and with it the connection.
    if (size > limit) throw new Error(`the answer is longer than ${limit} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function refusalMessage(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string') {
      return body.message.slice(0, MAX_REFUSAL_LENGTH);
    }
  } catch {
    // Not from our API: a proxy's page, or nothing at all.
  }
  return '';
}

/** fetch hides what happened in the cause of a general "fetch failed". */
function reasonOf(error: unknown): string {
  return error instanceof Error && error.cause !== undefined
    ? errorMessage(error.cause)
    : errorMessage(error);
}
