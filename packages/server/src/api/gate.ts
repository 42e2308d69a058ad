import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type AuthenticationResult,
  type Authenticator,
  DEVICE_COOKIE,
  ForbiddenError,
  InvalidError,
  isAuthenticationFailure,
  type Principal,
  SESSION_COOKIE,
  TooManyRequestsError,
  UnauthenticatedError,
} from '#core/index.ts';
import { clientAddress } from './client-address.ts';
import type { AuthenticateOptions, Route } from './route.ts';

/**
 * Decides whether a request may proceed, before any of the body is read: authentication (401), permission (403), CSRF
 * header (400), content type (415). In this order, so that errors do not reveal anything to unauthorised callers.
 */
export type Gate = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the gate on every route that is not public. */
    principal: Principal | undefined;
  }
}

const DEFAULT_RETRY_AFTER_SECONDS = 30;

export function createGate(route: Route, authenticator: Authenticator): Gate {
  const needsCsrfHeader = route.method !== 'GET';
  const { permission } = route;
  const isPublic = typeof permission === 'object' && permission.kind === 'public';

  function checkRequest(request: FastifyRequest): void {
    if (needsCsrfHeader) requireCsrfHeader(request);
    if (route.body === undefined) return;
    if (!isTextBody(route, request)) requireJson(request);
    requirePlainBody(request);
  }

  function admit(request: FastifyRequest, result: AuthenticationResult): void {
    const principal = requirePrincipal(result);
    if (typeof permission === 'string') requirePermission(principal, route, request);
    request.principal = principal;
    checkRequest(request);
  }

  return (request, _reply, done) => {
    try {
      if (isPublic) {
        checkRequest(request);
        done();
        return;
      }
      const result = authenticateRequest(authenticator, request);
      if (!(result instanceof Promise)) {
        admit(request, result);
        done();
        return;
      }
      // `done` runs the rest of the request, so an error there must not lead to a second call of `done`.
      result.then((settled) => admit(request, settled)).then(() => done(), done);
    } catch (error) {
      done(error as Error);
    }
  };
}

export function authenticateRequest(
  authenticator: Authenticator,
  request: FastifyRequest,
  options: AuthenticateOptions = {},
): AuthenticationResult | Promise<AuthenticationResult> {
  const { authorization, cookie } = request.headers;
  return authenticator.authenticate({
    authorization,
    sessionCookie: cookieValue(cookie, SESSION_COOKIE),
    deviceCookie: cookieValue(cookie, DEVICE_COOKIE),
    remoteAddress: clientAddress(request),
    extendSession:
      options.extendSession !== false && request.headers['x-graylog-no-session-extension'] !== 'true',
  });
}

function requirePrincipal(result: AuthenticationResult): Principal {
  if (!isAuthenticationFailure(result)) return result;
  switch (result.failure) {
    case 'malformed':
      throw new InvalidError(
        'Invalid credentials in the Authorization header: expected "Basic" followed by name:password in base64.',
        { code: 'malformed_credentials' },
      );
    case 'refused':
      throw new TooManyRequestsError(
        'Too many failed logins. Wait before trying again.',
        result.retryAfterSeconds ?? DEFAULT_RETRY_AFTER_SECONDS,
      );
    case 'missing':
    case 'wrong':
      throw new UnauthenticatedError();
  }
}

function requirePermission(principal: Principal, route: Route, request: FastifyRequest): void {
  const permission = route.permission as string;
  if (route.instance === undefined) {
    if (!principal.can(permission)) throw new ForbiddenError('Not authorized', { needs: permission });
    return;
  }
  const instance = route.instance(request.params as Record<string, string>);
  if (!principal.can(permission, instance)) {
    throw new ForbiddenError(`Not authorized to access ${instance}`, { needs: `${permission}:${instance}` });
  }
}

/** What Node makes of headers without a value that are sent several times. */
const BLANK_HEADERS = /^[\s,]*$/;

function requireCsrfHeader(request: FastifyRequest): void {
  const value = request.headers['x-requested-by'];
  if (value === undefined || BLANK_HEADERS.test(value.toString())) {
    throw new InvalidError(
      'CSRF protection header is missing. Add the header "X-Requested-By" with any value to the request.',
      { code: 'csrf_header_missing' },
    );
  }
}

const TEXT_TYPE = /^\s*text\/plain\s*(?:;|$)/i;

/** Whether the body is text that the route takes as it is. */
export function isTextBody(
  { textBody }: Pick<Route, 'textBody'>,
  { headers }: Pick<FastifyRequest, 'headers'>,
): boolean {
  return textBody !== undefined && TEXT_TYPE.test(headers['content-type'] ?? '');
}

const JSON_TYPE = /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** Others are no compressions: clients that name a character set there have always been understood. */
const COMPRESSION = /(?:^|,)\s*(?:x-)?(?:gzip|compress|deflate|br|zstd)\s*(?:,|$)/i;

function requirePlainBody({ headers }: FastifyRequest): void {
  if (!COMPRESSION.test(headers['content-encoding'] ?? '')) return;
  throw new InvalidError(
    'HTTP 415 Unsupported Media Type: send the body as it is, without Content-Encoding.',
    { code: 'unsupported_media_type' },
  );
}

/** A missing content type is accepted: the body is assumed to be what the route expects. */
function requireJson(request: FastifyRequest): void {
  const contentType = request.headers['content-type'];
  if (contentType === undefined || JSON_TYPE.test(contentType)) return;
  const { 'content-length': length, 'transfer-encoding': transferEncoding } = request.headers;
  if (transferEncoding === undefined && (length === undefined || length === '0')) return;
  throw new InvalidError('HTTP 415 Unsupported Media Type: send the body as application/json.', {
    code: 'unsupported_media_type',
  });
}

/** Finds one cookie in the header. Quoted values are not handled: a session id has no quotes. */
export function cookieValue(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined;
  let start = 0;
  while (start < header.length) {
    let end = header.indexOf(';', start);
    if (end < 0) end = header.length;
    const equals = header.indexOf('=', start);
    if (equals >= 0 && equals < end && header.slice(start, equals).trim() === name) {
      return header.slice(equals + 1, end).trim();
    }
    start = end + 1;
  }
  return undefined;
}
