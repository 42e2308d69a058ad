import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { RetryableError, StateConflictError } from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import { createLogger } from '#telemetry/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { openTestMetadata } from '#testing/metadata.ts';
import type { MessageTables, PartFigures } from '../message-tables.ts';
import { BUILT_IN_INDEX_SETS } from './built-in.ts';
import { createIndexSetDirectory, type IndexSetDirectory } from './directory.ts';
import { createMaintenance, type Maintenance } from './maintenance.ts';
import type { IndexSetSnapshot } from './snapshot.ts';
import { type NewStoredIndexSet, type StoredIndexSet, tableOf } from './stored.ts';
import { DAY_MS } from './strategy.ts';

/**
 * Tables in memory. `killAfter` counts statements until everything fails, as when the process were killed. `heldUp` is
 * awaited before the next statement, as when the process were stopped and went on later.
 */
class TablesInMemory implements MessageTables {
  readonly rows = new Map<string, Map<number, number>>();
  killAfter = Number.POSITIVE_INFINITY;
  heldUp: (() => Promise<void>) | undefined;

  add(table: string, number: number, messages: number): void {
    const partitions = this.rows.get(table) ?? new Map<number, number>();
    this.rows.set(table, partitions.set(number, (partitions.get(number) ?? 0) + messages));
  }

  async #statement(work: () => void): Promise<void> {
    this.killAfter -= 1;
    if (this.killAfter < 0) throw new RetryableError('killed');
    work();
    const { heldUp } = this;
    this.heldUp = undefined;
    await heldUp?.();
  }

  createDatabase = () => this.#statement(() => {});
  ensure = (table: string) => this.#statement(() => void this.rows.set(table, new Map()));
  drop = (table: string) => this.#statement(() => void this.rows.delete(table));
  dropIndex = (table: string, number: number) =>
    this.#statement(() => void this.rows.get(table)?.delete(number));
  /** Names of indices that were moved. */
  readonly moved: string[] = [];
  hasVolume = true;
  hotIndices = async () =>
    this.hasVolume
      ? this.#figures().filter(({ table, number }) => !this.moved.includes(`${table} ${number}`))
      : undefined;
  moveIndex = (table: string, number: number) =>
    this.#statement(() => void this.moved.push(`${table} ${number}`));
  ranges = async () => new Map();
  since = async () => ({ messages: 0, oldest: undefined });

  async figures(): Promise<PartFigures[]> {
    const figures = this.#figures();
    const { heldUp } = this;
    this.heldUp = undefined;
    await heldUp?.();
    return figures;
  }

  #figures(): PartFigures[] {
    return [...this.rows].flatMap(([table, partitions]) =>
      [...partitions].map(([number, messages]) => ({
        table,
        number,
        messages,
        bytes: messages * 100,
        parts: 1,
      })),
    );
  }
}

interface Fixture {
  readonly tables: TablesInMemory;
  readonly clock: ManualClock;
  readonly metadata: Metadata;
  readonly directory: IndexSetDirectory;
  readonly maintenance: Maintenance;
  readonly published: string[];
  addSet(changes?: Partial<NewStoredIndexSet>): Promise<StoredIndexSet>;
  numbers(indexSet: StoredIndexSet): number[];
}

const [BUILT_IN] = BUILT_IN_INDEX_SETS;

function over(
  metadata: Metadata,
  tables: TablesInMemory,
  clock: ManualClock,
  isLeader = () => true,
): Fixture {
  const store = metadata.repositories;
  const logger = createLogger({ level: 'silent' });
  const directory = createIndexSetDirectory({ store, logger });
  // Goes on when the clock does, and never back.
  let elapsed = 0;
  let last = clock.now();
  const monotonic = {
    now() {
      elapsed += Math.max(0, clock.now() - last);
      last = clock.now();
      return elapsed;
    },
  };
  const published: string[] = [];
  const systemMessages = { publish: async (_: string, content: string) => void published.push(content) };
  const parts = { store, directory, tables: () => tables, isLeader, systemMessages };
  const maintenance = createMaintenance({ ...parts, clock, monotonic, logger, searchesBeginMs: 0 });
  return {
    tables,
    clock,
    metadata,
    directory,
    maintenance,
    published,
    async addSet(changes = {}) {
      if (BUILT_IN === undefined) throw new Error('there is no built-in index set');
      const stored = await store.indexSets.insert({ ...BUILT_IN, ...changes });
      await directory.refresh();
      await tables.ensure(tableOf(stored));
      return stored;
    },
    numbers: ({ id }) => directory.indicesOf(id).map(({ index }) => index.number),
  };
}

