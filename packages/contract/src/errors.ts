import { z } from 'zod';

/**
 * Every error code of the API with its status and meaning. Codes are stable: clients may rely on them, so
 * one is never renamed or given another meaning. `docs/errors.md` is compared with this table by a test.
 *
 * The code travels in the header `X-Millrace-Error-Code`: the body is what Graylog's clients expect.
 */
export const ERROR_CODES = {
  invalid_request: { status: 400, meaning: 'A path, query or body value is not what the endpoint expects.' },
  malformed_body: { status: 400, meaning: 'The body is not JSON.' },
  malformed_request: {
    status: 400,
    meaning: 'The request line, a header or the path cannot be read, or Host is missing.',
  },
  csrf_header_missing: {
    status: 400,
    meaning: 'Every request except GET, HEAD and OPTIONS needs the header X-Requested-By with a value.',
  },
  malformed_credentials: { status: 400, meaning: 'The Basic credentials contain no colon.' },
  unauthenticated: { status: 401, meaning: 'The credentials are missing or wrong. The answer has no body.' },
  forbidden: {
    status: 403,
    meaning: 'The user lacks a permission; `missing_permission` in the body names it.',
  },
  not_found: { status: 404, meaning: 'The endpoint or the object does not exist.' },
  method_not_allowed: { status: 405, meaning: 'The path exists, but not with this method; see `Allow`.' },
  request_timeout: { status: 408, meaning: 'The request did not arrive in time.' },
  conflict: { status: 409, meaning: 'The object is not in the state the request expects.' },
  body_too_large: { status: 413, meaning: 'The body is larger than `http_max_body_size`.' },
  unsupported_media_type: { status: 415, meaning: 'The body must be sent as application/json.' },
  expectation_failed: {
    status: 417,
    meaning: 'The header Expect asks for something else than 100-continue.',
  },
  too_many_requests: { status: 429, meaning: 'Too many attempts; see `Retry-After`.' },
  headers_too_large: { status: 431, meaning: 'The headers are larger than `http_max_header_size`.' },
  internal_error: {
    status: 500,
    meaning: 'An internal error of the server; the message has the reference of the entry in its log.',
  },
  search_failed: {
    status: 500,
    meaning: 'The search exceeded its limit of time or memory; the message says which.',
  },
  delivery_failed: {
    status: 500,
    meaning: 'A notification could not be sent; the message has the reason.',
  },
  unavailable: { status: 503, meaning: 'Something the server needs is unavailable; see `Retry-After`.' },
} as const satisfies Record<string, { status: number; meaning: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;

export const ERROR_CODE_HEADER = 'X-Millrace-Error-Code';

/** One thing that is wrong with a request or with a configuration. */
export const problemSchema = z
  .looseObject({
    path: z
      .string()
      .describe(
        'Where: `configuration.port` or `rules[0].field` in a body, or the name of a parameter. Empty for the request as a whole.',
      ),
    message: z.string(),
  })
  .meta({ id: 'Problem' });
/** Some problems say more, such as where in a query. */
export type Problem = Pick<z.infer<typeof problemSchema>, 'path' | 'message'>;

/** The body of every error but 401, which has none. */
export const apiErrorSchema = z
  .looseObject({
    type: z.string().describe('`ApiError` unless the endpoint documents another type.'),
    message: z.string(),
    missing_permission: z
      .string()
      .optional()
      .describe('Of a 403: the permission that the caller lacks, such as `streams:edit:5c3b…`.'),
    problems: z
      .array(problemSchema)
      .readonly()
      .optional()
      .describe('Of a 400: everything that is wrong, each with its place in the request.'),
  })
  .meta({ id: 'ApiError', description: 'What went wrong and, where possible, what to do about it.' });
export type ApiError = z.infer<typeof apiErrorSchema>;
