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

const MAX_TESTED_LENGTH = 100_000;
const testedText = z.string().max(MAX_TESTED_LENGTH).describe('The text to try it on.');
const pattern = z.string().min(1).max(10_000);
const flag = z.preprocess(
  (value) => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean().default(false),
);
const index = z.coerce.number().int().min(0);

const matchSchema = z
  .object({ match: z.string(), start: z.int(), end: z.int() })
  .nullable()
  .describe('What would be extracted, and where it is in the text.');

/** `/tools/regex_tester` */
export const regexTestSchema = z
  .strictObject({ string: testedText, regex: pattern })
  .meta({ id: 'RegexTest' });
export const regexTestedSchema = z
  .object({ matched: z.boolean(), match: matchSchema, regex: z.string(), string: z.string() })
  .meta({ id: 'RegexTested' });

/** `/tools/regex_tester/validate` */
export const regexValidationQuerySchema = z.object({ regex: z.string().max(10_000) });
export const regexValidationSchema = z
  .object({
    regex: z.string(),
    is_valid: z.boolean(),
    validation_message: z.string().nullable().describe('What is wrong with it.'),
  })
  .meta({ id: 'RegexValidation' });

/** `/tools/regex_replace_tester` */
export const regexReplaceTestSchema = z
  .strictObject({
    string: testedText,
    regex: pattern,
    replacement: z.string().max(4096).default('$1'),
    replace_all: flag,
  })
  .meta({ id: 'RegexReplaceTest' });
export const regexReplaceTestedSchema = regexTestedSchema
  .extend({ replacement: z.string(), replace_all: z.boolean() })
  .meta({ id: 'RegexReplaceTested' });

/** `/tools/grok_tester` */
export const grokTestSchema = z
  .strictObject({ string: testedText, pattern, named_captures_only: flag })
  .meta({ id: 'GrokTest' });
export const grokTestedSchema = z
  .object({
    matched: z.boolean(),
    matches: z.array(z.object({ name: z.string(), match: z.string() })),
    pattern: z.string(),
    string: z.string(),
    error_message: z.string().nullable().describe('What is wrong with the pattern.'),
  })
  .meta({ id: 'GrokTested' });

/** `/tools/json_tester` */
export const jsonTestSchema = z
  .strictObject({
    string: testedText,
    flatten: flag,
    list_separator: z.string().max(100).default(', '),
    key_separator: z.string().max(100).default('_'),
    kv_separator: z.string().max(100).default('='),
    replace_key_whitespace: flag,
    key_whitespace_replacement: z.string().max(100).default('_'),
    key_prefix: z.string().max(100).default(''),
  })
  .meta({ id: 'JsonTest' });
export const jsonTestedSchema = z
  .object({
    matches: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    flatten: z.boolean(),
    line_separator: z.string().describe("`list_separator` of the request; the name is Graylog's."),
    key_separator: z.string(),
    kv_separator: z.string(),
    string: z.string(),
  })
  .meta({ id: 'JsonTested' });

/** `/tools/lookup_table_tester` */
export const lookupTableTestSchema = z
  .strictObject({
    string: z.string().max(1000).describe('The key.'),
    lookup_table_name: z.string().min(1).max(100),
  })
  .meta({ id: 'LookupTableTest' });
export const lookupTableTestedSchema = z
  .object({
    empty: z.boolean().describe('Whether there is no value.'),
    error: z.boolean(),
    error_message: z.string(),
    key: z.string().nullable(),
    value: z.union([z.string(), z.number(), z.boolean()]).nullable(),
  })
  .meta({ id: 'LookupTableTested' });

const cutShape = {
  successful: z.boolean(),
  cut: z.string().nullable().describe('What would be extracted.'),
  begin_index: z.int(),
  end_index: z.int(),
};

/** `/tools/split_and_index_tester` */
export const splitAndIndexTestSchema = z
  .strictObject({ string: testedText, split_by: z.string().min(1).max(4096), index: index.min(1) })
  .meta({ id: 'SplitAndIndexTest' });
export const splitAndIndexTestedSchema = z.object(cutShape).meta({ id: 'SplitAndIndexTested' });

/** `/tools/substring_tester` */
export const substringTestSchema = z
  .strictObject({ string: testedText, begin_index: index, end_index: index })
  .meta({ id: 'SubstringTest' });
export const substringTestedSchema = z.object(cutShape).meta({ id: 'SubstringTested' });

/** `/tools/contains_string_tester` */
export const containsStringTestSchema = z
  .strictObject({ string: testedText, search_string: z.string().max(10_000) })
  .meta({ id: 'ContainsStringTest' });
export const containsStringTestedSchema = z
  .object({
    matched: z.boolean(),
    match: z.object({ start: z.int(), end: z.int() }).nullable(),
    search_string: z.string(),
    string: z.string(),
  })
  .meta({ id: 'ContainsStringTested' });