async function start(): Promise<Fixture> {
  const clock = new ManualClock(Date.UTC(2026, 2, 5, 17, 45));
  const metadata = await openTestMetadata(clock);
  onTestFinished(() => metadata.close());
  return over(metadata, new TablesInMemory(), clock);
}

const byCount = (limit: number) => ({ type: 'message-count', config: { max_docs_per_index: limit } });
const keeping = (count: number, type = 'delete') => ({ type, config: { max_number_of_indices: count } });

describe('rotation', () => {
  test('happens when the strategy says so, and is announced', async () => {
    const { addSet, tables, maintenance, numbers, published } = await start();
    const busy = await addSet({ prefix: 'busy', title: 'Busy', rotation: byCount(10) });
    const idle = await addSet({ prefix: 'idle', rotation: byCount(10) });
    tables.add(tableOf(busy), 0, 10);
    tables.add(tableOf(idle), 0, 9);
    await maintenance.rotateDue();
    expect(numbers(busy)).toEqual([0, 1]);
    expect(numbers(idle)).toEqual([0]);
    await maintenance.rotateDue();
    expect(numbers(busy)).toEqual([0, 1]);
    expect(published).toEqual([
      'Index set "Busy" now writes into busy_1 instead of busy_0: it has 10 messages, the limit is 10.',
    ]);
  });

  test('by time follows the clock; missed periods are one rotation', async () => {
    const { addSet, tables, maintenance, numbers, clock } = await start();
    const hourly = await addSet({ rotation: { type: 'time', config: { rotation_period: 'PT1H' } } });
    tables.add(tableOf(hourly), 0, 1);
    await maintenance.rotateDue();
    expect(numbers(hourly)).toEqual([0]);
    clock.advance(15 * 60_000);
    await maintenance.rotateDue();
    expect(numbers(hourly)).toEqual([0, 1]);
    tables.add(tableOf(hourly), 1, 1);
    clock.advance(10 * 3_600_000);
    await maintenance.rotateDue();
    await maintenance.rotateDue();
    expect(numbers(hourly)).toEqual([0, 1, 2]);
  });

  test('by time goes on after the clock was ahead', async () => {
    const { addSet, tables, clock, maintenance, numbers } = await start();
    const rotation = { type: 'time', config: { rotation_period: 'P1D' } };
    clock.advance(3650 * DAY_MS);
    const set = await addSet({ rotation });
    tables.add(tableOf(set), 0, 1);
    clock.advance(-3650 * DAY_MS);
    await maintenance.rotateDue();
    // The clock of now might be the wrong one.
    expect(numbers(set)).toEqual([0]);
    clock.advance(DAY_MS);
    await maintenance.rotateDue();
    expect(numbers(set)).toEqual([0, 1]);
  });

  test('by hand, whatever the strategy says; two at once create one index', async () => {
    const { addSet, maintenance, numbers, metadata, tables, clock } = await start();
    const set = await addSet();
    expect(await maintenance.cycle(set.id)).toBe('millrace_1');
    const other = over(metadata, tables, clock);
    await other.directory.refresh();
    const results = await Promise.allSettled([maintenance.cycle(set.id), other.maintenance.cycle(set.id)]);
    const failed = results.filter((result) => result.status === 'rejected');
    for (const { reason } of failed) expect(reason).toBeInstanceOf(StateConflictError);
    expect(numbers(set)).toHaveLength(2 + results.length - failed.length);
  });

  test('reaches listeners as a snapshot that also has earlier indices', async () => {
    const { addSet, maintenance, directory } = await start();
    const set = await addSet();
    const seen: IndexSetSnapshot[] = [];
    directory.onSnapshot((snapshot) => seen.push(snapshot));
    await maintenance.cycle(set.id);
    await directory.refresh();
    expect(seen.map(({ revision }) => revision)).toEqual([1, 2]);
    const [before, after] = seen;
    expect(after?.version).toBeGreaterThan(before?.version ?? 0);
    expect(after?.indexSets[0]?.indices.map(({ number }) => number)).toEqual([0, 1]);
  });
});

