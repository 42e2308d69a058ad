import { randomBytes } from 'node:crypto';
import { ERROR_CODES, type ErrorCode } from '@millrace/contract';
import {
  ConflictError,
  errorCode,
  RetryableError,
  ServiceError,
  TooManyRequestsError,
  UnavailableError,
} from '#core/index.ts';
import type { Logger } from '#telemetry/index.ts';

/** What is sent for an error. A 401 has no body. */
export interface ErrorAnswer {
  readonly status: number;
  readonly code: ErrorCode;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** What is known of the route that a request was for. */
export interface AnsweredRoute {
  /** In bytes. */
  readonly bodyLimit?: number | undefined;
}

const NO_HEADERS: Readonly<Record<string, string>> = {};
const RETRY_AFTER_SECONDS = 5;

/** Fastify's own errors, by its codes. */
const FRAMEWORK_ERRORS = new Map<string, { code: ErrorCode; message: string }>(
  Object.entries({
    FST_ERR_CTP_INVALID_MEDIA_TYPE: {
      code: 'unsupported_media_type',
      message: 'HTTP 415 Unsupported Media Type: send the body as application/json.',
    },
    FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
      code: 'malformed_request',
      message: 'The length of the body differs from Content-Length.',
    },
    FST_ERR_BAD_URL: { code: 'malformed_request', message: 'The path is not a valid percent-encoded URL.' },
    FST_ERR_MAX_PARAM_LENGTH: { code: 'not_found', message: 'HTTP 404 Not Found' },
    // A path with `//` or `..`, which no file of the web interface has.
    FST_STATIC_FORBIDDEN_PATH: { code: 'not_found', message: 'HTTP 404 Not Found' },
  }),
);

export function errorAnswer(
  code: ErrorCode,
  message: string,
  headers: Readonly<Record<string, string>> = NO_HEADERS,
): ErrorAnswer {
  const { status } = ERROR_CODES[code];
  const body = { type: 'ApiError', message, ...(status === 400 && { problems: [{ path: '', message }] }) };
  return { status, code, body, headers };
}

/**
 * The one place that turns a thrown value into an answer. An unknown error is a bug of ours: it is logged in full with
 * a reference, and the client gets only that reference.
 */
export function answerForError(
  error: unknown,
  logger: Logger,
  { bodyLimit }: AnsweredRoute = {},
): ErrorAnswer {
  if (error instanceof ServiceError) return answerForServiceError(error);
  if (error instanceof ConflictError) return errorAnswer('conflict', error.message);
  if (errorCode(error) === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge(bodyLimit);
  const framework = FRAMEWORK_ERRORS.get(errorCode(error) ?? '');
  if (framework !== undefined) return errorAnswer(framework.code, framework.message);

  // Whoever asked has gone away, or the node stops: nothing went wrong.
  if (error instanceof DOMException && error.name === 'AbortError') {
    logger.debug('a request was given up before it was answered');
    return errorAnswer('unavailable', 'The request was given up before it was answered.');
  }

  const reference = randomBytes(6).toString('hex');
  if (error instanceof RetryableError) {
    logger.warn({ err: error, reference }, 'a request failed because something it needs is unavailable');
    return errorAnswer(
      'unavailable',
      `The server cannot do this right now; try again. See reference ${reference} in its log for the reason.`,
      { 'retry-after': String(RETRY_AFTER_SECONDS) },
    );
  }
  logger.error({ err: error, reference }, 'a request failed with an internal error');
  return errorAnswer(
    'internal_error',
    `Internal server error. See reference ${reference} in the server's log for the details.`,
  );
}

/** For a client that has gone away before the end of its body. It does not read this: the access log and metrics do. */
export function answerForLeaving(logger: Logger): ErrorAnswer {
  logger.debug('a client closed its connection before the end of its body');
  return errorAnswer('malformed_request', 'The connection was closed before the end of the body.');
}

function bodyTooLarge(limit: number | undefined): ErrorAnswer {
  const accepted = limit === undefined ? 'this endpoint' : `the ${limit} bytes that this endpoint`;
  return errorAnswer('body_too_large', `The body is larger than ${accepted} accepts.`);
}

function answerForServiceError(error: ServiceError): ErrorAnswer {
  const status = ERROR_CODES[error.code].status;
  const headers =
    error instanceof TooManyRequestsError || error instanceof UnavailableError
      ? { 'retry-after': String(Math.max(1, Math.ceil(error.retryAfterSeconds))) }
      : NO_HEADERS;
  const body =
    status === 401
      ? undefined
      : {
          type: 'ApiError',
          message: error.message,
          ...(status === 400 && { problems: error.problems }),
          ...(error.details ?? {}),
        };
  return { status, code: error.code, body, headers };
}
