import { errorMessage, InvalidError, ServiceError, UnavailableError } from '#core/index.ts';
import { clickHouseErrorCode } from '#storage/index.ts';

/** The search is valid but exceeds a limit. In Graylog's shape. */
export class SearchFailedError extends ServiceError {
  override readonly name = 'SearchFailedError';
  constructor(message: string, detail: string, options: { readonly cause?: unknown } = {}) {
    super(message, 'search_failed', {
      ...options,
      details: { type: 'SearchError', details: [detail] },
    });
  }
}

/** The largest answer that is held in memory as a whole. Its objects take several times as much in the main thread. */
export const MAX_ANSWER_BYTES = 64 * 2 ** 20;

const UNKNOWN_TABLE = 60;
const TOO_MANY_ROWS_OR_BYTES = 396;
const NOT_ENOUGH_SPACE = 243;
const CANNOT_COMPILE_REGEXP = 427;
const TOO_BIG_AST = 168;
const TOO_DEEP_AST = 167;
const TOO_DEEP_RECURSION = 306;
const TIMEOUT_EXCEEDED = 159;
const TOO_SLOW = 160;
const MEMORY_LIMIT_EXCEEDED = 241;

/** Turns the engine's errors that a search can meet into errors for the caller. Returns any other error unchanged. */
export function toSearchError(
  error: unknown,
  limits: {
    readonly timeoutMs: number;
    readonly maxMemoryBytes: number;
    /** Whether a table of the search has been deleted since it was prepared. */
    readonly hasLostTables: boolean;
  },
): unknown {
  switch (clickHouseErrorCode(error)) {
    case UNKNOWN_TABLE:
      if (!limits.hasLostTables) return error;
      return new UnavailableError(
        'An index set that this search looks into was deleted before it began. Search again.',
        1,
        { cause: error },
      );
    case TIMEOUT_EXCEEDED:
    case TOO_SLOW:
      return new SearchFailedError(
        `The search took longer than ${limits.timeoutMs / 1000} s and was stopped. Search a shorter time range or fewer streams, or raise search_timeout.`,
        `search_timeout: ${limits.timeoutMs / 1000} s`,
        { cause: error },
      );
    case MEMORY_LIMIT_EXCEEDED:
      return new SearchFailedError(
        `The search needed more memory than the limit of ${Math.round(limits.maxMemoryBytes / 2 ** 20)} MiB and was stopped. Search a shorter time range, group by fewer values, or raise search_max_memory.`,
        `search_max_memory: ${limits.maxMemoryBytes} bytes`,
        { cause: error },
      );
    case NOT_ENOUGH_SPACE:
      return tooMuchTemporaryData(error);
    case TOO_MANY_ROWS_OR_BYTES:
      if (errorMessage(error).includes('temporary files')) return tooMuchTemporaryData(error);
      return new SearchFailedError(
        `The answer is larger than ${MAX_ANSWER_BYTES / 2 ** 20} MiB. Request fewer messages, groups or fields, or export the messages.`,
        `largest answer: ${MAX_ANSWER_BYTES} bytes`,
        { cause: error },
      );
    case CANNOT_COMPILE_REGEXP:
      return new InvalidError(
        'A regular expression in the query is too large. Use fewer repetitions, or use wildcards.',
        { cause: error },
      );
    case TOO_BIG_AST:
    case TOO_DEEP_AST:
    case TOO_DEEP_RECURSION:
      return new InvalidError('The query is too large. Use fewer terms or brackets.', {
        cause: error,
      });
    default:
      return error;
  }
}

function tooMuchTemporaryData(cause: unknown): SearchFailedError {
  return new SearchFailedError(
    'The search needed more temporary space on the disk than is left for searches and was stopped. Search a shorter time range, group by fewer values, or sort by time.',
    'temporary data on disk',
    { cause },
  );
}
