import { z } from 'zod';
import { pagingResponseShape } from './paging.ts';
import { booleanParameter } from './parameters.ts';
import { revisionSchema, wantedRevisionSchema } from './revision.ts';

export const MAX_GROK_NAME_LENGTH = 100;
export const MAX_GROK_PATTERN_LENGTH = 10_000;
const MAX_IMPORTED = 5000;
const MAX_SAMPLE_LENGTH = 100_000;

export const grokPatternSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    pattern: z.string(),
    content_pack: z.string().nullable(),
    revision: revisionSchema,
  })
  .meta({ id: 'GrokPattern' });
export type GrokPatternView = z.infer<typeof grokPatternSchema>;

/** `GET /system/grok` */
export const grokPatternListSchema = z
  .object({ patterns: z.array(grokPatternSchema) })
  .meta({ id: 'GrokPatternList' });

/** `GET /system/grok/paginated` */
export const grokPatternPageSchema = z
  .object({ ...pagingResponseShape, query: z.string(), patterns: z.array(grokPatternSchema) })
  .meta({ id: 'GrokPatternPage' });
export type GrokPatternPage = z.infer<typeof grokPatternPageSchema>;

/** `POST /system/grok`. Graylog's clients send back what they have read. */
export const grokPatternRequestSchema = z
  .looseObject({
    name: z
      .string()
      .max(MAX_GROK_NAME_LENGTH)
      .regex(/^\w+$/, { error: 'a name has letters, digits and _' })
      .describe('What patterns call it: `%{NAME}`.')
      .meta({ example: 'ORDER' }),
    pattern: z
      .string()
      .min(1)
      .max(MAX_GROK_PATTERN_LENGTH)
      .describe('A regular expression, which may contain `%{NAME}` and `%{NAME:field:type}`.')
      .meta({ example: '[A-Z]{2}-%{INT:order:int}' }),
    revision: wantedRevisionSchema,
  })
  .meta({ id: 'GrokPatternRequest' });
export type GrokPatternRequest = z.infer<typeof grokPatternRequestSchema>;

/** `PUT /system/grok` */
export const grokImportRequestSchema = z
  .looseObject({ patterns: z.array(grokPatternRequestSchema).max(MAX_IMPORTED) })
  .meta({ id: 'GrokImportRequest' });

export const GROK_IMPORT_STRATEGIES = [
  'ABORT_ON_CONFLICT',
  'REPLACE_ON_CONFLICT',
  'DROP_ALL_EXISTING',
] as const;
export type GrokImportStrategy = (typeof GROK_IMPORT_STRATEGIES)[number];

export const grokImportQuerySchema = z.object({
  'import-strategy': z
    .enum(GROK_IMPORT_STRATEGIES)
    .optional()
    .describe(
      'What happens to patterns whose names exist: nothing is imported (the default), they are replaced, or all patterns are removed first.',
    ),
  replace: booleanParameter().default(false).describe('For Graylog 3: true is DROP_ALL_EXISTING.'),
});
export type GrokImportQuery = z.infer<typeof grokImportQuerySchema>;

/** `POST /system/grok/test` */
export const grokPatternTestRequestSchema = z
  .looseObject({
    grok_pattern: grokPatternRequestSchema.describe('It need not be stored.'),
    sample_data: z.string().max(MAX_SAMPLE_LENGTH).optional().describe('The text to look at.'),
    sampleData: z.string().max(MAX_SAMPLE_LENGTH).optional().describe('The same, by the name of Graylog.'),
  })
  .meta({ id: 'GrokPatternTestRequest' });
export type GrokPatternTestRequest = z.infer<typeof grokPatternTestRequestSchema>;

export const grokPatternTestSchema = z
  .record(z.string(), z.unknown())
  .describe('The fields that were found; empty when the pattern was not.')
  .meta({ id: 'GrokPatternTest' });
