import { z } from 'zod';

/** What the strategies that count indices have in common. */
export function countConfig(limit: number) {
  return z.object({
    max_number_of_indices: z
      .int()
      .min(1)
      .max(2_147_483_647)
      .default(limit)
      .describe('Indices that are kept.'),
  });
}
