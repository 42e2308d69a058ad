import { z } from 'zod';
import { strategiesShape } from './index-sets.ts';

/** How long an index set keeps messages, and what its retention is about to do. */
export const indexSetOutlookSchema = z
  .object({
    rotates_after: z
      .object({
        messages: z.int().min(1).nullable(),
        bytes: z.int().min(1).nullable(),
        period: z.string().nullable().describe('ISO 8601, for example `P1D`.'),
      })
      .nullable()
      .describe(
        'When a new index begins, unless the index set is read only: one of them. Null, or all null, for a strategy that does not say.',
      ),
    retention: z.enum(['delete', 'close']).nullable().describe('What happens to old indices; null: nothing.'),
    keeps: z
      .int()
      .min(1)
      .nullable()
      .describe('Indices that stay, with the active one; null: all, or those of a time.'),
    keeps_ms: z
      .number()
      .min(0)
      .nullable()
      .describe(
        'How long an index stays after its end, for strategies that count time; null for the others.',
      ),
    kept_ms: z
      .number()
      .min(0)
      .nullable()
      .describe('How long a message is kept at the rate of the last day; null: for ever, or not known.'),
    messages_per_day: z.number().min(0).describe('At the rate of the last day.'),
    bytes_per_day: z.number().min(0),
    affected: z
      .object({ indices: z.array(z.string()), messages: z.int().min(0), bytes: z.int().min(0) })
      .describe('What the retention deletes or closes when it runs next. Oldest first.'),
    within_ms: z.int().min(0).describe('It runs within this time.'),
  })
  .meta({ id: 'IndexSetOutlook' });
export type IndexSetOutlook = z.infer<typeof indexSetOutlookSchema>;

/** `GET /system/indices/index_sets/outlook` */
export const indexSetOutlooksSchema = z
  .object({ outlooks: z.record(z.string(), indexSetOutlookSchema).describe('By id of the index set.') })
  .meta({ id: 'IndexSetOutlooks' });
export type IndexSetOutlooks = z.infer<typeof indexSetOutlooksSchema>;

/** `POST /system/indices/index_sets/{id}/outlook`: strategies to try. What is left out is what is stored. */
export const outlookRequestSchema = z
  .strictObject({
    ...strategiesShape,
    after_rotation: z.boolean().default(false).describe('As if a new index had just begun.'),
  })
  .meta({ id: 'IndexSetOutlookRequest' });
export type OutlookRequest = z.infer<typeof outlookRequestSchema>;
export type StrategiesRequest = Omit<OutlookRequest, 'after_rotation'>;
