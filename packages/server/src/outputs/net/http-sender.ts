/** HTTP requests of outputs: one connection that is kept, requests one after the other. */
import http from 'node:http';
import https from 'node:https';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Secret, systemClock } from '#core/index.ts';
import { RefusedError, RetryAfterError } from '../output.ts';
import { connectFailure } from './stream-connection.ts';
import { type TlsClientConfig, tlsClientOptions } from './tls-client.ts';

export interface HttpSenderSettings {
  readonly url: string;
  readonly method?: 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  readonly gzip: boolean;
  readonly timeoutMs: number;
  readonly tls: TlsClientConfig;
  /** Which statuses mean that the messages will never be taken. */
  readonly refusedStatuses?: ReadonlySet<number>;
}

export interface HttpRequest {
  readonly body: Buffer;
  /** Replace those of the settings. */
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HttpSender {
  /** Resolves when the server has answered with success. */
  send(request: HttpRequest, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** The request itself is wrong. Anything else may be put right at the server: credentials, address, load. */
export const REFUSED_STATUSES: ReadonlySet<number> = new Set([400, 413, 414, 415, 422, 431]);
const MAX_ANSWER_BYTES = 4096;
const MAX_RETRY_AFTER_MS = 15 * 60_000;
const compress = promisify(gzip);

export function createHttpSender(settings: HttpSenderSettings): HttpSender {
  const { method = 'POST', refusedStatuses = REFUSED_STATUSES } = settings;
  let agent: http.Agent | undefined;

  async function agentFor(url: URL): Promise<http.Agent> {
    if (agent !== undefined) return agent;
    const options = { keepAlive: true, maxSockets: 1, scheduling: 'lifo' as const };
    agent =
      url.protocol === 'https:'
        ? new https.Agent({ ...options, ...(await tlsClientOptions(settings.tls)) })
        : new http.Agent(options);
    return agent;
  }

  async function post(request: HttpRequest, signal: AbortSignal): Promise<Answer> {
    const url = new URL(request.url ?? settings.url);
    const body = settings.gzip ? await compress(request.body) : request.body;
    const headers = {
      ...settings.headers,
      ...request.headers,
      ...(settings.gzip && { 'content-encoding': 'gzip' }),
      'content-length': body.length,
    };
    const timeout = AbortSignal.timeout(settings.timeoutMs);
    const options = {
      method,
      headers,
      agent: await agentFor(url),
      signal: AbortSignal.any([signal, timeout]),
    };
    try {
      return await exchange(url, options, body);
    } catch (error) {
      // Renewed certificates are read for the next connection.
      agent?.destroy();
      agent = undefined;
      if (timeout.aborted) throw new Error(`${url.host} did not answer within ${settings.timeoutMs} ms`);
      throw new Error(connectFailure(url.host, error), { cause: error });
    }
  }

  return {
    async send(request, signal) {
      const answer = await post(request, signal);
      const { status } = answer;
      if (status >= 200 && status < 300) return;
      const text = `the server answered ${status}${answer.text === '' ? '' : `: ${answer.text}`}`;
      if (refusedStatuses.has(status)) throw new RefusedError(text);
      const delayMs = retryAfterMs(answer.retryAfter);
      throw delayMs === undefined ? new Error(text) : new RetryAfterError(text, delayMs);
    },
    close() {
      agent?.destroy();
      agent = undefined;
    },
  };
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | undefined;
}

function exchange(url: URL, options: http.RequestOptions, body: Buffer): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const request = (url.protocol === 'https:' ? https : http).request(url, options, (response) => {
    const parts: Buffer[] = [];
    let length = 0;
    response.on('data', (part: Buffer) => {
      if (length < MAX_ANSWER_BYTES) parts.push(part);
      length += part.length;
    });
    response.on('error', reject);
    response.on('end', () => {
      const text = Buffer.concat(parts).toString('utf8').slice(0, MAX_ANSWER_BYTES);
      resolve({
        status: response.statusCode ?? 0,
        text: text.replaceAll(/\s+/g, ' ').trim().slice(0, 300),
        retryAfter: response.headers['retry-after'],
      });
    });
  });
  request.on('error', reject);
  request.end(body);
  return promise;
}

/** The value of the header. A user name cannot have a colon. */
export function basicAuthorization(username: string, password: Secret | undefined): string {
  return `Basic ${Buffer.from(`${username}:${password?.reveal() ?? ''}`).toString('base64')}`;
}

/** Seconds, or a date. Undefined when it is neither. */
export function retryAfterMs(value: string | undefined, now = systemClock.now()): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), MAX_RETRY_AFTER_MS);
}
