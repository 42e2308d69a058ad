import { describe, expect, test } from 'vitest';
import { eventually } from '#testing/eventually.ts';
import { appendSettled, openTestJournal } from '#testing/journal-fixture.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { type InsertFault, SimulatedClickHouse } from '#testing/simulated-clickhouse.ts';
import { createTestWriter, DEFAULT_SET, pump, routeByText, testSnapshot } from '#testing/writer-fixture.ts';
import { BlockMemory } from './block-memory.ts';

const MEGABYTE = 2 ** 20;

// Memory is compared here and not by `expect`: a report of megabytes takes seconds.

describe('the memory of blocks', () => {
  test('is used again for a block of about the same size', () => {
    const memory = new BlockMemory();
    const first = memory.take(20 * MEGABYTE);
    memory.giveBack(first.subarray(0, 15 * MEGABYTE));
    expect(memory.take(21 * MEGABYTE).buffer === first.buffer).toBe(true);
    expect(memory.take(21 * MEGABYTE).buffer === first.buffer).toBe(false);
  });

  test('is not used for a larger block, nor for a far smaller one', () => {
    const memory = new BlockMemory();
    const small = memory.take(1000);
    memory.giveBack(small);
    expect(memory.take(MEGABYTE).length).toBeGreaterThanOrEqual(MEGABYTE);
    const large = memory.take(30 * MEGABYTE);
    memory.giveBack(large);
    expect(memory.take(2000).buffer === small.buffer).toBe(true);
    expect(memory.take(2000).buffer === large.buffer).toBe(false);
    expect(memory.take(30 * MEGABYTE).buffer === large.buffer).toBe(true);
  });

  test('is not kept when nobody has taken it for a while', () => {
    const clock = new ManualClock();
    const memory = new BlockMemory(clock);
    const large = memory.take(30 * MEGABYTE);
    memory.giveBack(large);
    clock.advance(60_000);
    expect(memory.take(30 * MEGABYTE).buffer === large.buffer).toBe(false);
  });

  test('is bounded', () => {
    const memory = new BlockMemory();
    const given = Array.from({ length: 20 }, () => memory.take(16 * MEGABYTE));
    for (const block of given) memory.giveBack(block);
    const before = new Set(given.map(({ buffer }) => buffer));
    const again = given.filter(() => before.has(memory.take(16 * MEGABYTE).buffer));
    expect(again.length).toBeGreaterThan(1);
    expect(again.length).toBeLessThan(7);
  });
});

describe('a block that the writer sends', () => {
  /** The memory of each insert, one message a batch. */
  async function sentWith(faults: readonly (InsertFault | undefined)[], messages: number) {
    const clickhouse = new SimulatedClickHouse([`table_${DEFAULT_SET}`]);
    const sent: ArrayBufferLike[] = [];
    const left = [...faults];
    clickhouse.fault = ({ block }) => {
      sent.push(block.buffer);
      return left.shift();
    };
    const journal = await openTestJournal();
    const writer = createTestWriter(journal.reader, () => clickhouse);
    writer.useIndexSets(testSnapshot(1, {}, [DEFAULT_SET]));
    const done = pump(journal.reader, writer, routeByText);
    for (let number = 0; number < messages; number++) {
      await appendSettled(journal, [`a-${number}`]);
      await eventually(() => expect(journal.stats().uncommittedRecords).toBe(0));
    }
    await writer.stop();
    await journal.close();
    await done;
    return sent;
  }

  test('is in the memory of one that was stored at the first attempt', async () => {
    // How large a row is, is known from the second block on.
    const [, ...others] = await sentWith([], 5);
    expect(others).toHaveLength(4);
    expect(new Set(others).size).toBe(1);
  });

  test('is not in the memory of one that took several attempts, as a connection may still hold that', async () => {
    const [first, second, ...others] = await sentWith(['unreachable'], 4);
    expect(second).toBe(first);
    expect(others).toHaveLength(3);
    expect(others).not.toContain(first);
  });
});
