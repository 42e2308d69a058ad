import { z } from 'zod';
import { configurationFieldSchema, MAX_INPUT_TITLE_LENGTH } from './inputs.ts';
import { integerParameter } from './parameters.ts';
import { fieldChangeSchema } from './pipeline-simulation.ts';
import { revisionSchema, wantedRevisionSchema } from './revision.ts';
import { messageFieldsSchema } from './search-messages.ts';

export const MAX_EXTRACTORS_PER_INPUT = 1000;
const MAX_CONVERTERS = 20;
const MAX_FIELD_NAME_LENGTH = 256;

/** Graylog's clients write these words in any case. */
const word = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.preprocess((value) => (typeof value === 'string' ? value.toLowerCase() : value), z.enum(words));

const configSchema = z.record(z.string(), z.unknown());

/** A record with no more entries than a list of the same could have. */
const atMost = <Value extends z.ZodType>(max: number, record: z.ZodRecord<z.ZodString, Value>) =>
  record
    .refine((entries) => Object.keys(entries).length <= max, {
      error: ({ input }) => `at most ${max} entries, not ${Object.keys(input as object).length}`,
    })
    .meta({ maxProperties: max });
const cursorSchema = word(['cut', 'copy']).describe(
  'Whether what is extracted is removed from the source. Fields that every message has are never cut.',
);
const conditionTypeSchema = word(['none', 'string', 'regex']).describe(
  'Which texts to look at: all, those that contain condition_value, or those in which it is found as a regular expression.',
);
const converterSchema = z.looseObject({ type: z.string().max(100), config: configSchema.default({}) });

const shape = {
  title: z.string().trim().min(1).max(MAX_INPUT_TITLE_LENGTH),
  source_field: z.string().trim().max(MAX_FIELD_NAME_LENGTH).describe('Only texts are looked at.'),
  target_field: z
    .string()
    .trim()
    .max(MAX_FIELD_NAME_LENGTH)
    .nullable()
    .default('')
    .describe('The field to write; grok and json name their fields themselves.'),
  extractor_type: z
    .string()
    .max(100)
    .describe('copy_input, grok, json, lookup_table, regex, regex_replace, split_and_index or substring.')
    .meta({ example: 'regex' }),
  extractor_config: configSchema
    .nullable()
    .default({})
    .describe('What the type needs.')
    .meta({ example: { regex_value: 'status=(\\d+)' } }),
  condition_type: conditionTypeSchema.default('none'),
  condition_value: z.string().max(10_000).nullable().default(''),
  order: z.int().default(0).describe('Extractors of an input run by this number, equal ones by age.'),
};

/** `POST` and `PUT /system/inputs/{id}/extractors`. Graylog's clients send back more than this. */
export const extractorRequestSchema = z
  .looseObject({
    ...shape,
    cut_or_copy: cursorSchema.default('copy'),
    converters: z
      .union([
        atMost(MAX_CONVERTERS, z.record(z.string().max(100), configSchema.nullable())),
        z.array(converterSchema).max(MAX_CONVERTERS),
      ])
      .nullable()
      .default({})
      .describe('Configurations by converter, or a list of converters. They run one after the other.')
      .meta({ example: { numeric: {} } }),
    revision: wantedRevisionSchema,
  })
  .meta({ id: 'ExtractorRequest' });
export type ExtractorRequest = z.infer<typeof extractorRequestSchema>;

export const extractorCreatedSchema = z.object({ extractor_id: z.string() }).meta({ id: 'ExtractorCreated' });

const figure = z.number();
const timingSchema = z
  .object({
    rate: z.object({
      total: figure,
      mean: figure,
      one_minute: figure,
      five_minute: figure,
      fifteen_minute: figure,
    }),
    rate_unit: z.string(),
    time: z.object({
      min: figure,
      max: figure,
      mean: figure,
      std_dev: figure,
      '95th_percentile': figure,
      '98th_percentile': figure,
      '99th_percentile': figure,
    }),
    duration_unit: z.string(),
  })
  .meta({
    id: 'ExtractorTiming',
    description: 'How often and how long. Measured for a batch at once: each message counts with the mean.',
  });
export type ExtractorTiming = z.infer<typeof timingSchema>;

