import type { ErrorCode } from '@millrace/contract';
import type { ConfigurationProblem } from './schema/index.ts';

/**
 * What services throw when the caller asked for something that cannot be done. The API maps the class to a
 * status in one place; the message goes to the user as it is, so it names the value and what to do.
 */
export abstract class ServiceError extends Error {
  /** Stable, documented in docs/errors.md. */
  readonly code: ErrorCode;
  /** Added to the answer's body beside `type` and `message` (its own `type` replaces `ApiError`). */
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** Everything that is wrong, with its place in the request; a 400 answer lists it. */
  readonly problems: readonly ConfigurationProblem[];

  constructor(message: string, code: ErrorCode, options: ServiceErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.code ?? code;
    this.details = options.details;
    this.problems = options.problems ?? [{ path: options.path ?? '', message }];
  }
}

export interface ServiceErrorOptions {
  /** A more exact code than the class's own; the status of the answer is that of the code. */
  readonly code?: ErrorCode;
  readonly details?: Readonly<Record<string, unknown>>;
  /** What the message is about: a field of the body or a parameter. Empty: the request as a whole. */
  readonly path?: string;
  /** Instead of `path`, when several things are wrong. */
  readonly problems?: readonly ConfigurationProblem[];
  readonly cause?: unknown;
}

/** 400: the request says something impossible. */
export class InvalidError extends ServiceError {
  override readonly name = 'InvalidError';
  constructor(message: string, options?: ServiceErrorOptions) {
    super(message, 'invalid_request', options);
  }
}

/** 401: the caller is not known. The answer has no body. */
export class UnauthenticatedError extends ServiceError {
  override readonly name = 'UnauthenticatedError';
  constructor(message = 'not authenticated', options?: ServiceErrorOptions) {
    super(message, 'unauthenticated', options);
  }
}

/** 403: the caller may not do this. The answer names the permission that is missing, if it is one. */
export class ForbiddenError extends ServiceError {
  override readonly name = 'ForbiddenError';
  constructor(message = 'Not authorized', options?: ServiceErrorOptions & { readonly needs?: string }) {
    const { needs, ...rest } = options ?? {};
    super(message, 'forbidden', {
      ...rest,
      ...(needs !== undefined && { details: { ...rest.details, missing_permission: needs } }),
    });
  }
}

/** 404: there is no such thing. */
export class NotFoundError extends ServiceError {
  override readonly name = 'NotFoundError';
  constructor(message: string, options?: ServiceErrorOptions) {
    super(message, 'not_found', options);
  }
}

/** 409: the thing is not in the state the request expects. A name that is taken is an `InvalidError`. */
export class StateConflictError extends ServiceError {
  override readonly name = 'StateConflictError';
  constructor(message: string, options?: ServiceErrorOptions) {
    super(message, 'conflict', options);
  }
}

/** 429: too often. */
export class TooManyRequestsError extends ServiceError {
  override readonly name = 'TooManyRequestsError';
  readonly retryAfterSeconds: number;
  constructor(message: string, retryAfterSeconds: number, options?: ServiceErrorOptions) {
    super(message, 'too_many_requests', options);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** 503: not now; the same request can succeed later. */
export class UnavailableError extends ServiceError {
  override readonly name = 'UnavailableError';
  readonly retryAfterSeconds: number;
  constructor(message: string, retryAfterSeconds = 5, options?: ServiceErrorOptions) {
    super(message, 'unavailable', options);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
