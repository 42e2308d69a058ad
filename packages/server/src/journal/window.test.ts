import { expect, test } from 'vitest';
import { ChunkPool, type RecordChunk } from './chunk.ts';
import { MemoryWindow } from './window.ts';

const CHUNK_BYTES = 1024;
const RECORDS = 10;

/** A window with chunks of ten records each that are all on disk; the last one is still being filled. */
function filled(window: MemoryWindow, pool: ChunkPool, count: number): RecordChunk[] {
  return Array.from({ length: count }, (_, index) => {
    const chunk = pool.take(index * RECORDS, CHUNK_BYTES);
    chunk.count = RECORDS;
    chunk.length = CHUNK_BYTES;
    chunk.durableBytes = CHUNK_BYTES;
    chunk.complete = index < count - 1;
    window.add(chunk);
    return chunk;
  });
}

function heldFrom(window: MemoryWindow): number | undefined {
  return [0, 10, 20, 30, 40].find((offset) => window.covers(offset));
}

test('a consumer that keeps up finds in memory what it has not read, within the bound', () => {
  const pool = new ChunkPool(CHUNK_BYTES, 0);
  const window = new MemoryWindow(pool, 3 * CHUNK_BYTES, 0);
  filled(window, pool, 3);
  window.trim(0);
  expect(heldFrom(window)).toBe(0);
  window.trim(10);
  expect(heldFrom(window)).toBe(10);
});

test('for a consumer that has fallen behind nothing is kept but what is being filled', () => {
  const pool = new ChunkPool(CHUNK_BYTES, 0);
  const window = new MemoryWindow(pool, 3 * CHUNK_BYTES, 0);
  filled(window, pool, 5);
  window.trim(0);
  expect(heldFrom(window)).toBe(40);
  window.trim(35);
  expect(window.covers(40)).toBe(true);
});

test('a consumer that has fallen behind finds the newest in memory unless told otherwise', () => {
  const pool = new ChunkPool(CHUNK_BYTES, 0);
  const window = new MemoryWindow(pool, 3 * CHUNK_BYTES);
  filled(window, pool, 5);
  window.trim(0);
  expect(heldFrom(window)).toBe(20);
});