describe('the volume for old messages', () => {
  const moving = (days: number) => ({
    type: 'none',
    config: { max_number_of_indices: 1, move_after_days: days },
  });

  test('gets the indices that ended long enough ago, once, and never the active one', async () => {
    const { addSet, maintenance, tables, clock, published } = await start();
    const set = await addSet({ retention: moving(2) });
    const other = await addSet({ prefix: 'stays', isDefault: false } as Partial<NewStoredIndexSet>);
    for (let number = 0; number < 3; number++) {
      for (const each of [set, other]) {
        tables.add(tableOf(each), number, 5);
        await maintenance.cycle(each.id);
      }
      clock.advance(24 * 3_600_000);
    }
    await maintenance.retain();
    expect(tables.moved).toEqual([`${tableOf(set)} 0`, `${tableOf(set)} 1`]);
    expect(published.filter((text) => text.includes('moved'))).toHaveLength(2);
    await maintenance.retain();
    expect(tables.moved).toHaveLength(2);
    clock.advance(1000 * 24 * 3_600_000);
    await maintenance.retain();
    expect(tables.moved.at(-1)).toBe(`${tableOf(set)} 2`);
    expect(tables.moved).toHaveLength(3);
  });

  test('does not exist: everything stays', async () => {
    const { addSet, maintenance, tables, clock } = await start();
    const set = await addSet({ retention: moving(0) });
    tables.hasVolume = false;
    tables.add(tableOf(set), 0, 5);
    await maintenance.cycle(set.id);
    clock.advance(1000);
    await maintenance.retain();
    expect(tables.moved).toEqual([]);
  });
});

