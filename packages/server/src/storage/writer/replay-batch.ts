import type { RoutedBatch } from '#core/index.ts';
import type { Logger } from '#telemetry/index.ts';
import type { BlockMessage } from '../block-messages.ts';
import {
  type IndexSetSnapshot,
  indexActiveAt,
  placementOf,
  type WritableIndexSet,
} from '../index-sets/snapshot.ts';
import type { BatchToken } from './batch-token.ts';
import { createPendingBlocks, type PendingBlocks } from './pending-blocks.ts';
import type { TableInserter } from './table-inserter.ts';

export interface ReplayDeps {
  readonly inserter: TableInserter;
  readonly logger: Logger;
  readonly snapshot: IndexSetSnapshot;
  /** See `SendOptions`. */
  readonly onWaiting: () => void;
}

export interface ReplayConfig {
  readonly nodeId: string;
}

/**
 * Stores what is missing of a batch that an earlier run of this program was sending. The table decides what is
 * missing: the token alone could not, since rules or index sets may have changed, and single rows may have been refused.
 * Returns the blocks, which know the fields that were new in them.
 */
export async function replayBatch(
  deps: ReplayDeps,
  config: ReplayConfig,
  batch: RoutedBatch,
  token: BatchToken,
): Promise<PendingBlocks> {
  const { onWaiting } = deps;
  const earlier = { token, onWaiting };
  await deps.inserter.whenIdle(earlier);
  const blocks = createPendingBlocks(deps.snapshot, config);
  for (const [indexSet, messages] of messagesByIndexSet(batch, deps.snapshot)) {
    const missing = await deps.inserter.missing(earlier, indexSet, messages);
    if (missing.length > 0 && missing.length < messages.length) {
      deps.logger.info(
        { table: indexSet.table, stored: messages.length - missing.length, missing: missing.length },
        'a batch had been stored in part',
      );
    }
    for (const { message, target } of missing) blocks.appendTo(indexSet, message, target);
  }
  for (const block of blocks.take((indexSet) => indexActiveAt(indexSet, token.indexSetVersion))) {
    await deps.inserter.insert(token.key, block, { mayBeStored: true, onWaiting });
  }
  return blocks;
}

/** Which messages go to which index set. */
function messagesByIndexSet(
  batch: RoutedBatch,
  snapshot: IndexSetSnapshot,
): Map<WritableIndexSet, BlockMessage[]> {
  const found = new Map<WritableIndexSet, BlockMessage[]>();
  for (const [index, message] of batch.messages.entries()) {
    const wanted = batch.targets[index];
    if (wanted === undefined) throw new Error('a message has no destination');
    const { indexSets, target } = placementOf(wanted, snapshot);
    for (const indexSet of indexSets) {
      const messages = found.get(indexSet);
      if (messages === undefined) found.set(indexSet, [{ message, target }]);
      else messages.push({ message, target });
    }
  }
  return found;
}
