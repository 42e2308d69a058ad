import type { ErrorCode } from '@millrace/contract';
import { parseJson } from '../exact-json.ts';
import type { EndpointName, RequestOf, ResponseOf } from './endpoints/index.ts';
import { ApiError, isAborted, NetworkError, type Problem, UNAUTHENTICATED } from './errors.ts';
import type { SessionGuard } from './session-guard.ts';
import type { Turns } from './turns.ts';

/** The same name as `ERROR_CODE_HEADER` of the contract, which would bring Zod along. */
export const ERROR_CODE_HEADER = 'X-Millrace-Error-Code';
const NO_CONTENT = 204;

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Asked by a timer: it does not keep the session alive, unless somebody has pressed something since the last call. */
  readonly isBackground?: boolean | undefined;
  /** For calls that mean to find out whether somebody is logged in: 401 is an error like any other. */
  readonly isLoginCheck?: boolean | undefined;
}

type CallArguments<Name extends EndpointName> =
  Partial<RequestOf<Name>> extends RequestOf<Name>
    ? [request?: RequestOf<Name> & CallOptions]
    : [request: RequestOf<Name> & CallOptions];

export type Call = <Name extends EndpointName>(
  endpoint: Name,
  ...[request]: CallArguments<Name>
) => Promise<ResponseOf<Name>>;

export interface ClientDeps {
  readonly fetch: typeof fetch;
  readonly session: SessionGuard;
  /** Told after every call whether the server answered. */
  readonly onContact: (isReachable: boolean) => void;
  /** Whether somebody has pressed something since the last call. */
  readonly isAttended: () => boolean;
  /** Searches wait for their turn: the server refuses those of one user beyond a number. */
  readonly turns: Turns;
}

/** What any call consists of, once its types have done their work. */
export interface PlainRequest extends CallOptions {
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly accept?: string | undefined;
}

export interface Client {
  readonly call: Call;
  /** For answers that are not JSON: exports, event streams. Errors are thrown as by `call`. */
  readonly open: (endpoint: string, request: PlainRequest) => Promise<Response>;
}

/** What the server counts as searches, and what else makes the engine work for long. */
const SEARCH =
  /^(?:POST \/(?:messages\/search|search\/(?!complete|history|saved|tail|validate)|views\/)|GET \/streams\/alerts\/\{alertId\}\/values)/;

export function createClient({ fetch, session, onContact, turns, isAttended }: ClientDeps): Client {
  async function send(endpoint: string, request: PlainRequest): Promise<Response> {
    const isBackground = !isAttended() && request.isBackground;
    try {
      const response = await fetch(urlOf(endpoint, request), initOf(endpoint, { ...request, isBackground }));
      onContact(true);
      return response;
    } catch (error) {
      if (isAborted(error) || request.signal?.aborted) throw error;
      onContact(false);
      throw new NetworkError({ cause: error });
    }
  }

  async function open(endpoint: string, request: PlainRequest): Promise<Response> {
    const sessionThen = session.restorations();
    const response = await send(endpoint, request);
    if (response.ok) return response;
    if (response.status === UNAUTHENTICATED && !request.isLoginCheck) {
      if (session.restorations() === sessionThen) await session.untilRestored(request.signal);
      return open(endpoint, request);
    }
    throw await errorOf(response);
  }

  async function answerTo(endpoint: string, request: PlainRequest): Promise<unknown> {
    const response = await open(endpoint, request);
    if (response.status === NO_CONTENT) return undefined;
    const text = await response.text();
    return text === '' ? undefined : parseJson(text);
  }

  function call(endpoint: string, request: PlainRequest = {}): Promise<unknown> {
    const work = () => answerTo(endpoint, request);
    return SEARCH.test(endpoint) ? turns.run(request.signal, work) : work();
  }

  return { call: call as Call, open };
}

function urlOf(endpoint: string, { path = {}, query = {} }: PlainRequest): string {
  const template = endpoint.slice(endpoint.indexOf(' ') + 1);
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null) parameters.append(name, String(item));
    }
  }
  return `/api${filled}${parameters.size === 0 ? '' : `?${parameters}`}`;
}

function initOf(endpoint: string, request: PlainRequest): RequestInit {
  const headers: Record<string, string> = {
    Accept: request.accept ?? 'application/json',
    'X-Requested-By': 'millrace-web',
    // Without it a 401 asks for Basic credentials, and the browser shows its own log-in box.
    'X-Requested-With': 'XMLHttpRequest',
  };
  if (request.body !== undefined) headers['Content-Type'] = 'application/json';
  if (request.isBackground) headers['X-Graylog-No-Session-Extension'] = 'true';
  return {
    method: endpoint.slice(0, endpoint.indexOf(' ')),
    headers,
    credentials: 'same-origin',
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    ...(request.signal ? { signal: request.signal } : {}),
  };
}

async function errorOf(response: Response): Promise<ApiError> {
  const body = await readBody(response);
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return new ApiError(
    missingIn(body) ?? messageIn(body) ?? `The server answered with status ${response.status}.`,
    {
      status: response.status,
      code: (response.headers.get(ERROR_CODE_HEADER) as ErrorCode | null) ?? undefined,
      problems: problemsIn(body),
      retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
      body,
    },
  );
}

async function readBody(response: Response): Promise<unknown> {
  try {
    return JSON.parse(await response.text());
  } catch {
    // A proxy's page, or nothing: there is still the status.
    return undefined;
  }
}

/** The server says `Not authorized`, as clients expect; people want to know what to ask for. Other words stay. */
function missingIn(body: unknown): string | undefined {
  if (!isRecord(body) || typeof body.missing_permission !== 'string') return undefined;
  if (!/^Not (?:authorized|allowed)/.test(messageIn(body) ?? '')) return undefined;
  const [kind, action, ...instance] = body.missing_permission.split(':');
  const forWhat = instance.length === 0 ? '' : ` for ${instance.join(':')}`;
  return `Needs ${kind}:${action}${forWhat}. Ask an administrator.`;
}

function messageIn(body: unknown): string | undefined {
  return isRecord(body) && typeof body.message === 'string' ? body.message : undefined;
}

function problemsIn(body: unknown): Problem[] {
  if (!isRecord(body) || !Array.isArray(body.problems)) return [];
  return body.problems.flatMap((problem: unknown) =>
    isRecord(problem) && typeof problem.path === 'string' && typeof problem.message === 'string'
      ? [{ path: problem.path, message: problem.message }]
      : [],
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
