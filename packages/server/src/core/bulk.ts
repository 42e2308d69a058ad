import type { BulkResult } from '@millrace/contract';
import { ServiceError } from './service-errors.ts';

/** Does something with each of these; a failure of one is reported and does not keep the others from it. */
export async function forEachEntity(
  ids: readonly string[],
  work: (id: string) => Promise<void>,
): Promise<BulkResult> {
  const failures: BulkResult['failures'] = [];
  for (const id of ids) {
    try {
      await work(id);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      failures.push({ entity_id: id, failure_explanation: error.message });
    }
  }
  return { successfully_performed: ids.length - failures.length, failures, errors: [] };
}
