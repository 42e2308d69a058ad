import { InvalidError, ServiceError } from '#core/index.ts';
import { clickHouseErrorCode } from '#storage/index.ts';

/** The search is fine but cannot be carried out within its limits. Graylog's shape for it. */
export class SearchFailedError extends ServiceError {
  override readonly name = 'SearchFailedError';
  constructor(message: string, detail: string, options: { readonly cause?: unknown } = {}) {
    super(message, 'search_failed', {
      ...options,
      details: { type: 'SearchError', details: [detail] },
    });
  }
}

/** Bytes of one answer that is held as a whole: what becomes of it in the main thread is several times as large. */
export const MAX_ANSWER_BYTES = 64 * 2 ** 20;

const TOO_MANY_ROWS_OR_BYTES = 396;
const CANNOT_COMPILE_REGEXP = 427;
const TOO_BIG_AST = 168;
const TOO_DEEP_AST = 167;
const TOO_DEEP_RECURSION = 306;
const TIMEOUT_EXCEEDED = 159;
const TOO_SLOW = 160;
const MEMORY_LIMIT_EXCEEDED = 241;

/** What the caller of a search sees of an error of the engine: limits in their words, anything else as it is. */
export function toSearchError(
  error: unknown,
  limits: { readonly timeoutMs: number; readonly maxMemoryBytes: number },
): unknown {
  switch (clickHouseErrorCode(error)) {
    case TIMEOUT_EXCEEDED:
    case TOO_SLOW:
      return new SearchFailedError(
        `The search took longer than ${limits.timeoutMs / 1000} s and was ended. Search a shorter time range or fewer streams, or raise search_timeout.`,
        `search_timeout: ${limits.timeoutMs / 1000} s`,
        { cause: error },
      );
    case MEMORY_LIMIT_EXCEEDED:
      return new SearchFailedError(
        `The search needed more memory than it may have (${Math.round(limits.maxMemoryBytes / 2 ** 20)} MiB) and was ended. Search a shorter time range, group by fewer values, or raise search_max_memory.`,
        `search_max_memory: ${limits.maxMemoryBytes} bytes`,
        { cause: error },
      );
    case TOO_MANY_ROWS_OR_BYTES:
      return new SearchFailedError(
        `The answer is larger than ${MAX_ANSWER_BYTES / 2 ** 20} MiB. Ask for fewer messages or groups at once or for fewer fields, or export the messages.`,
        `largest answer: ${MAX_ANSWER_BYTES} bytes`,
        { cause: error },
      );
    case CANNOT_COMPILE_REGEXP:
      return new InvalidError(
        'A regular expression of the query is too large to be searched with. Repeat less in it, or use wildcards.',
        { cause: error },
      );
    case TOO_BIG_AST:
    case TOO_DEEP_AST:
    case TOO_DEEP_RECURSION:
      return new InvalidError('The query is too large to be searched with. Use fewer terms or brackets.', {
        cause: error,
      });
    default:
      return error;
  }
}
