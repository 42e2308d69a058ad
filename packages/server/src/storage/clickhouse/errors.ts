import { ClickHouseError } from '@clickhouse/client';
import { errorMessage, PermanentError, RetryableError, ServiceError } from '#core/index.ts';

/**
 * Codes of ClickHouse for conditions that pass or that an operator repairs: load, limits, memory, disks, network,
 * replicas and their keeper. None of them says anything about the rows of an insert.
 * https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp
 */
const PASSING_CODES: ReadonlySet<number> = new Set([
  3, // UNEXPECTED_END_OF_FILE: a request that was cut off on its way
  23, // CANNOT_READ_FROM_ISTREAM
  24, // CANNOT_WRITE_TO_OSTREAM
  40, // CHECKSUM_DOESNT_MATCH
  74, // CANNOT_READ_FROM_FILE_DESCRIPTOR
  75, // CANNOT_WRITE_TO_FILE_DESCRIPTOR
  76, // CANNOT_OPEN_FILE
  77, // CANNOT_CLOSE_FILE
  87, // CANNOT_SEEK_THROUGH_FILE
  88, // CANNOT_TRUNCATE_FILE
  95, // CANNOT_READ_FROM_SOCKET
  96, // CANNOT_WRITE_TO_SOCKET
  159, // TIMEOUT_EXCEEDED
  160, // TOO_SLOW
  172, // CANNOT_CREATE_DIRECTORY
  173, // CANNOT_ALLOCATE_MEMORY
  198, // DNS_ERROR
  201, // QUOTA_EXCEEDED
  202, // TOO_MANY_SIMULTANEOUS_QUERIES
  203, // NO_FREE_CONNECTION
  204, // CANNOT_FSYNC
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
  294, // CANNOT_WRITE_TO_FILE
  319, // UNKNOWN_STATUS_OF_INSERT: the dedup token makes the repetition safe
  341, // UNFINISHED
  364, // RECEIVED_ERROR_TOO_MANY_REQUESTS
  394, // QUERY_WAS_CANCELLED: by a server that is shutting down
  400, // CANNOT_STAT
  415, // ALL_REPLICAS_LOST
  424, // CANNOT_LINK
  425, // SYSTEM_ERROR
  439, // CANNOT_SCHEDULE_TASK
  458, // CANNOT_UNLINK
  473, // DEADLOCK_AVOIDED
  499, // S3_ERROR
  517, // CANNOT_ASSIGN_ALTER: a replica has not made an earlier change yet
  519, // NO_REMOTE_SHARD_AVAILABLE
  586, // CANNOT_CREATE_FILE
  677, // THREAD_WAS_CANCELED
  735, // QUERY_WAS_CANCELLED_BY_CLIENT
  745, // SERVER_OVERLOADED
  777, // MEMORY_RESERVATION_KILLED
  778, // MEMORY_RESERVATION_FAILED
  999, // KEEPER_EXCEPTION
  1000, // POCO_EXCEPTION
  1001, // STD_EXCEPTION
]);

/** Codes of ClickHouse that only the content of a row can cause. */
const DATA_CODES: ReadonlySet<number> = new Set([
  6, // CANNOT_PARSE_TEXT
  53, // TYPE_MISMATCH
  69, // ARGUMENT_OUT_OF_BOUND
  70, // CANNOT_CONVERT_TYPE
  117, // INCORRECT_DATA
  128, // TOO_LARGE_ARRAY_SIZE
  131, // TOO_LARGE_STRING_SIZE
  321, // VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE
  349, // CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN
  469, // VIOLATED_CONSTRAINT
]);
const MEMORY_LIMIT_CODE = 241;

/** Whether only the content of the rows can have caused the error. */
export function isDataError(error: unknown): boolean {
  return DATA_CODES.has(clickHouseErrorCode(error) ?? -1);
}

/** Whether the engine had too little memory for the request. */
export function isMemoryLimitError(error: unknown): boolean {
  return clickHouseErrorCode(error) === MEMORY_LIMIT_CODE;
}

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
  if (error instanceof RetryableError || error instanceof PermanentError || error instanceof ServiceError)
    return error;
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
