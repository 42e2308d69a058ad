import { lookup as systemLookup } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { AllowedTargets } from './allowed-targets.ts';
import { errorCode, errorMessage } from './errors.ts';

export interface HttpRequest {
  readonly url: URL;
  readonly method: 'POST' | 'PUT' | 'GET';
  readonly headers: Readonly<Record<string, string>>;
  /** Headers that another server must not see: they are left out when a redirect leads elsewhere. */
  readonly ownHeaders?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
  /** For everything, redirects included. */
  readonly timeoutMs: number;
  /** So much of an answer is read. */
  readonly maxBytes: number;
  /** False: any certificate is taken. */
  readonly verifyTls?: boolean | undefined;
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  /** Of the server that answered: the last one, after redirects. */
  readonly origin: string;
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  /** Whether there was more than `maxBytes`. */
  readonly isCut: boolean;
}

/** No answer. Nothing of a URL but its origin is in the text: paths hold secrets. */
export class HttpFailure extends Error {
  /** `refused`: the address is not allowed. `not-listed`: the URL is not. */
  readonly kind: 'refused' | 'not-listed' | 'timeout' | 'redirects' | 'unreachable';

  constructor(kind: HttpFailure['kind'], message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/**
 * Calls servers that users have named.
 *
 * Contract: `request` resolves with the answer, whatever its status is, and rejects with an `HttpFailure`. Addresses that
 * are not allowed are refused when the connection is made, after the name was resolved, so that neither a redirect nor a
 * changed name leads there.
 */
export interface HttpClient {
  request(request: HttpRequest): Promise<HttpAnswer>;
  /** Ends connections that are kept open. */
  close(): void;
}

export interface HttpClientDeps {
  readonly targets: AllowedTargets;
  /** Replaces the system's resolver in tests. */
  readonly lookup?: typeof systemLookup;
  /** How many connections to a server may stay open for the next requests; none without. */
  readonly keptConnections?: number;
}

const MAX_REDIRECTS = 3;

export function createHttpClient(deps: HttpClientDeps): HttpClient {
  const send = createSender(deps);
  return {
    async request(request) {
      const timeout = AbortSignal.timeout(request.timeoutMs);
      const signal = AbortSignal.any([request.signal, timeout]);
      let { url } = request;
      const { origin } = url;
      for (let redirects = 0; ; redirects += 1) {
        if (deps.targets.urls?.isAllowed(url.href) === false) {
          throw new HttpFailure(
            'not-listed',
            `${url.origin} is not called: the URL is not on the list of allowed URLs (/system/urlallowlist)`,
          );
        }
        const headers = { ...request.headers, ...(url.origin === origin && request.ownHeaders) };
        const answer = await send
          .send({ ...request, url, headers, signal, isOwnServer: url.origin === origin })
          .catch((error) => {
            throw failureOf(error, url.origin, timeout.aborted ? request.timeoutMs : undefined);
          });
        const target = redirectTarget(answer, request.method, url);
        if (target === undefined) return answer;
        if (redirects === MAX_REDIRECTS) {
          throw new HttpFailure('redirects', `${url.origin} redirects more than ${MAX_REDIRECTS} times`);
        }
        url = target;
      }
    },
    close: send.close,
  };
}

class RefusedTarget extends Error {}

type SentRequest = Omit<HttpRequest, 'timeoutMs' | 'ownHeaders'> & {
  /** Not where a redirect leads. */
  readonly isOwnServer: boolean;
};

interface Sender {
  send(request: SentRequest): Promise<HttpAnswer>;
  close(): void;
}

function createSender({ targets, lookup = systemLookup, keptConnections = 0 }: HttpClientDeps): Sender {
  const kept = { keepAlive: true, maxFreeSockets: keptConnections };
  const agents = keptConnections > 0 ? [new http.Agent(kept), new https.Agent(kept)] : [];
  const checked = checkedLookup(targets, lookup);

  function sendOnce(request: SentRequest): Promise<HttpAnswer> {
    const { url, method, headers, signal, verifyTls } = request;
    const body = request.body === undefined ? undefined : Buffer.from(request.body);
    const isTls = url.protocol === 'https:';
    return new Promise((resolve, reject) => {
      const sent = (isTls ? https : http).request(
        url,
        {
          method,
          headers: { 'user-agent': 'Millrace', ...headers, ...(body && { 'content-length': body.length }) },
          // Without an agent every request has its own connection. Kept ones were checked when they were made. Redirects
          // may lead to any number of servers, each of which would keep some.
          agent: (request.isOwnServer && agents[isTls ? 1 : 0]) || false,
          lookup: checked,
          signal,
          ...(verifyTls === false && { rejectUnauthorized: false }),
        },
        (response) => {
          readAnswer(response, request).then(resolve, reject);
        },
      );
      sent.on('error', (error) => reject(sent.reusedSocket ? new KeptConnectionLost(error) : error));
      sent.end(body);
    });
  }

  return {
    async send(request) {
      const host = request.url.hostname.replace(/^\[(.*)\]$/, '$1');
      // A literal address is not looked up.
      if (isIP(host) !== 0 && !targets.isAllowed(host)) throw new RefusedTarget(host);
      for (;;) {
        try {
          return await sendOnce(request);
        } catch (error) {
          if (!(error instanceof KeptConnectionLost)) throw error;
          // The server has closed the connection just when it was used again.
          if (request.method !== 'GET' || errorCode(error.cause) !== 'ECONNRESET') throw error.cause;
        }
      }
    },
    close() {
      for (const agent of agents) agent.destroy();
    },
  };
}

class KeptConnectionLost extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
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

async function readAnswer(
  response: http.IncomingMessage,
  { url, maxBytes }: SentRequest,
): Promise<HttpAnswer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    bytes += chunk.length;
    // Leaving the loop ends the connection.
    if (bytes > maxBytes) break;
  }
  return {
    origin: url.origin,
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: Buffer.concat(chunks).subarray(0, maxBytes),
    isCut: bytes > maxBytes,
  };
}

/** Redirects that keep method and body: others would turn the request into a GET of something else. */
const KEEPING = [307, 308];
const REDIRECTS_OF_GET = [301, 302, 303, ...KEEPING];

function redirectTarget(
  { status, headers }: HttpAnswer,
  method: HttpRequest['method'],
  url: URL,
): URL | undefined {
  const followed = method === 'GET' ? REDIRECTS_OF_GET : KEEPING;
  if (!followed.includes(status) || headers.location === undefined) return undefined;
  const target = URL.parse(headers.location, url);
  return target !== null && /^https?:$/.test(target.protocol) ? target : undefined;
}

function failureOf(error: unknown, origin: string, timeoutMs: number | undefined): HttpFailure {
  const refused = refusedTarget(error);
  if (refused !== undefined) {
    return new HttpFailure('refused', `${origin} is at ${refused.message}, which is not a public address`);
  }
  if (timeoutMs !== undefined) {
    return new HttpFailure('timeout', `${origin} did not answer within ${timeoutMs} ms`, error);
  }
  return new HttpFailure('unreachable', `${origin} cannot be reached: ${reasonOf(error)}`, error);
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
