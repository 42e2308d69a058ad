import { z } from 'zod';
import { timestampSchema } from './time.ts';

/** `GET /tools/natural_date_tester` */
export const naturalDateQuerySchema = z.object({
  string: z.string().min(1).max(1000).describe('For example `yesterday 14:00 to 16:00`.'),
  timezone: z
    .string()
    .max(100)
    .default('UTC')
    .describe('Of the times in it: `Europe/Berlin`, `UTC`, `+02:00`.'),
});

export const naturalDateSchema = z
  .object({ from: timestampSchema, to: timestampSchema.describe('Inclusive.'), timezone: z.string() })
  .meta({ id: 'NaturalDate' });
export type NaturalDate = z.infer<typeof naturalDateSchema>;
