import { beforeEach, describe, expect, it } from 'vitest';
import { createSharedMemory, type MemoryShare, type SharedMemory } from './shared-memory.ts';

describe('createSharedMemory', () => {
  let now: number;
  let memory: SharedMemory;
  let evicted: string[];

  beforeEach(() => {
    now = 0;
    evicted = [];
    memory = createSharedMemory({ monotonic: { now: () => now } }, { limitBytes: 100 });
  });

  function open(address: string, bytes: number, name = address): MemoryShare {
    const share = memory.open(address, (held) => evicted.push(`${name} ${held}`));
    share.resize(bytes);
    return share;
  }

  it('evicts nothing up to its limit', () => {
    open('a', 50);
    const other = open('b', 50);
    other.resize(10);
    expect(memory.usedBytes).toBe(60);
    expect(evicted).toEqual([]);
  });

  it('evicts the largest of those that began together', () => {
    open('a', 40);
    open('b', 60);
    open('c', 1);
    expect(evicted).toEqual(['b 60']);
    expect(memory.usedBytes).toBe(41);
  });

  it('evicts the oldest of those that hold the same', () => {
    open('a', 50);
    now = 100;
    open('b', 50);
    now = 200;
    const newest = open('c', 50);
    expect(evicted).toEqual(['a 50']);
    newest.resize(60);
    expect(evicted).toEqual(['a 50', 'b 50']);
  });

  it('evicts from the address that holds most in all of its connections', () => {
    for (let i = 0; i < 6; i++) open('many', 10, `many ${i}`);
    open('one', 20);
    open('other', 24);
    expect(evicted).toEqual(['many 0 10']);
  });

  it('never evicts what is complete; then the one that grows has to give way', () => {
    open('a', 90).pin();
    now = 1000;
    const growing = open('b', 20);
    expect(evicted).toEqual(['b 20']);
    expect(growing.isOpen).toBe(false);
    growing.resize(50);
    growing.close();
    expect(memory.usedBytes).toBe(90);
  });

  it('forgets the age of a share that starts again', () => {
    const first = open('a', 50);
    now = 100;
    open('b', 50);
    first.restart();
    now = 101;
    expect(first.ageMs).toBe(1);
    now = 200;
    first.restart();
    now = 300;
    open('c', 1);
    expect(evicted).toEqual(['b 50']);
  });
});
