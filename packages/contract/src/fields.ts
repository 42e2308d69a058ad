import { z } from 'zod';
import { integerParameter } from './parameters.ts';
import { missingServersSchema } from './partial-answers.ts';
import { timeRangeSchema } from './search-messages.ts';
import { fieldNameSchema, searchedShape, streamIdsSchema } from './searched.ts';
import { timestampSchema } from './time.ts';

export const MAX_FACET_FIELDS = 20;
const MAX_FACET_VALUES = 1000;
const DEFAULT_FACET_VALUES = 10;

export const valueTypeSchema = z.enum(['string', 'number', 'boolean', 'date']);

/** `GET /system/fields` */
export const fieldNamesQuerySchema = z.object({
  limit: integerParameter({ min: 0, max: 100_000 }).default(0).describe('The most names; 0 means all.'),
});

export const fieldNamesSchema = z
  .object({
    fields: z.array(z.string()).describe('Ordered by name.'),
    types: z
      .record(z.string(), z.array(valueTypeSchema))
      .describe('The types of each field; several if messages differ.'),
  })
  .meta({ id: 'FieldNames' });
export type FieldNames = z.infer<typeof fieldNamesSchema>;

/** `GET /views/fields`, `POST /views/fields` */
export const fieldTypeListSchema = z.array(
  z
    .object({
      name: z.string(),
      type: z.object({
        type: z
          .string()
          .describe('`string`, `double`, `long`, `boolean`, `date`, or `compound(…)` of several.'),
        properties: z.array(z.string()).describe('`enumerable`, `numeric`, `full-text-search`, `compound`.'),
        index_names: z.array(z.string()).describe('Indices that may contain messages with it.'),
      }),
    })
    .meta({ id: 'FieldType' }),
);
export type FieldTypeList = z.infer<typeof fieldTypeListSchema>;

export const fieldTypesRequestSchema = z
  .strictObject({
    streams: streamIdsSchema.nullish().describe('Ids; all readable streams by default.'),
    timerange: timeRangeSchema.nullish().describe('No effect: fields are known by index set.'),
  })
  .meta({ id: 'FieldTypesRequest' });

const size = z
  .int()
  .min(1)
  .max(MAX_FACET_VALUES)
  .default(DEFAULT_FACET_VALUES)
  .describe('The most frequent values.');

/** `POST /search/fields/{name}/statistics` */
export const fieldStatisticsRequestSchema = z
  .strictObject({
    ...searchedShape,
    size,
    interval: z
      .string()
      .max(50)
      .default('auto')
      .describe('The interval of the histogram: `minute`, `5m`, `day`, …, or `auto`.'),
  })
  .meta({ id: 'FieldStatisticsRequest' });
export type FieldStatisticsRequest = z.infer<typeof fieldStatisticsRequestSchema>;

const share = z.number().min(0).max(1).describe('The share of the messages that have the field.');

export const fieldStatisticsSchema = z
  .object({
    field: z.string(),
    total: z.int().min(0).describe('Messages found.'),
    present: z.int().min(0).describe('Messages that have the field.'),
    missing: z.int().min(0),
    distinct: z.int().min(0).describe('Distinct values; a number and an equal text are two values.'),
    types: z
      .array(z.object({ type: valueTypeSchema, count: z.int().min(1) }))
      .describe('The most frequent first.'),
    numbers: z
      .object({
        count: z.int().min(1),
        min: z.number(),
        max: z.number(),
        mean: z.number(),
        percentiles: z.record(z.string(), z.number()).describe('`50`, `75`, `90`, `95`, `99`, interpolated.'),
      })
      .nullable()
      .describe('Statistics of the numbers; null if there are none.'),
    values: z
      .array(z.object({ value: z.string(), type: valueTypeSchema, count: z.int().min(1), share }))
      .describe('The most frequent first.'),
    other: z.int().min(0).describe('The number of values that are not in `values`.'),
    interval: z.string(),
    histogram: z
      .array(z.object({ from: timestampSchema, present: z.int().min(0), mean: z.number().nullable() }))
      .describe('Over time: the number of messages with the field, and the mean of its numbers.'),
    effective_timerange: z.object({ from: timestampSchema, to: timestampSchema }),
    missing_servers: missingServersSchema,
  })
  .meta({ id: 'FieldStatistics' });
export type FieldStatistics = z.infer<typeof fieldStatisticsSchema>;

/** `POST /search/facets` */
export const facetRequestSchema = z
  .strictObject({
    ...searchedShape,
    fields: z.array(fieldNameSchema).min(1).max(MAX_FACET_FIELDS),
    size,
  })
  .meta({ id: 'FacetRequest' });
export type FacetRequest = z.infer<typeof facetRequestSchema>;

export const facetResponseSchema = z
  .object({
    total: z.int().min(0).describe('Messages found.'),
    facets: z.array(
      z.object({
        field: z.string(),
        present: z.int().min(0),
        missing: z.int().min(0),
        distinct: z.int().min(0),
        values: z.array(z.object({ value: z.string(), count: z.int().min(1), share })),
        other: z.int().min(0).describe('The number of values that are not in `values`.'),
      }),
    ),
    effective_timerange: z.object({ from: timestampSchema, to: timestampSchema }),
    missing_servers: missingServersSchema,
  })
  .meta({ id: 'FacetResponse' });
export type FacetResponse = z.infer<typeof facetResponseSchema>;
