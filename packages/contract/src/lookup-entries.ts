import { z } from 'zod';
import { pagingQueryShape, pagingResponseShape } from './paging.ts';

const MAX_ENTRIES = 1000;
const MAX_KEY_BYTES = 2500;
const MAX_SEARCH_LENGTH = 1000;
const MAX_TEXT_LENGTH = 10_000;
const MAX_LIST_LENGTH = 1000;
/** A hundred years. */
const MAX_TTL_SECONDS = 3_155_760_000;

const keySchema = z
  .string()
  .min(1)
  .max(MAX_KEY_BYTES)
  .describe(`At most ${MAX_KEY_BYTES} bytes in UTF-8, without a NUL character (U+0000).`);
const textSchema = z.string().max(MAX_TEXT_LENGTH);
const valueSchema = z
  .union([textSchema, z.number(), z.boolean(), z.array(textSchema).max(MAX_LIST_LENGTH)])
  .describe('A text, a number, true or false, or a list of texts.');

/** A key of a key-value store and its value. */
export const lookupEntrySchema = z
  .object({
    key: z.string(),
    value: valueSchema,
    expires_at: z.iso.datetime().nullable().describe('Null: it stays.'),
  })
  .meta({ id: 'LookupEntry' });
export type LookupEntryView = z.infer<typeof lookupEntrySchema>;

export const lookupEntriesQuerySchema = z.object({
  page: pagingQueryShape.page,
  per_page: pagingQueryShape.per_page,
  query: z.string().max(MAX_SEARCH_LENGTH).default('').describe('A part of the key.'),
  order: pagingQueryShape.order,
});
export type LookupEntriesQuery = z.infer<typeof lookupEntriesQuerySchema>;

/** `GET /system/lookup/adapters/{idOrName}/entries` */
export const lookupEntryPageSchema = z
  .object({ ...pagingResponseShape, query: z.string(), entries: z.array(lookupEntrySchema) })
  .meta({ id: 'LookupEntryPage' });
export type LookupEntryPage = z.infer<typeof lookupEntryPageSchema>;

export const lookupEntriesRequestSchema = z
  .strictObject({
    entries: z
      .array(
        z.strictObject({
          key: keySchema,
          value: valueSchema,
          ttl: z
            .int()
            .min(1)
            .max(MAX_TTL_SECONDS)
            .nullable()
            .optional()
            .describe('Seconds after which the key is gone. Left out: it stays.'),
        }),
      )
      .min(1)
      .max(MAX_ENTRIES),
  })
  .meta({ id: 'LookupEntriesRequest' });
export type LookupEntriesRequest = z.infer<typeof lookupEntriesRequestSchema>;

export const lookupEntriesStoredSchema = z
  .object({ stored: z.int().describe('How many keys have their value now.') })
  .meta({ id: 'LookupEntriesStored' });

export const lookupEntryKeyQuerySchema = z.object({ key: keySchema });
