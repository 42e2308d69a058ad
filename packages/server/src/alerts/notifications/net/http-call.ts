import { lookup as systemLookup } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { errorMessage } from '#core/index.ts';
import { givesUp, SendFailure, triesAgain } from '../sending.ts';
import { shorten } from '../template/escape.ts';
import type { AllowedTargets } from './targets.ts';

export interface HttpCall {
  readonly url: string;
  readonly method: 'POST' | 'PUT' | 'GET';
  readonly headers: Readonly<Record<string, string>>;
  /** Headers that another host must not see: they are left out when a redirect leads elsewhere. */
  readonly secretHeaders?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For the whole call, redirects included. */
  readonly timeoutMs: number;
  /** False: any certificate is taken. */
  readonly verifyTls?: boolean;
  readonly signal: AbortSignal;
}

/**
 * Calls other servers for notifications.
 *
 * Contract: `call` resolves when the answer is 2xx and rejects with a `SendFailure` otherwise. Addresses that are not
 * allowed are refused when the connection is made, after the name was resolved, so that neither a redirect nor a changed
 * name leads there. Nothing of a URL but its origin is ever in an error: paths hold secrets.
 */
export interface HttpCaller {
  call(call: HttpCall): Promise<void>;
}

export interface HttpCallerDeps {
  readonly targets: AllowedTargets;
  /** Replaces the system's resolver in tests. */
  readonly lookup?: typeof systemLookup;
}

const MAX_REDIRECTS = 3;
/** So much of an answer is read; it is only shown to people. */
const MAX_ANSWER_BYTES = 4096;
const SHOWN_ANSWER_LENGTH = 300;

export function createHttpCaller(deps: HttpCallerDeps): HttpCaller {
  return {
    async call(call) {
      const timeout = AbortSignal.timeout(call.timeoutMs);
      const signal = AbortSignal.any([call.signal, timeout]);
      let url = new URL(call.url);
      const { origin } = url;
      for (let redirects = 0; ; redirects += 1) {
        const secrets = url.origin === origin ? call.secretHeaders : {};
        const answer = await request(deps, call, url, secrets, signal).catch((error) => {
          throw failureOf(error, url, timeout.aborted ? call.timeoutMs : undefined);
        });
        if (answer.status >= 200 && answer.status < 300) return;
        const target = redirectTarget(answer, url);
        if (target === undefined) throw refusal(answer, url);
        if (redirects === MAX_REDIRECTS) {
          throw givesUp(`${url.origin} redirects more than ${MAX_REDIRECTS} times`);
        }
        url = target;
      }
    },
  };
}

interface Answer {
  readonly status: number;
  readonly location: string | undefined;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

class RefusedTarget extends Error {}

function request(
  { targets, lookup = systemLookup }: HttpCallerDeps,
  call: HttpCall,
  url: URL,
  secretHeaders: HttpCall['secretHeaders'],
  signal: AbortSignal,
): Promise<Answer> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  // A literal address is not looked up.
  if (isIP(host) !== 0 && !targets.isAllowed(host)) return Promise.reject(new RefusedTarget(host));
  const body = call.body === undefined ? undefined : Buffer.from(call.body);
  return new Promise((resolve, reject) => {
    const client = url.protocol === 'https:' ? https : http;
    const sent = client.request(
      url,
      {
        method: call.method,
        headers: {
          'user-agent': 'Millrace',
          ...call.headers,
          ...secretHeaders,
          ...(body && { 'content-length': body.length }),
        },
        // Every call has its own connection, so that every call is checked.
        agent: false,
        lookup: checkedLookup(targets, lookup),
        signal,
        ...(call.verifyTls === false && { rejectUnauthorized: false }),
      },
      (response) => {
        readAnswer(response).then(resolve, reject);
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The addresses that are checked are the ones that are connected to. */
function checkedLookup(targets: AllowedTargets, lookup: typeof systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '', 0);
      const refused = addresses.find(({ address }) => !targets.isAllowed(address));
      if (refused !== undefined) return callback(new RefusedTarget(refused.address), '', 0);
      const [first] = addresses;
      if (first === undefined) return callback(new Error(`${hostname} has no address`), '', 0);
      if (options.all) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
}

async function readAnswer(response: http.IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    bytes += chunk.length;
    // Leaving the loop ends the connection.
    if (bytes >= MAX_ANSWER_BYTES) break;
  }
  return {
    status: response.statusCode ?? 0,
    location: response.headers.location,
    retryAfter: response.headers['retry-after'],
    text: Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString('utf8'),
  };
}

/** Only redirects that keep method and body: others would turn the call into a GET of something else. */
function redirectTarget({ status, location }: Answer, url: URL): URL | undefined {
  if ((status !== 307 && status !== 308) || location === undefined) return undefined;
  const target = URL.parse(location, url);
  return target !== null && /^https?:$/.test(target.protocol) ? target : undefined;
}

const RETRYABLE_STATUSES = new Set([408, 425, 429]);

function refusal({ status, text, retryAfter }: Answer, url: URL): SendFailure {
  const said = shorten(text.replace(/[\p{Cc}\s]+/gu, ' ').trim(), SHOWN_ANSWER_LENGTH);
  const message = `${url.origin} answered ${status}${said === '' ? '' : `: ${said}`}`;
  if (status >= 500 || RETRYABLE_STATUSES.has(status)) {
    const seconds = Number(retryAfter);
    const afterMs = Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 3600) * 1000 : undefined;
    return triesAgain(message, undefined, afterMs);
  }
  if (status >= 300 && status < 400) {
    return givesUp(`${message}. Enter the address it redirects to, or let it redirect with 307 or 308.`);
  }
  return givesUp(message);
}

function failureOf(error: unknown, url: URL, timeoutMs: number | undefined): SendFailure {
  if (error instanceof SendFailure) return error;
  const refused = refusedTarget(error);
  if (refused !== undefined) {
    return givesUp(
      `${url.origin} is at ${refused.message}, which is not a public address. If notifications may call it, add its network to notification_allowed_networks.`,
    );
  }
  if (timeoutMs !== undefined)
    return triesAgain(`${url.origin} did not answer within ${timeoutMs} ms`, error);
  return triesAgain(`${url.origin} cannot be reached: ${reasonOf(error)}`, error);
}

/** The lookup's error may come inside of another one. */
function refusedTarget(error: unknown): RefusedTarget | undefined {
  if (error instanceof RefusedTarget) return error;
  if (error instanceof AggregateError)
    return error.errors.map(refusedTarget).find((each) => each !== undefined);
  return error instanceof Error && error.cause !== undefined ? refusedTarget(error.cause) : undefined;
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return [...new Set(error.errors.map(errorMessage))].join('; ');
  return errorMessage(error);
}
