import type { z } from 'zod';
import { errorMessage, SESSION_COOKIE } from '#core/index.ts';
import type { Logger } from '#telemetry/index.ts';

/** What it takes to call another node. */
export interface Peer {
  readonly nodeId: string;
  /** The root of its REST API, with a trailing slash: `http://10.0.0.2:9000/api/`. */
  readonly transportAddress: string;
}

/** The request on whose behalf another node is called. A route's request is one. */
export interface CallerRequest {
  /** By lower-case name. Only the headers that identify the caller are passed on. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Aborted when the caller disconnects. Read only when there is a peer to call, because creating one is not free. */
  readonly signal?: AbortSignal;
}

export interface PeerRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /**
   * Relative to the API's root, without a leading slash, every parameter percent-encoded. The peer must be able to
   * answer it alone (`system/...`): if it called its own peers, calls could loop forever.
   */
  readonly path: `system${string}` | `count${string}` | `search/tail${string}` | `views/search/${string}`;
  readonly body?: unknown;
  readonly caller: CallerRequest;
  /** For answers that are larger or take longer than others. */
  readonly limits?: PeerLimits;
}

export interface PeerLimits {
  /** How long one node may take. */
  readonly timeoutMs?: number;
  /** A longer answer counts as no answer. */
  readonly maxAnswerBytes?: number;
}

/** `unreachable`: no answer in time, or one that cannot be read. */
export type PeerAnswer<T> =
  | { readonly kind: 'answer'; readonly value: T }
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  | { readonly kind: 'unreachable'; readonly reason: string };

export interface FanOut {
  /** Calls one node. Never rejects. */
  ask<T>(peer: Peer, request: PeerRequest, schema: z.ZodType<T>): Promise<PeerAnswer<T>>;
  /**
   * Calls all peers in parallel, and `own` instead of HTTP for this node. The result has one entry per node: `null`
   * if the node gave no usable answer within the time limit. Never rejects because of a peer. Returns a plain value,
   * not a promise, when this node is the only one and `own` is synchronous.
   */
  askAll<T>(
    peers: readonly Peer[],
    request: PeerRequest,
    schema: z.ZodType<T>,
    own: () => T | null | Promise<T | null>,
  ): AllAnswers<T> | Promise<AllAnswers<T>>;
  /**
   * Opens a streamed answer, which lasts until the caller's signal aborts it. The time limit covers only its start.
   * Rejects when the peer refuses or does not answer.
   */
  open(peer: Peer, request: PeerRequest): Promise<AsyncIterable<Uint8Array>>;
}

/** By node id. */
export type AllAnswers<T> = Record<string, T | null>;

export interface FanOutSettings extends PeerLimits {
  readonly nodeId: string;
}

const DEFAULT_LIMITS = { timeoutMs: 3000, maxAnswerBytes: 16 * 1024 * 1024 };
const MAX_REFUSAL_LENGTH = 300;

export function createFanOut(deps: { readonly logger: Logger }, settings: FanOutSettings): FanOut {
  const usual = { ...DEFAULT_LIMITS, ...settings };

  async function ask<T>(peer: Peer, request: PeerRequest, schema: z.ZodType<T>): Promise<PeerAnswer<T>> {
    const { timeoutMs, maxAnswerBytes } = { ...usual, ...request.limits };
    const timeout = AbortSignal.timeout(timeoutMs);
    const { signal } = request.caller;
    try {
      const response = await fetch(new URL(request.path, peer.transportAddress), {
        method: request.method ?? 'GET',
        headers: peerHeaders(request),
        // A redirect would send the caller's credentials somewhere else.
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
    if (peer.nodeId === settings.nodeId) return own();
    const answer = await ask(peer, request, schema);
    if (answer.kind === 'answer') return answer.value;
    const reason = answer.kind === 'refused' ? `status ${answer.status}` : answer.reason;
    deps.logger.debug({ node: peer.nodeId, path: request.path, reason }, 'a node did not answer');
    return null;
  }

  async function open(peer: Peer, request: PeerRequest): Promise<AsyncIterable<Uint8Array>> {
    const { timeoutMs, maxAnswerBytes } = { ...usual, ...request.limits };
    const starting = new AbortController();
    const timer = setTimeout(() => starting.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    const { signal } = request.caller;
    try {
      const response = await fetch(new URL(request.path, peer.transportAddress), {
        headers: { ...peerHeaders(request), accept: 'text/event-stream' },
        redirect: 'error',
        signal: signal ? AbortSignal.any([starting.signal, signal]) : starting.signal,
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
      // Fast path: a cluster of one.
      if (peers.length === 1 && peers[0]?.nodeId === settings.nodeId) {
        const answer = own();
        return answer instanceof Promise
          ? answer.then((settled) => ({ [settings.nodeId]: settled }))
          : { [settings.nodeId]: answer };
      }
      return Promise.all(
        peers.map(async (peer) => [peer.nodeId, await askForAll(peer, request, schema, own)] as const),
      ).then((answers) => Object.fromEntries(answers));
    },
  };
}

/** Passes on the caller's credentials and no other header of the caller. */
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
    // Leaving the loop cancels the stream and closes the connection.
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
    // Not from our API: perhaps a proxy's error page, or an empty body.
  }
  return '';
}

/** fetch rejects with a general "fetch failed" and puts the real reason into `cause`. */
function reasonOf(error: unknown): string {
  return error instanceof Error && error.cause !== undefined
    ? errorMessage(error.cause)
    : errorMessage(error);
}
