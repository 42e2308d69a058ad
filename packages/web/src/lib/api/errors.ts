import type { ErrorCode } from '@millrace/contract';

/** A field of a request that the server refused, by its path in the body. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

export interface ApiErrorDetails {
  readonly status: number;
  readonly code?: ErrorCode | undefined;
  readonly problems?: readonly Problem[] | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly body?: unknown;
}

/** The server answered, but not with what was asked for. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** From the header `X-Millrace-Error-Code`; missing when a proxy answered in the server's place. */
  readonly code: ErrorCode | undefined;
  readonly problems: readonly Problem[];
  readonly retryAfterSeconds: number | undefined;
  /** The whole body, for errors that carry more than a message. */
  readonly body: unknown;

  constructor(message: string, details: ApiErrorDetails) {
    super(message);
    this.status = details.status;
    this.code = details.code;
    this.problems = details.problems ?? [];
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.body = details.body;
  }
}

/** No answer at all: the node is away, or the network is. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';

  constructor(options?: ErrorOptions) {
    super('The server does not answer.', options);
  }
}

export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** What to tell a person about any error that reaches a page. */
export function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}

export const UNAUTHENTICATED = 401;

/** Nobody is logged in, or the password is wrong. */
export function isUnauthenticated(error: unknown): boolean {
  return error instanceof ApiError && error.status === UNAUTHENTICATED;
}