export const extractorSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    type: z.string(),
    cursor_strategy: z.enum(['cut', 'copy']),
    source_field: z.string(),
    target_field: z.string(),
    extractor_config: configSchema,
    creator_user_id: z.string(),
    converters: z.array(z.object({ type: z.string(), config: configSchema })),
    condition_type: z.enum(['none', 'string', 'regex']),
    condition_value: z.string(),
    order: z.int(),
    exceptions: z.int().describe('Texts that could not be read, or whose values could not be stored.'),
    converter_exceptions: z.int(),
    metrics: z
      .object({
        total: timingSchema,
        condition: timingSchema,
        execution: timingSchema,
        converters: timingSchema,
        condition_hits: z.int(),
        condition_misses: z.int(),
      })
      .describe('Of this node, since it started.'),
    disabled_reason: z
      .string()
      .nullable()
      .describe('Why it does not run: it took too long, too often. Saving it enables it again.'),
    revision: revisionSchema,
  })
  .meta({ id: 'Extractor' });
export type ExtractorView = z.infer<typeof extractorSchema>;

const describedShape = {
  type: z.string(),
  name: z.string(),
  description: z.string(),
  requested_configuration: z.record(z.string(), configurationFieldSchema),
};

/** `GET /system/extractors/types` */
export const extractorTypesSchema = z
  .object({
    types: z.array(
      z.object({
        ...describedShape,
        names_fields: z
          .boolean()
          .describe('Whether it names its fields itself, so that `target_field` may be empty.'),
      }),
    ),
    converters: z.array(z.object(describedShape)),
  })
  .meta({ id: 'ExtractorTypes' });
export type ExtractorTypes = z.infer<typeof extractorTypesSchema>;

/** `POST /system/inputs/{id}/extractors/test` */
export const extractorTrialRequestSchema = z
  .strictObject({
    extractor: extractorRequestSchema.extend({ title: z.string().max(MAX_INPUT_TITLE_LENGTH).default('') }),
    message: messageFieldsSchema,
  })
  .meta({ id: 'ExtractorTrialRequest' });
export type ExtractorTrialRequest = z.infer<typeof extractorTrialRequestSchema>;

export const extractorTrialSchema = z
  .object({
    looked_at: z.boolean().describe('Whether the source is a text and the condition holds.'),
    changes: z.array(fieldChangeSchema),
    error: z.string().nullable().describe('What went wrong, as `gl2_processing_error` would say it.'),
  })
  .meta({ id: 'ExtractorTrial' });
export type ExtractorTrialView = z.infer<typeof extractorTrialSchema>;

/** `GET /system/inputs/{id}/extractors` */
export const extractorsQuerySchema = z.object({
  skip: integerParameter({ min: 0 }).default(0),
  limit: integerParameter({ min: 0 }).default(0).describe('0: all'),
  query: z.string().max(1000).default('').describe('Text to look for in titles, fields and types.'),
});
export type ExtractorsQuery = z.infer<typeof extractorsQuerySchema>;
export const extractorListSchema = z
  .object({
    total: z.int().min(0).describe('Of those that were found.'),
    extractors: z.array(extractorSchema),
  })
  .meta({ id: 'ExtractorList' });
export type ExtractorList = z.infer<typeof extractorListSchema>;

/** `POST /system/inputs/{id}/extractors/order` */
export const extractorOrderRequestSchema = z
  .strictObject({
    order: atMost(MAX_EXTRACTORS_PER_INPUT, z.record(z.string().regex(/^\d{1,9}$/), z.string().max(100)))
      .describe('Ids by their places. Extractors that are not named keep theirs.')
      .meta({ example: { '0': '5a1b2c3d4e5f60718293a4b5' } }),
  })
  .meta({ id: 'ExtractorOrderRequest' });

const exportedSchema = z.looseObject({
  ...shape,
  cursor_strategy: cursorSchema.default('copy'),
  converters: z.array(converterSchema).max(MAX_CONVERTERS).nullable().default([]),
});
export type ExportedExtractor = z.infer<typeof exportedSchema>;

/** `GET /system/inputs/{id}/extractors/export`, in Graylog's form. */
export const extractorExportSchema = z
  .object({ extractors: z.array(exportedSchema), version: z.string() })
  .meta({ id: 'ExtractorExport' });

/** `POST /system/inputs/{id}/extractors/import` */
export const extractorImportRequestSchema = z
  .looseObject({ extractors: z.array(exportedSchema).min(1).max(MAX_EXTRACTORS_PER_INPUT) })
  .meta({ id: 'ExtractorImportRequest', description: 'What an export of Millrace or Graylog contains.' });

export const extractorImportSchema = z
  .object({
    imported: z.int().min(0),
    extractors: z
      .array(
        z.object({
          title: z.string(),
          extractor_id: z.string().nullable(),
          error: z.string().nullable().describe('Why it was not imported.'),
        }),
      )
      .describe('One for each in the request, in the same order.'),
  })
  .meta({ id: 'ExtractorImport' });
export type ExtractorImport = z.infer<typeof extractorImportSchema>;
