import { ClickHouseError } from '@clickhouse/client';
import { errorMessage, PermanentError, RetryableError } from '#core/index.ts';

/**
 * Codes of ClickHouse that stand for a state that passes: load, limits, disks, replicas and their keeper.
 * https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp
 */
const PASSING_CODES: ReadonlySet<number> = new Set([
  3, // UNEXPECTED_END_OF_FILE: a request that was cut off on its way
  159, // TIMEOUT_EXCEEDED
  160, // TOO_SLOW
  198, // DNS_ERROR
  202, // TOO_MANY_SIMULTANEOUS_QUERIES
  203, // NO_FREE_CONNECTION
  209, // SOCKET_TIMEOUT
  210, // NETWORK_ERROR
  225, // NO_ZOOKEEPER
  236, // ABORTED
  241, // MEMORY_LIMIT_EXCEEDED
  242, // TABLE_IS_READ_ONLY
  243, // NOT_ENOUGH_SPACE
  244, // UNEXPECTED_ZOOKEEPER_ERROR
  252, // TOO_MANY_PARTS
  279, // ALL_CONNECTION_TRIES_FAILED
  285, // TOO_FEW_LIVE_REPLICAS
  286, // UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE
  289, // REPLICA_IS_NOT_IN_QUORUM
  319, // UNKNOWN_STATUS_OF_INSERT: the dedup token makes the repetition safe
  335, // BARRIER_TIMEOUT
  341, // UNFINISHED
  364, // REPLICA_STATUS_CHANGED
  394, // QUERY_WAS_CANCELLED: by a server that is shutting down
  415, // ALL_REPLICAS_LOST
  425, // SYSTEM_ERROR
  439, // CANNOT_SCHEDULE_TASK
  473, // DEADLOCK_AVOIDED
  745, // SERVER_OVERLOADED
  999, // KEEPER_EXCEPTION
]);

/** The number of ClickHouse's own error behind an error of this folder; undefined when it has none. */
export function clickHouseErrorCode(error: unknown): number | undefined {
  const origin = error instanceof Error && !(error instanceof ClickHouseError) ? error.cause : error;
  return origin instanceof ClickHouseError ? Number(origin.code) : undefined;
}

/** Whether the server was not reached at all, or was lost before it answered. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof RetryableError && clickHouseErrorCode(error) === undefined;
}

/**
 * What the rest of the program sees of a failed request: the reason of the signal when the caller gave up,
 * a `RetryableError` when the server was unreachable or says that the state will pass, a `PermanentError`
 * when it refused. Errors of the program itself stay what they are.
 */
export function toStorageError(error: unknown, url: string, signal?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof RetryableError || error instanceof PermanentError) return error;
  if (error instanceof ClickHouseError) {
    const code = Number(error.code);
    const text = `ClickHouse refused with code ${code}${error.type ? ` (${error.type})` : ''}: ${error.message}`;
    return PASSING_CODES.has(code)
      ? new RetryableError(text, { cause: error })
      : new PermanentError(text, { cause: error });
  }
  if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError) return error;
  return new RetryableError(`ClickHouse at ${url} did not answer: ${describe(error)}`, { cause: error });
}

/** Connection attempts to several addresses fail with an error that has only the errors of each as text. */
function describe(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map((each) => errorMessage(each)).join('; ');
  }
  return errorMessage(error);
}