describe('retention', () => {
  async function withIndices(retention: NewStoredIndexSet['retention'], count: number) {
    const fixture = await start();
    const set = await fixture.addSet({ retention });
    for (let number = 0; number < count; number++) {
      if (number > 0) await fixture.maintenance.cycle(set.id);
      fixture.tables.add(tableOf(set), number, 5);
    }
    return { ...fixture, set };
  }

  test('deletes the oldest with their data', async () => {
    const { maintenance, numbers, set, tables } = await withIndices(keeping(2), 5);
    await maintenance.retain();
    expect(numbers(set)).toEqual([3, 4]);
    expect([...(tables.rows.get(tableOf(set))?.keys() ?? [])]).toEqual([3, 4]);
    await maintenance.cycle(set.id);
    expect(numbers(set)).toEqual([3, 4, 5]);
  });

  test('closes the oldest; what was reopened by hand is left alone', async () => {
    const { maintenance, directory, set, tables, metadata } = await withIndices(keeping(2, 'close'), 4);
    await metadata.repositories.indices.setState(set.id, 0, 'reopened');
    await maintenance.retain();
    const states = directory.indicesOf(set.id).map(({ index }) => index.state);
    expect(states).toEqual(['reopened', 'closed', 'open', 'open']);
    expect(tables.rows.get(tableOf(set))?.size).toBe(4);
  });

  test('leaves a set that is read only alone, as the rotation does, until it is writable again', async () => {
    const { maintenance, numbers, set, metadata } = await withIndices(keeping(2), 3);
    for (const writable of [false, true]) {
      const { id, prefix, analyzer, ...properties } = { ...set, rotation: byCount(5), writable };
      await metadata.repositories.indexSets.update(id, properties);
      await maintenance.rotateDue();
      await maintenance.retain();
      expect(numbers(set)).toEqual(writable ? [2, 3] : [0, 1, 2]);
    }
  });

  test('does nothing when configured so, and never deletes the active index', async () => {
    const idle = await withIndices(keeping(1, 'none'), 3);
    await idle.maintenance.retain();
    expect(idle.numbers(idle.set)).toEqual([0, 1, 2]);
    const one = await withIndices(keeping(1), 1);
    await one.maintenance.retain();
    expect(one.numbers(one.set)).toEqual([0]);
  });

  test('counts time instead of indices where lifetimes apply: from the end of an index', async () => {
    const config = { type: 'hot_only', index_lifetime_min: 'P7D', index_lifetime_max: 'P8D' };
    const { clock, maintenance, tables, numbers, published, addSet } = await start();
    const set = await addSet({ dataTiering: { config, isUsed: true }, retention: keeping(1) });
    for (let day = 0; day < 3; day++) {
      tables.add(tableOf(set), day, 5);
      clock.advance(DAY_MS);
      await maintenance.rotateDue();
    }
    expect(numbers(set)).toEqual([0, 1, 2, 3]);
    clock.advance(5 * DAY_MS - 1);
    await maintenance.retain();
    expect(numbers(set)).toEqual([0, 1, 2, 3]);
    clock.advance(1);
    await maintenance.retain();
    expect(numbers(set)).toEqual([1, 2, 3]);
    expect(published.at(-1)).toContain('indices are kept for 7 days after their end');
    clock.advance(100 * DAY_MS);
    await maintenance.retain();
    expect(numbers(set)).toEqual([3]);
  });

  test('where lifetimes apply, an index that was begun while the clock was ahead keeps nothing before it', async () => {
    const config = { type: 'hot_only', index_lifetime_min: 'P7D', index_lifetime_max: 'P8D' };
    const { clock, maintenance, tables, numbers, addSet } = await start();
    const set = await addSet({ dataTiering: { config, isUsed: true } });
    tables.add(tableOf(set), 0, 5);
    clock.advance(3650 * DAY_MS);
    await maintenance.cycle(set.id);
    clock.advance(-3649 * DAY_MS);
    await maintenance.cycle(set.id);
    clock.advance(7 * DAY_MS);
    await maintenance.retain();
    expect(numbers(set)).toEqual([2]);
  });

  test('where lifetimes apply, an index that was begun while the clock was behind ends none before it', async () => {
    const config = { type: 'hot_only', index_lifetime_min: 'P7D', index_lifetime_max: 'P8D' };
    const { clock, maintenance, tables, numbers, addSet } = await start();
    const set = await addSet({ dataTiering: { config, isUsed: true } });
    tables.add(tableOf(set), 0, 5);
    clock.advance(-3650 * DAY_MS);
    await maintenance.cycle(set.id);
    clock.advance(3651 * DAY_MS);
    await maintenance.retain();
    expect(numbers(set)).toEqual([0, 1]);
    await maintenance.cycle(set.id);
    clock.advance(7 * DAY_MS - 1);
    await maintenance.retain();
    expect(numbers(set)).toEqual([0, 1, 2]);
    clock.advance(1);
    await maintenance.retain();
    expect(numbers(set)).toEqual([2]);
  });

  test('drops what a late worker wrote into a deleted index', async () => {
    const { maintenance, set, tables } = await withIndices(keeping(1), 3);
    await maintenance.retain();
    tables.add(tableOf(set), 1, 7);
    tables.add(tableOf(set), 9, 7);
    await maintenance.retain();
    expect([...(tables.rows.get(tableOf(set))?.keys() ?? [])].sort()).toEqual([2, 9]);
  });
});

