import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createDecompressionAllowance } from '#codecs/index.ts';
import { createBodyDecompressor } from './decompress-body.ts';

const MIB = 1024 * 1024;

test('a refusal says whether the sender or all senders together have used up the allowance', async () => {
  const allowance = createDecompressionAllowance(
    { monotonic: { now: () => 0 } },
    {
      perSender: { bytesPerSecond: 1, maxBytes: 2 * MIB },
      overall: { bytesPerSecond: 1, maxBytes: 3 * MIB },
    },
  );
  const { decompress } = createBodyDecompressor({ allowance }, { maxBytes: 8 * MIB });
  const bomb = gzipSync(Buffer.alloc(1.5 * MIB, 'x'));
  const sent = async (sender: string) => {
    const result = await decompress(bomb, 'gzip', sender);
    return typeof result === 'string' ? result : result.length;
  };
  // Each is tried with less output first, which counts as well.
  expect(await sent('a')).toBe('senders-decompression-limit');
  expect(await sent('b')).toBe('overall-decompression-limit');
});
