import { beforeEach, describe, expect, it } from 'vitest';
import {
  createDecompressionAllowance,
  type DecompressionAllowance,
  FREE_DECOMPRESSION_RATIO,
} from './decompression-allowance.ts';

describe('createDecompressionAllowance', () => {
  let now: number;
  let allowance: DecompressionAllowance;

  beforeEach(() => {
    now = 0;
    allowance = createDecompressionAllowance(
      { monotonic: { now: () => now } },
      {
        perSender: { bytesPerSecond: 10, maxBytes: 1000 },
        overall: { bytesPerSecond: 20, maxBytes: 2500 },
      },
    );
  });

  const excess = (sender: string) => allowance.limitFor(sender, 100).bytes - 100 * FREE_DECOMPRESSION_RATIO;

  it('takes nothing for payloads of an ordinary ratio', () => {
    for (let i = 0; i < 1000; i++) allowance.spend('a', 100, 100 * FREE_DECOMPRESSION_RATIO);
    expect(excess('a')).toBe(1000);
  });

  it('bounds what a sender may exceed, and fills up again', () => {
    allowance.spend('a', 1, FREE_DECOMPRESSION_RATIO + 700);
    expect(excess('a')).toBe(300);
    expect(excess('b')).toBe(1000);
    now = 10_000;
    expect(excess('a')).toBe(400);
    now = 1_000_000;
    expect(excess('a')).toBe(1000);
  });

  it('bounds what all senders may exceed together; the ordinary ratio is always left', () => {
    for (const sender of ['a', 'b', 'c']) allowance.spend(sender, 1, FREE_DECOMPRESSION_RATIO + 800);
    expect(excess('d')).toBe(100);
    allowance.spend('d', 1, FREE_DECOMPRESSION_RATIO + 800);
    expect(excess('e')).toBe(0);
    expect(allowance.limitFor('e', 100).bytes).toBe(100 * FREE_DECOMPRESSION_RATIO);
    now = 5000;
    expect(excess('e')).toBe(100);
  });

  it('takes no more than a payload can decompress to', () => {
    allowance.spend('a', 0, 1000);
    expect(excess('a')).toBe(1000);
    const large = createDecompressionAllowance({ monotonic: { now: () => now } });
    const before = large.limitFor('a', 0).bytes;
    large.spend('a', 12, before);
    expect(before - large.limitFor('a', 0).bytes).toBe(12 * (1032 - FREE_DECOMPRESSION_RATIO));
  });

  it('says whose allowance bounds a payload', () => {
    expect(allowance.limitFor('a', 1).of).toBe('sender');
    for (const sender of ['a', 'b']) allowance.spend(sender, 1, FREE_DECOMPRESSION_RATIO + 900);
    expect(allowance.limitFor('a', 1).of).toBe('sender');
    expect(allowance.limitFor('c', 1).of).toBe('everyone');
  });
});
