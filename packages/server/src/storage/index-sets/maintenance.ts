/**
 * Applies the strategies of index sets (rotation, retention) and deletes sets with their data.
 *
 * SAFE AGAINST A CRASH AT ANY POINT. A rotation is one transaction in the database and nothing else: ClickHouse creates
 * the partition with its first message. A deletion removes the data first and the record last: the next run finds a
 * record without data and deletes it, whereas it would never find data without a record. Closing is a flag on the
 * record. All of this may run twice, also on another node, without harm.
 *
 * SAFE AGAINST A NODE THAT WAS HELD UP and goes on when another node leads. A rotation names the index that it replaces.
 * What the retention deletes or closes is looked up again just before, and it closes only what is open.
 *
 * An index set that is read only is neither rotated nor retained, as in Graylog: it stays as it is. What is old is moved
 * to its volume all the same.
 *
 * A worker that has not heard of a rotation yet may write into an index just after it was dropped. Such a partition has
 * no record and a number below the active one; the next run of the retention drops it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, errorMessage, StateConflictError } from '#core/index.ts';
import type { Logger } from '#telemetry/index.ts';
import type { MessageTables } from '../message-tables.ts';
import { createBeginnings } from './beginnings.ts';
import { strategiesInEffect } from './data-tiering.ts';
import type { IndexSetDirectory } from './directory.ts';
import { endedFor, type Kept, keptBy, outlived } from './outlived.ts';
import { createStrategy, RETENTION_STRATEGIES, ROTATION_STRATEGIES } from './registry.ts';
import { type IndexSetStore, indexName, type StoredIndexSet, tableOf } from './stored.ts';
import { DAY_MS } from './strategy.ts';

export interface MaintenanceDeps {
  readonly store: IndexSetStore;
  readonly directory: IndexSetDirectory;
  /** Throws while ClickHouse has not started. */
  readonly tables: () => MessageTables;
  /** Asked before each step of the rotation and the retention: a node that was held up may not go on. */
  readonly isLeader: () => boolean;
  readonly systemMessages: { publish(caller: string, content: string): Promise<void> };
  readonly clock: Clock;
  /** Goes on evenly when the clock is set. */
  readonly monotonic?: Clock;
  readonly logger: Logger;
  /** How long searches that know of a set that is being deleted may take to begin. */
  readonly searchesBeginMs?: number;
}

/** Most begin at once, or wait a moment for their turn. Other nodes hear of the deletion within a second. */
const SEARCHES_BEGIN_MS = 2000;

export interface DeletionProgress {
  readonly signal: AbortSignal;
  percent(complete: number): void;
}

export interface Maintenance {
  /** Rotates every writable set whose active index is due. */
  rotateDue(): Promise<void>;
  /** Begins a new index now and gives its name. Rejects with `StateConflictError` when another call was faster. */
  cycle(indexSetId: string): Promise<string>;
  /** Deletes or closes what is too old in writable sets, and moves what is old to its volume. */
  retain(): Promise<void>;
  /** Deletes an index that is not the active one. */
  deleteIndex(indexSet: StoredIndexSet, number: number): Promise<void>;
  /** Deletes the data of a set that is marked, then the set. Reports its progress, from 0 to 100. */
  deleteIndexSet(indexSet: StoredIndexSet, progress: DeletionProgress): Promise<void>;
}

export function createMaintenance(deps: MaintenanceDeps): Maintenance {
  return {
    ...createRotation(deps),
    ...createRetention(deps),
    deleteIndex: (indexSet, number) => deleteIndex(deps, indexSet, number),
    deleteIndexSet: (indexSet, progress) => deleteIndexSet(deps, indexSet, progress),
  };
}