describe('a node that is held up while it works, and goes on when another one leads', () => {
  /** Two nodes; the first one leads until it is held up, by the first statement it makes. */
  async function twoNodes(changes: Partial<NewStoredIndexSet>, indices: number) {
    const clock = new ManualClock(Date.UTC(2026, 2, 5, 17, 45));
    const metadata = await openTestMetadata(clock);
    onTestFinished(() => metadata.close());
    const tables = new TablesInMemory();
    let leader = 'first';
    const first = over(metadata, tables, clock, () => leader === 'first');
    const second = over(metadata, tables, clock, () => leader === 'second');
    const set = await first.addSet(changes);
    for (let number = 0; number < indices; number++) {
      if (number > 0) await first.maintenance.cycle(set.id);
      tables.add(tableOf(set), number, 10);
    }
    first.published.length = 0;
    const whileHeldUp = (work: () => Promise<void>) => {
      tables.heldUp = async () => {
        leader = 'second';
        await second.directory.refresh();
        await work();
      };
    };
    return { first, second, set, tables, metadata, whileHeldUp };
  }

  test('does not rotate what the other one has rotated', async () => {
    const { first, second, set, whileHeldUp, tables } = await twoNodes({ rotation: byCount(10) }, 1);
    whileHeldUp(async () => {
      await second.maintenance.rotateDue();
      tables.add(tableOf(set), 1, 10);
    });
    await first.maintenance.rotateDue();
    expect(first.published).toEqual([]);
    expect(second.published).toHaveLength(1);
    await second.directory.refresh();
    expect(second.numbers(set)).toEqual([0, 1]);
  });

  test('does not delete by a retention that has been changed since', async () => {
    const { first, second, set, metadata, whileHeldUp, tables } = await twoNodes(
      { retention: keeping(2) },
      6,
    );
    whileHeldUp(async () => {
      await metadata.repositories.indexSets.update(set.id, { ...set, retention: keeping(10) });
    });
    await first.maintenance.retain();
    await second.maintenance.retain();
    expect(second.numbers(set)).toEqual([1, 2, 3, 4, 5]);
    expect([...(tables.rows.get(tableOf(set))?.keys() ?? [])]).toEqual([1, 2, 3, 4, 5]);
  });

  test('does not close what somebody has reopened since', async () => {
    const { first, second, set, metadata } = await twoNodes({ retention: keeping(1, 'close') }, 3);
    const { indices } = metadata.repositories;
    const setState = indices.setState;
    let isFirst = true;
    // Held up with the decision made: the statement arrives late.
    indices.setState = async (...args) => {
      if (isFirst) {
        isFirst = false;
        await second.directory.refresh();
        await setState(set.id, 0, 'closed');
        await setState(set.id, 0, 'reopened');
      }
      return setState(...args);
    };
    await first.maintenance.retain();
    expect((await indices.list(set.id)).map(({ state }) => state)).toEqual(['reopened', 'closed', 'open']);
    expect(first.published).toHaveLength(1);
  });
});

test('killed at any point, the next run finishes what was begun, and nothing that should stay is gone', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 0, max: 12 }),
      fc.boolean(),
      async (keep, indices, killAfter, deletesSet) => {
        const clock = new ManualClock();
        const metadata = await openTestMetadata(clock);
        const tables = new TablesInMemory();
        const first = over(metadata, tables, clock);
        const set = await first.addSet({ retention: keeping(keep) });
        for (let number = 0; number < indices; number++) {
          if (number > 0) await first.maintenance.cycle(set.id);
          tables.add(tableOf(set), number, 1);
        }
        const bystander = await first.addSet({ prefix: 'other', retention: keeping(10) });
        tables.add(tableOf(bystander), 0, 1);
        const progress = { signal: new AbortController().signal, percent: () => {} };
        const work = async ({ maintenance, directory }: Fixture) => {
          await directory.refresh();
          if (!deletesSet) return maintenance.retain();
          await metadata.repositories.indexSets.markDeleting(set.id);
          await directory.refresh();
          for (const doomed of directory.deleting()) await maintenance.deleteIndexSet(doomed, progress);
        };
        tables.killAfter = killAfter;
        await work(first).catch(() => {});
        tables.killAfter = Number.POSITIVE_INFINITY;
        const second = over(metadata, tables, clock);
        await work(second);

        const left = [...(tables.rows.get(tableOf(set))?.keys() ?? [])];
        if (deletesSet) {
          expect(tables.rows.has(tableOf(set))).toBe(false);
          expect(second.directory.find(set.id)).toBeUndefined();
          expect(second.directory.deleting()).toEqual([]);
        } else {
          const expected = Array.from({ length: indices }, (_, number) => number).slice(-keep);
          expect(left).toEqual(expected);
          expect(second.numbers(set)).toEqual(expected);
        }
        expect(tables.rows.get(tableOf(bystander))).toEqual(new Map([[0, 1]]));
        await metadata.close();
      },
    ),
    { numRuns: 40 },
  );
}, 60_000);
