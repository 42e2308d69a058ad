/**
 * The library of the embedded engine ignores it when a write to a file fails: a full disk, a quota, a broken device. It
 * confirms an insert whose part is incomplete, replaces parts by an incomplete one when it merges them, and replaces the
 * definition of a table by an empty file when it alters it. All it does is count. So every insert and every command is
 * followed by a look at that counter, and an engine whose counter is not zero is restarted: at its start it sets
 * incomplete parts aside and goes back to the parts they were made of. Definitions are put back before (`definitions.ts`).
 */
import { RetryableError } from '#core/index.ts';

/** The macro in the engine's configuration that says which run of it answers. */
export const INSTANCE_MACRO = 'instance';

/** Writes to files that have failed since the engine started, and which run of it this is. */
export const FAILED_WRITES_STATEMENT = `SELECT sum(value) AS failed, getMacro('${INSTANCE_MACRO}') AS instance
 FROM system.events WHERE event = 'WriteBufferFromFileDescriptorWriteFailed'`;

export interface FailedWritesRow {
  readonly failed: string;
  readonly instance: string;
}

/** Throws unless this run of the engine has written everything. Another run knows nothing about it. */
export function requireWritten(row: FailedWritesRow | undefined, instance: string): void {
  if (row === undefined || Number(row.failed) > 0) {
    throw new RetryableError('the embedded ClickHouse could not write to its disk; is the disk full?');
  }
  if (row.instance !== instance) throw new RetryableError('the embedded ClickHouse has been restarted');
}