/** A set that fails does not hold up the others. */
async function forEachSet(
  { directory, isLeader, logger }: MaintenanceDeps,
  what: string,
  work: (indexSet: StoredIndexSet) => Promise<void>,
): Promise<void> {
  for (const indexSet of directory.list()) {
    if (!isLeader()) return;
    try {
      await work(indexSet);
    } catch (error) {
      logger.error({ indexSet: indexSet.id, reason: errorMessage(error) }, `${what} of an index set failed`);
    }
  }
}

function createRotation(deps: MaintenanceDeps) {
  const { store, directory, logger } = deps;
  const beginningOf = createBeginnings(deps);

  async function rotate(indexSet: StoredIndexSet, active: number, why: string): Promise<string | undefined> {
    const made = await store.indices.rotate(indexSet.id, active);
    await directory.refresh();
    if (made === undefined) return undefined;
    const name = indexName(indexSet, made.number);
    logger.info({ indexSet: indexSet.id, index: name, why }, 'a new index was started');
    void deps.systemMessages.publish(
      'indices',
      `Index set "${indexSet.title}" now writes into ${name} instead of ${indexName(indexSet, active)}: ${why}.`,
    );
    return name;
  }

  async function rotateDue(): Promise<void> {
    await directory.refresh();
    const figures = await deps.tables().figures();
    await forEachSet(deps, 'the rotation', async (indexSet) => {
      if (!indexSet.writable) return;
      const { index } = directory.active(indexSet.id);
      const { number } = index;
      const own = figures.find((each) => each.table === tableOf(indexSet) && each.number === number);
      const createdAt = beginningOf(indexSet.id, index);
      const known = { number, createdAt, messages: own?.messages ?? 0, bytes: own?.bytes ?? 0 };
      const rotation = createStrategy(ROTATION_STRATEGIES, strategiesInEffect(indexSet).rotation);
      const why = rotation?.due(known, deps.clock.now());
      if (why !== undefined) await rotate(indexSet, number, why);
    });
  }

  async function cycle(indexSetId: string): Promise<string> {
    await directory.refresh();
    const { indexSet, index } = directory.active(indexSetId);
    const name = await rotate(indexSet, index.number, 'it was cycled by hand');
    if (name === undefined) {
      throw new StateConflictError(`Index set <${indexSetId}> was cycled by another request just now.`);
    }
    return name;
  }

  return { rotateDue, cycle };
}

function createRetention(deps: MaintenanceDeps) {
  const { store, directory, logger } = deps;

  function outlivedOf(indexSetId: string) {
    const indexSet = directory.find(indexSetId);
    if (indexSet?.writable !== true) return undefined;
    const strategies = strategiesInEffect(indexSet);
    const retention = createStrategy(RETENTION_STRATEGIES, strategies.retention);
    const kept = keptBy(createStrategy(ROTATION_STRATEGIES, strategies.rotation), retention);
    if (kept === undefined) return undefined;
    const [oldest] = outlived(directory.indicesOf(indexSetId), kept, deps.clock.now());
    return (
      oldest && { indexSet, action: retention?.action, why: whatStays(kept), number: oldest.index.number }
    );
  }

  /** One index at a time: meanwhile somebody may have changed the retention or reopened an index. */
  async function retainSet({ id }: StoredIndexSet): Promise<void> {
    while (outlivedOf(id) !== undefined) {
      await directory.refresh();
      const next = outlivedOf(id);
      if (next === undefined || !deps.isLeader()) return;
      const { indexSet, action, why, number } = next;
      if (action === 'delete') await deleteIndex(deps, indexSet, number);
      else if (!(await store.indices.setState(id, number, 'closed', 'open'))) continue;
      const name = indexName(indexSet, number);
      const done = action === 'delete' ? 'deleted' : 'closed';
      void deps.systemMessages.publish('indices', `Index ${name} was ${done}: ${why}.`);
      await directory.refresh();
    }
  }

  async function dropStrays(): Promise<void> {
    const figures = await deps.tables().figures();
    await forEachSet(deps, 'the clearing', async (indexSet) => {
      const known = new Set(directory.indicesOf(indexSet.id).map(({ index }) => index.number));
      const { index: active } = directory.active(indexSet.id);
      for (const { table, number } of figures) {
        if (table !== tableOf(indexSet) || known.has(number) || number > active.number) continue;
        if (!deps.isLeader()) return;
        await deps.tables().dropIndex(table, number);
        logger.info({ indexSet: indexSet.id, number }, 'a late write into a deleted index was removed');
      }
    });
  }

  return {
    async retain(): Promise<void> {
      await directory.refresh();
      await forEachSet(deps, 'the retention', retainSet);
      await dropStrays();
      await moveOld(deps);
    },
  };
}

