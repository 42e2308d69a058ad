import type { RoutedBatch } from '#core/index.ts';
import type { Logger } from '#telemetry/index.ts';
import { qualifiedName } from '../clickhouse/index.ts';
import { type IndexSetSnapshot, indexActiveAt, type WritableIndexSet } from '../index-sets/snapshot.ts';
import type { BatchToken } from './batch-token.ts';
import { createPendingBlocks, type PendingBlocks, type TableBlock } from './pending-blocks.ts';
import type { UntilItWorks } from './retrying.ts';
import { earlierInsertsEnded, storedIds } from './stored-rows.ts';
import type { TableInserter } from './table-inserter.ts';

export interface ReplayDeps {
  readonly inserter: TableInserter;
  readonly untilItWorks: UntilItWorks;
  readonly logger: Logger;
  readonly snapshot: IndexSetSnapshot;
  readonly signal: AbortSignal;
}

export interface ReplayConfig {
  readonly nodeId: string;
  readonly database: string;
  readonly fallbackIndexSetId: string;
}

/** Stores what is not stored yet of a batch that an earlier run of this program was sending. */
export async function replayBatch(
  deps: ReplayDeps,
  config: ReplayConfig,
  batch: RoutedBatch,
  token: BatchToken,
): Promise<PendingBlocks> {
  const { signal, snapshot } = deps;
  await deps.untilItWorks(signal, (clickhouse) => earlierInsertsEnded(clickhouse, token.key, signal));
  const blocks = createPendingBlocks(snapshot, config);
  blocks.append(batch);
  const number = (indexSet: WritableIndexSet) => indexActiveAt(indexSet, token.indexSetVersion);
  for (const block of blocks.take(number)) {
    await storeMissing(deps, config, token.key, block, ownPart(batch, snapshot, config, block.indexSet.id));
  }
  return blocks;
}

/** Nothing there: the whole block as it was. Everything there: nothing. Else only what is missing. */
async function storeMissing(
  deps: ReplayDeps,
  config: ReplayConfig,
  key: string,
  block: TableBlock,
  own: RoutedBatch,
): Promise<void> {
  const { signal, inserter } = deps;
  const { table } = block.indexSet;
  const ids = own.messages.map((message) => message.id);
  const name = qualifiedName(config.database, table);
  const there = await deps.untilItWorks(signal, (clickhouse) => storedIds(clickhouse, name, ids, signal));
  if (there.size === 0) return inserter.insert(key, block);
  if (there.size === ids.length) return;
  const isMissing = (index: number) => !there.has(ids[index] ?? '');
  const missing = createPendingBlocks(deps.snapshot, config);
  missing.append({
    ...own,
    messages: own.messages.filter((_, index) => isMissing(index)),
    targets: own.targets.filter((_, index) => isMissing(index)),
  });
  deps.logger.info(
    { table, stored: there.size, missing: missing.messages },
    'a batch had been stored in part',
  );
  for (const rest of missing.take(() => block.indexNumber)) {
    if (rest.indexSet.id === block.indexSet.id) await inserter.insert(key, rest);
  }
}

/** The messages of a batch that go to one index set, as they are when their other index sets are left alone. */
function ownPart(
  batch: RoutedBatch,
  snapshot: IndexSetSnapshot,
  config: ReplayConfig,
  indexSetId: string,
): RoutedBatch {
  const known = new Set(snapshot.indexSets.map(({ id }) => id));
  const isOwn = (index: number) =>
    (batch.targets[index]?.indexSetIds ?? []).some(
      (id) => (known.has(id) ? id : config.fallbackIndexSetId) === indexSetId,
    );
  return {
    ...batch,
    messages: batch.messages.filter((_, index) => isOwn(index)),
    targets: batch.targets.filter((_, index) => isOwn(index)),
  };
}