/** After the retention, so that nothing is moved that is deleted anyway. */
async function moveOld(deps: MaintenanceDeps): Promise<void> {
  const { directory, tables, logger } = deps;
  const wanting = directory.list().filter((indexSet) => moveAfterDays(indexSet) !== undefined);
  if (wanting.length === 0) return;
  const hot = await tables().hotIndices();
  if (hot === undefined) {
    const titles = wanting.map(({ title }) => title);
    logger.warn({ indexSets: titles }, 'old indices are not moved: no volume for them is configured');
    return;
  }
  await forEachSet(deps, 'the move to another volume', async (indexSet) => {
    const days = moveAfterDays(indexSet);
    if (days === undefined) return;
    const table = tableOf(indexSet);
    const ended = endedFor(directory.indicesOf(indexSet.id), days * DAY_MS, deps.clock.now());
    for (const { index } of ended) {
      if (!hot.some((each) => each.table === table && each.number === index.number)) continue;
      if (!deps.isLeader()) return;
      await tables().moveIndex(table, index.number);
      const name = indexName(indexSet, index.number);
      logger.info(
        { indexSet: indexSet.id, index: name },
        'an index was moved to the volume for old messages',
      );
      void deps.systemMessages.publish(
        'indices',
        `Index ${name} was moved to the volume for old messages: it ended ${days} days ago or earlier.`,
      );
    }
  });
}

function moveAfterDays(indexSet: StoredIndexSet): number | undefined {
  return createStrategy(RETENTION_STRATEGIES, strategiesInEffect(indexSet).retention)?.moveAfterDays;
}

function whatStays(kept: Kept): string {
  if ('indices' in kept) return `${kept.indices} indices are kept`;
  return `indices are kept for ${Math.round(kept.forMs / DAY_MS)} days after their end`;
}

async function deleteIndex(
  { store, directory, tables, logger }: MaintenanceDeps,
  indexSet: StoredIndexSet,
  number: number,
): Promise<void> {
  await tables().dropIndex(tableOf(indexSet), number);
  await store.indices.remove(indexSet.id, number);
  await directory.refresh();
  logger.info({ indexSet: indexSet.id, index: indexName(indexSet, number) }, 'an index was deleted');
}

async function deleteIndexSet(
  { store, directory, tables, logger, searchesBeginMs = SEARCHES_BEGIN_MS }: MaintenanceDeps,
  indexSet: StoredIndexSet,
  progress: DeletionProgress,
): Promise<void> {
  const table = tableOf(indexSet);
  const figures = await tables().figures();
  const numbers = figures.filter((each) => each.table === table).map(({ number }) => number);
  for (const [position, number] of numbers.sort((a, b) => a - b).entries()) {
    progress.signal.throwIfAborted();
    await tables().dropIndex(table, number);
    progress.percent((100 * (position + 1)) / (numbers.length + 1));
  }
  // Until then they find it empty. Those of other sets would fail for want of it.
  await delay(searchesBeginMs, undefined, { signal: progress.signal });
  await tables().drop(table);
  await store.indexSets.remove(indexSet.id);
  await directory.refresh();
  logger.info({ indexSet: indexSet.id, title: indexSet.title }, 'an index set and its data were deleted');
}
